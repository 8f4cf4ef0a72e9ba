// The notifications of banks. A parked one had no effect, and waits for a decision.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useTexts } from '../../../language/language';
import { Page } from '../../../look/page';
import { Time } from '../../../look/values';
import {
  adminDiscardNotification,
  adminReplayNotification,
  type NotificationStatus,
  type NotificationToDiscard,
  type NotificationToReplay,
  type StoredNotification,
} from '../../../sdk';
import { adminNotificationsOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { Action } from '../panel/action';
import { oneOf, useListAddress } from '../panel/address';
import { ShortId } from '../panel/links';
import { Paged } from '../panel/paged';
import { StatusFilter } from '../panel/status-filter';
import { Table, Tag, type Column, type TagLook } from '../panel/table';
import { panel } from '../panel/texts';
import { notifications } from './texts';

const LOOKS: Record<NotificationStatus, TagLook> = {
  open: 'plain',
  settled: 'good',
  parked: 'warning',
  discarded: 'plain',
};

export function Section() {
  const t = useTexts(notifications);
  const address = useListAddress();
  const status = oneOf(address.filter('status'), Object.keys(LOOKS) as NotificationStatus[]);
  const list = useQuery({
    ...adminNotificationsOptions({ query: { status, ...address.paging } }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  return (
    <Page title={t.title}>
      <p class="faint">{t.intro}</p>
      <div class="filters">
        <StatusFilter address={address} statuses={t.statuses} />
      </div>
      <Paged query={list} address={address} empty={<p>{status === 'parked' ? t.noneParked : t.none}</p>}>
        {(items) => <Table caption={t.title} columns={columns} items={items} keyOf={(item) => item.notification_id} />}
      </Paged>
    </Page>
  );
}

function useColumns(): Column<StoredNotification>[] {
  const t = useTexts(notifications);
  const p = useTexts(panel);
  return [
    { head: p.number, look: 'main', cell: (item) => `#${item.notification_id}` },
    {
      head: p.state,
      look: 'wide',
      cell: (item) => (
        <>
          <Tag look={LOOKS[item.status]}>{t.statuses[item.status]}</Tag>
          {item.reason !== undefined && <p>{item.reason}</p>}
        </>
      ),
    },
    { head: t.provider, cell: (item) => <code>{item.provider}</code> },
    {
      head: t.reference,
      cell: (item) => (item.reference === undefined ? t.noReference : <ShortId id={item.reference} />),
    },
    {
      head: t.received,
      cell: (item) => (
        <>
          <Time at={item.last_at} />
          {item.times > 1 && <p class="faint">{t.times(item.times)}</p>}
        </>
      ),
    },
    { head: t.body, cell: (item) => <Body item={item} /> },
    { head: p.actions, look: 'actions', cell: (item) => <Actions item={item} /> },
  ];
}

function Body({ item }: { item: StoredNotification }) {
  const t = useTexts(notifications);
  return (
    <details class="details">
      <summary>{t.showBody}</summary>
      <pre class="code-block">{JSON.stringify(item.body, null, 2)}</pre>
    </details>
  );
}

function Actions({ item }: { item: StoredNotification }) {
  return (
    <>
      {(item.status === 'parked' || item.status === 'discarded') && <Replay item={item} />}
      {item.status === 'parked' && <Discard item={item} />}
    </>
  );
}

function Replay({ item }: { item: StoredNotification }) {
  const t = useTexts(notifications);
  const id = item.notification_id;
  return (
    <Action<NotificationToReplay>
      name={`notification.replay/${id}`}
      send={(body, headers) => adminReplayNotification({ body, headers })}
      label={t.replay}
      labelOf={`#${id}`}
      title={t.replayTitle(id)}
      text={t.replayText}
      confirm={t.replay}
      body={() => ({ notification_id: id })}
      done={() => t.replayed(id)}
      audit={{ action: 'notification.replay' }}
    />
  );
}

function Discard({ item }: { item: StoredNotification }) {
  const t = useTexts(notifications);
  const p = useTexts(panel);
  const id = item.notification_id;
  return (
    <Action<NotificationToDiscard>
      name={`notification.discard/${id}`}
      send={(body, headers) => adminDiscardNotification({ body, headers })}
      label={t.discard}
      labelOf={`#${id}`}
      look="danger"
      title={t.discardTitle(id)}
      text={t.discardText}
      confirm={t.discard}
      reasonHint={p.reasonInAudit}
      body={(reason) => ({ notification_id: id, reason })}
      done={() => t.discarded(id)}
      audit={{ action: 'notification.discard' }}
    />
  );
}
