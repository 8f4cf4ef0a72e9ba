// A table of deliveries: those of a list, or of one account.

import { useLanguage, useTexts } from '../../../language/language';
import { Count, Time } from '../../../look/values';
import {
  adminDiscardDelivery,
  adminResendDelivery,
  type AdminDelivery,
  type AdminDeliveryStatus,
  type DeliveryToDiscard,
  type DeliveryToResend,
} from '../../../sdk';
import { Action } from '../panel/action';
import { AccountLink, ShortId } from '../panel/links';
import { Table, Tag, type Column, type TagLook } from '../panel/table';
import { panel } from '../panel/texts';
import { deliveries } from './texts';

const LOOKS: Record<AdminDeliveryStatus, TagLook> = {
  open: 'plain',
  delivered: 'good',
  parked: 'warning',
  discarded: 'plain',
};

export const STATUSES = Object.keys(LOOKS) as AdminDeliveryStatus[];

export function DeliveryTable({ items }: { items: AdminDelivery[] }) {
  const t = useTexts(deliveries);
  const p = useTexts(panel);
  const columns: Column<AdminDelivery>[] = [
    {
      head: t.offer,
      look: 'main',
      cell: (item) => (
        <>
          {item.quantity > 1 && <Count value={item.quantity} />} {item.quantity > 1 && '× '}
          {item.offer_name}
          <p class="faint">
            <ShortId id={item.delivery_id} /> · {t.purchaseNumber(item.purchase_id)}
          </p>
        </>
      ),
    },
    { head: p.character, cell: (item) => item.character_name },
    { head: p.account, cell: (item) => <AccountLink id={item.account_id} /> },
    {
      head: p.state,
      look: 'wide',
      cell: (item) => (
        <>
          <Tag look={LOOKS[item.status]}>{t.statuses[item.status]}</Tag> {item.returned && <Tag>{t.returned}</Tag>}
          {item.status === 'open' && item.buyer_suspended && <p class="faint">{t.buyerSuspended}</p>}
          {item.last_error !== undefined && <p class="faint">{t.lastError(item.last_error)}</p>}
        </>
      ),
    },
    { head: t.attempts, look: 'number', cell: (item) => <Count value={item.attempts} /> },
    { head: t.time, cell: (item) => <Time at={item.delivered_at ?? item.due_at} /> },
    { head: p.actions, look: 'actions', cell: (item) => <Actions item={item} /> },
  ];
  return <Table caption={t.title} columns={columns} items={items} keyOf={(item) => item.delivery_id} />;
}

function Actions({ item }: { item: AdminDelivery }) {
  const isWaiting = item.status === 'open' || item.status === 'parked';
  return (
    <>
      {!item.returned && <Resend item={item} />}
      {isWaiting && <Discard item={item} returnsCoins />}
      {isWaiting && <Discard item={item} />}
    </>
  );
}

function Resend({ item }: { item: AdminDelivery }) {
  const t = useTexts(deliveries);
  const p = useTexts(panel);
  const what = whatOf(item);
  const texts: Partial<Record<AdminDeliveryStatus, string>> = {
    delivered: t.resendDelivered,
    discarded: t.resendDiscarded,
  };
  return (
    <Action<DeliveryToResend>
      name={`delivery.resend/${item.delivery_id}`}
      send={(body, headers) => adminResendDelivery({ body, headers })}
      label={t.resend}
      labelOf={what}
      title={`${t.resend}: ${what}`}
      text={texts[item.status] ?? t.resendText}
      confirm={t.resend}
      reasonHint={p.reasonInAudit}
      body={(reason) => ({ delivery_id: item.delivery_id, reason })}
      done={() => t.resent(what)}
      audit={{ action: 'delivery.resend' }}
    />
  );
}

function Discard({ item, returnsCoins = false }: { item: AdminDelivery; returnsCoins?: boolean }) {
  const t = useTexts(deliveries);
  const { language } = useLanguage();
  const what = whatOf(item);
  const label = returnsCoins ? t.returnCoins : t.discard;
  const coins = new Intl.NumberFormat(language).format(item.coins);
  return (
    <Action<DeliveryToDiscard>
      name={`delivery.discard/${item.delivery_id}/${returnsCoins}`}
      send={(body, headers) => adminDiscardDelivery({ body, headers })}
      label={label}
      labelOf={what}
      look="danger"
      title={`${label}: ${what}`}
      text={returnsCoins ? t.returnText(coins) : t.discardText}
      confirm={label}
      reasonHint={t.reasonForBuyer}
      body={(reason) => ({ delivery_id: item.delivery_id, reason, return_coins: returnsCoins })}
      done={() => (returnsCoins ? t.coinsReturned(what, coins) : t.discarded(what))}
      audit={{ action: 'delivery.discard' }}
    />
  );
}

function whatOf(item: AdminDelivery): string {
  return `${item.offer_name} → ${item.character_name}`;
}
