// A line of a purchase: its pieces, and the events of their delivery.

import { useTexts } from '../../language/language';
import { Icon, type IconName } from '../../look/icon';
import { Time } from '../../look/values';
import type { DeliveryEventKind, DeliveryStatus, PurchaseLine } from '../../sdk';
import { purchases } from './purchase-texts';

const LOOKS: Record<DeliveryStatus, string> = {
  waiting: '',
  leased: '',
  delivered: 'good',
  parked: 'bad',
  discarded: 'bad',
};

const ICONS: Record<DeliveryEventKind, IconName> = {
  ordered: 'cart',
  leased: 'clock',
  delivered: 'check',
  refused: 'warning',
  parked: 'warning',
  resent: 'external',
  discarded: 'cross',
};

export function Delivery({ line }: { line: PurchaseLine }) {
  const t = useTexts(purchases);
  return (
    <li class="delivery">
      <div class="row spread">
        <h3>
          {line.quantity > 1 && <span class="number">{line.quantity} × </span>}
          {line.name}
        </h3>
        <span class={`tag ${LOOKS[line.status]}`} role="status">
          {t.statuses[line.status]}
        </span>
      </div>
      {line.status !== 'delivered' && (
        <p class="faint">
          {t.statusSteps[line.status]} {line.returned && t.coinsReturned}
        </p>
      )}
      <details open={line.status !== 'delivered'}>
        <summary>{t.timeline}</summary>
        <ol class="timeline">
          {line.timeline.map((event, place) => (
            <li key={place} class={event.what}>
              <span class="timeline-mark">
                <Icon name={ICONS[event.what]} size={14} />
              </span>
              <div>
                <p>
                  {t.events[event.what]}{' '}
                  <span class="faint">
                    <Time at={event.happened_at} />
                  </span>
                </p>
                {event.detail !== undefined && event.detail !== '' && <p class="timeline-detail">{event.detail}</p>}
              </div>
            </li>
          ))}
        </ol>
      </details>
    </li>
  );
}
