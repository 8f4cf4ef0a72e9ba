// The pages of the own account, with their tabs.

import type { ComponentChildren } from 'preact';
import { useQuery } from '@tanstack/preact-query';
import { Link, useParams } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { Notice } from '../../look/controls';
import { Members, Page } from '../../look/page';
import { Loaded } from '../../look/query';
import { Time } from '../../look/values';
import { href } from '../../routes';
import type { Account } from '../../sdk';
import { accountMeOptions } from '../../sdk/@tanstack/preact-query.gen';
import { NotFoundPage } from '../not-found';
import { DataTab } from './data';
import { OverviewTab } from './overview';
import { NewRecoveryCodes } from './recovery-codes';
import { SecurityTab } from './security';
import { SessionsTab } from './sessions';
import { accountTexts } from './texts';

/** The mails of the site lead to `security` and `sessions` (docs/MAIL.md). */
const TABS = ['security', 'sessions', 'data'] as const;
type Tab = 'overview' | (typeof TABS)[number];

export function AccountPage() {
  return <Tabs tab="overview">{(account) => <OverviewTab account={account} />}</Tabs>;
}

export function AccountTabPage() {
  const { page } = useParams();
  switch (page) {
    case 'security':
      return <Tabs tab="security">{(account) => <SecurityTab account={account} />}</Tabs>;
    case 'sessions':
      return <Tabs tab="sessions">{() => <SessionsTab />}</Tabs>;
    case 'data':
      return <Tabs tab="data">{(account) => <DataTab account={account} />}</Tabs>;
    default:
      return <NotFoundPage />;
  }
}

function Tabs({ tab, children }: { tab: Tab; children: (account: Account) => ComponentChildren }) {
  const t = useTexts(accountTexts);
  return (
    <Page title={t.title}>
      <Members>
        <nav class="tabs" aria-label={t.title}>
          {(['overview', ...TABS] as const).map((name) => (
            <Link
              key={name}
              href={name === 'overview' ? href('account') : href('accountPage', { page: name })}
              aria-current={name === tab ? 'page' : undefined}
            >
              {t[name]}
            </Link>
          ))}
        </nav>
        <OwnAccount tab={tab}>{children}</OwnAccount>
      </Members>
    </Page>
  );
}

function OwnAccount({ tab, children }: { tab: Tab; children: (account: Account) => ComponentChildren }) {
  const t = useTexts(accountTexts);
  const query = useQuery(accountMeOptions());
  return (
    <Loaded query={query}>
      {(account) => (
        <>
          {account.deletion_due_at !== undefined && tab !== 'data' && (
            <Notice look="warning">
              <span>
                {t.deletedAt} <Time at={account.deletion_due_at} />.
              </span>
              <Link href={href('accountPage', { page: 'data' })}>{t.keepIt}</Link>
            </Notice>
          )}
          <NewRecoveryCodes account={account} />
          {children(account)}
        </>
      )}
    </Loaded>
  );
}
