// The deliveries of purchases to the game.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useTexts } from '../../../language/language';
import { Page } from '../../../look/page';
import { Count, Time } from '../../../look/values';
import { adminResendDelivery, type AdminDelivery, type DeliveryState, type DeliveryToResend } from '../../../sdk';
import { adminDeliveriesOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { Action } from '../panel/action';
import { idOf, oneOf, useListAddress } from '../panel/address';
import { AccountLink, ShortId } from '../panel/links';
import { Paged } from '../panel/paged';
import { Table, Tag, type Column, type TagLook } from '../panel/table';
import { panel } from '../panel/texts';
import { DeliveryFilters } from './filters';
import { ResendMany } from './resend-many';
import { deliveries } from './texts';

const LOOKS: Record<DeliveryState, TagLook> = { open: 'plain', delivered: 'good', parked: 'warning' };

export function Section() {
  const t = useTexts(deliveries);
  const address = useListAddress();
  const state = oneOf(address.filter('state'), Object.keys(LOOKS) as DeliveryState[]);
  const character = address.filter('character');
  const account_id = character === undefined ? idOf(address.filter('account_id')) : undefined;
  const list = useQuery({
    ...adminDeliveriesOptions({ query: { state, account_id, character, ...address.paging } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={t.title} aside={<ResendMany />}>
      <p class="faint">{t.intro}</p>
      <DeliveryFilters address={address} />
      <Paged query={list} address={address} empty={<p>{state === 'parked' ? t.noneParked : t.none}</p>}>
        {(items) => <DeliveryTable items={items} />}
      </Paged>
    </Page>
  );
}

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
            <ShortId id={item.delivery_id} />
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
          <Tag look={LOOKS[item.state]}>{t.states[item.state]}</Tag>
          {item.last_error !== undefined && <p class="faint">{t.lastError(item.last_error)}</p>}
        </>
      ),
    },
    { head: t.attempts, look: 'number', cell: (item) => <Count value={item.attempts} /> },
    { head: t.time, cell: (item) => <Time at={item.delivered_at ?? item.due_at} /> },
    { head: p.actions, look: 'actions', cell: (item) => <Resend item={item} /> },
  ];
  return <Table caption={t.title} columns={columns} items={items} keyOf={(item) => item.delivery_id} />;
}

function Resend({ item }: { item: AdminDelivery }) {
  const t = useTexts(deliveries);
  const p = useTexts(panel);
  const what = `${item.offer_name} → ${item.character_name}`;
  return (
    <Action<DeliveryToResend>
      name={`delivery.resend/${item.delivery_id}`}
      send={(body, headers) => adminResendDelivery({ body, headers })}
      label={t.resend}
      labelOf={what}
      title={`${t.resend}: ${what}`}
      text={item.state === 'delivered' ? t.resendDelivered : t.resendText}
      confirm={t.resend}
      reasonHint={p.reasonInAudit}
      body={(reason) => ({ delivery_id: item.delivery_id, reason })}
      done={() => t.resent(what)}
      audit={{ action: 'delivery.resend' }}
    />
  );
}
