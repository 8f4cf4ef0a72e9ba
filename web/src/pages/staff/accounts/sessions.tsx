// The sessions and the characters of an account.

import { Link } from 'wouter-preact';
import { useTexts } from '../../../language/language';
import { Time } from '../../../look/values';
import { href } from '../../../routes';
import type { AccountDetails, AccountSession } from '../../../sdk';
import { Table, type Column } from '../panel/table';
import { accounts } from './texts';

export function Sessions({ account }: { account: AccountDetails }) {
  const t = useTexts(accounts);
  const columns: Column<AccountSession>[] = [
    { head: t.device, look: 'main', cell: (session) => session.device },
    { head: t.network, cell: (session) => session.network },
    { head: t.lastUsed, cell: (session) => <Time at={session.last_used_at} /> },
    { head: t.loggedIn, cell: (session) => <Time at={session.created_at} /> },
  ];
  return (
    <section class="sheet">
      <h2>{t.sessions}</h2>
      {account.sessions.length === 0 ? (
        <p class="faint">{t.noSessions}</p>
      ) : (
        <Table
          caption={t.sessions}
          columns={columns}
          items={account.sessions}
          keyOf={(session) => session.session_id}
        />
      )}
    </section>
  );
}

export function Characters({ account }: { account: AccountDetails }) {
  const t = useTexts(accounts);
  return (
    <section class="sheet">
      <h2>{t.characters}</h2>
      {account.characters.length === 0 && <p class="faint">{t.noCharacters}</p>}
      <ul class="plain-list">
        {account.characters.map(({ character_id, name }) => (
          <li key={character_id}>
            <Link href={href('character', { name })}>{name}</Link> <span class="faint">#{character_id}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
