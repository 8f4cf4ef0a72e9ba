// The game servers: whether they are there, and whether they answer deliveries.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useTexts } from '../../../language/language';
import { Page } from '../../../look/page';
import { Count, Time } from '../../../look/values';
import type { GameServer } from '../../../sdk';
import { adminGameServersOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { useListAddress } from '../panel/address';
import { Paged } from '../panel/paged';
import { Table, Tag, type Column } from '../panel/table';
import { panel } from '../panel/texts';
import { gameServers } from './texts';

const REFRESH_MS = 15_000;

export function Section() {
  const t = useTexts(gameServers);
  const address = useListAddress();
  const list = useQuery({
    ...adminGameServersOptions({ query: address.paging }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const columns = useColumns();
  return (
    <Page title={t.title}>
      <p class="faint">{t.intro}</p>
      <Paged query={list} address={address} empty={<p>{t.none}</p>}>
        {(items) => (
          <Table caption={t.title} columns={columns} items={items} keyOf={(server) => server.service_token_id} />
        )}
      </Paged>
    </Page>
  );
}

// How far it is behind the changes of the site.
function Unread({ server }: { server: GameServer }) {
  const t = useTexts(gameServers);
  if (server.place_lost) {
    return <Tag look="bad">{t.placeLost}</Tag>;
  }
  if (server.unread_changes === undefined) {
    return t.doesNotRead;
  }
  return (
    <>
      <Count value={server.unread_changes} />
      {server.oldest_unread_at !== undefined && (
        <p>
          <Time at={server.oldest_unread_at} />
        </p>
      )}
    </>
  );
}

function useColumns(): Column<GameServer>[] {
  const t = useTexts(gameServers);
  const p = useTexts(panel);
  return [
    { head: t.name, look: 'main', cell: (server) => server.name },
    {
      head: p.state,
      look: 'wide',
      cell: (server) => (
        <>
          <Tag look={server.present ? 'good' : 'warning'}>{server.present ? t.present : t.absent}</Tag>{' '}
          {server.answers_none && <Tag look="bad">{t.answersNone}</Tag>}
          {server.answers_none && <p>{t.answersNoneText}</p>}
        </>
      ),
    },
    { head: t.seen, cell: (server) => (server.seen_at === undefined ? t.never : <Time at={server.seen_at} />) },
    {
      head: t.answered,
      cell: (server) => (server.answered_at === undefined ? t.never : <Time at={server.answered_at} />),
    },
    { head: t.unanswered, look: 'number', cell: (server) => <Count value={server.unanswered_leases} /> },
    { head: t.unread, look: 'number', cell: (server) => <Unread server={server} /> },
  ];
}
