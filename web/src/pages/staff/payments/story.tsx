// What happened with a payment, in the order of time.

import type { ComponentChildren } from 'preact';
import { useLanguage, useTexts } from '../../../language/language';
import { Coins, Money, Time } from '../../../look/values';
import type { PaymentDetails } from '../../../sdk';
import { Tag } from '../panel/table';
import { minorText } from './money';
import { payments } from './texts';

interface StoryEvent {
  key: string;
  at: string;
  title: string;
  content: ComponentChildren;
}

export function Story({ details }: { details: PaymentDetails }) {
  const events = useEvents(details).sort((a, b) => secondOf(a.at) - secondOf(b.at));
  return (
    <ol class="story">
      {events.map(({ key, at, title, content }) => (
        <li key={key}>
          <h3>{title}</h3>
          <p class="faint">
            <Time at={at} />
          </p>
          <div class="story-content">{content}</div>
        </li>
      ))}
    </ol>
  );
}

/** Records of one change have almost the same time. They stay in the order of cause and effect. */
function secondOf(at: string): number {
  return Math.floor(Date.parse(at) / 1000);
}

function useEvents({ payment, receipts, refunds, notifications, coins }: PaymentDetails): StoryEvent[] {
  const t = useTexts(payments);
  const { language } = useLanguage();
  const refundStates: Record<string, string> = t.refundStates;
  const currencyOf = new Map(receipts.map(({ receipt_id, currency }) => [receipt_id, currency]));
  const refundAmount = (refund: (typeof refunds)[number]): string =>
    minorText(refund.minor_units, currencyOf.get(refund.receipt_id) ?? payment.amount.currency, language);
  return [
    {
      key: 'created',
      at: payment.created_at,
      title: t.events.created,
      content: <Money value={payment.amount} />,
    },
    ...notifications.map((notification) => ({
      key: `notification-${notification.notification_id}`,
      at: notification.first_at,
      title: t.events.notification,
      content: (
        <>
          <Tag look={notification.status === 'parked' ? 'warning' : 'plain'}>
            {t.notificationStatuses[notification.status]}
          </Tag>{' '}
          {notification.reason}
          <details class="details">
            <summary>{t.showBody}</summary>
            <pre class="code-block">{JSON.stringify(notification.body, null, 2)}</pre>
          </details>
        </>
      ),
    })),
    ...receipts.map((receipt) => ({
      key: `receipt-${receipt.receipt_id}`,
      at: receipt.recorded_at,
      title: t.events.receipt,
      content: (
        <>
          <p class="number">{minorText(receipt.minor_units, receipt.currency, language)}</p>
          <p class="faint">
            {t.receivedAt} <Time at={receipt.received_at} /> · <code>{receipt.end_to_end_id}</code>
          </p>
          {receipt.held_because !== undefined && <Tag look="warning">{receipt.held_because}</Tag>}
        </>
      ),
    })),
    ...refunds.map((refund) => ({
      key: `refund-${refund.refund_id}`,
      at: refund.requested_at,
      title: refund.kind === 'reversal' ? t.events.reversal : t.events.refund,
      content: (
        <>
          <p class="number">{refundAmount(refund)}</p>
          <p>{refund.reason}</p>
          <Tag look={refund.state === 'failed' ? 'bad' : 'plain'}>{refundStates[refund.state] ?? refund.state}</Tag>
        </>
      ),
    })),
    ...refunds
      .filter(({ settled_at }) => settled_at !== undefined)
      .map((refund) => ({
        key: `settled-${refund.refund_id}`,
        at: refund.settled_at ?? '',
        title: refund.state === 'failed' ? t.events.refundFailed : t.events.refundDone,
        content: <p class="number">{refundAmount(refund)}</p>,
      })),
    ...coins.map((transfer) => ({
      key: `coins-${transfer.transfer_id}`,
      at: transfer.transferred_at,
      title: transfer.coins < 0 ? t.events.coinsRemoved : t.events.coinsCredited,
      content: <Coins count={Math.abs(transfer.coins)} />,
    })),
  ];
}
