// One account: who it is, what it may do, and what the staff can do about it.

import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useTexts } from '../../../language/language';
import { Notice } from '../../../look/controls';
import { Page } from '../../../look/page';
import { Loaded } from '../../../look/query';
import { Coins, Time } from '../../../look/values';
import { href } from '../../../routes';
import type { AccountDetails } from '../../../sdk';
import { adminAccountOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { Facts } from '../panel/links';
import { Tag } from '../panel/table';
import { panel } from '../panel/texts';
import { AccessActions } from './access';
import { AdjustCoins } from './coins';
import { Notes } from './notes';
import { LatestAudit, LatestDeliveries, LatestPayments } from './records';
import { Roles } from './roles';
import { Characters, Sessions } from './sessions';
import { accounts } from './texts';

export function AccountDetail({ id }: { id: number }) {
  const t = useTexts(accounts);
  const account = useQuery(adminAccountOptions({ path: { id } }));
  const back = <Link href={href('staffPage', { page: 'accounts' })}>{t.back}</Link>;
  return (
    <Page title={account.data?.name ?? t.account(id)} aside={back}>
      <Loaded query={account}>{(data) => <Details account={data} />}</Loaded>
    </Page>
  );
}

function Details({ account }: { account: AccountDetails }) {
  const t = useTexts(accounts);
  return (
    <>
      <div class="columns">
        <section class="sheet">
          <h2>{t.overview}</h2>
          <Standing account={account} />
          <AccountFacts account={account} />
          <div class="row">
            <AccessActions account={account} />
            <AdjustCoins account={account} />
          </div>
        </section>
        <div class="stack">
          <Roles account={account} />
          <Characters account={account} />
        </div>
      </div>
      <Notes account={account} />
      <LatestPayments id={account.account_id} />
      <LatestDeliveries id={account.account_id} />
      <Sessions account={account} />
      <LatestAudit id={account.account_id} />
    </>
  );
}

function Standing({ account }: { account: AccountDetails }) {
  const t = useTexts(accounts);
  return (
    <>
      {account.suspended && (
        <Notice look="bad">
          <strong>{account.suspended_until === undefined ? t.banned : t.suspendedUntil}</strong>{' '}
          {account.suspended_until !== undefined && <Time at={account.suspended_until} />}
          {account.suspension_reason !== undefined && <span>{t.because(account.suspension_reason)}</span>}
        </Notice>
      )}
      {account.password_expired && <Notice look="warning">{t.passwordExpired}</Notice>}
      {account.coins < 0 && <Notice look="warning">{t.owes}</Notice>}
    </>
  );
}

function AccountFacts({ account }: { account: AccountDetails }) {
  const t = useTexts(accounts);
  const p = useTexts(panel);
  return (
    <Facts
      facts={[
        [p.number, `#${account.account_id}`],
        [
          t.email,
          <>
            {account.email}{' '}
            <Tag look={account.email_verified ? 'good' : 'warning'}>
              {account.email_verified ? t.verified : t.notVerified}
            </Tag>
          </>,
        ],
        [t.coins, <Coins key="coins" count={account.coins} />],
        [t.language, t.languages[account.language]],
        [p.created, <Time key="created" at={account.created_at} />],
      ]}
    />
  );
}
