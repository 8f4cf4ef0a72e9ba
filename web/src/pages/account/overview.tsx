// What the site knows about the account at a glance, and its e-mail address.

import { Link } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { Icon } from '../../look/icon';
import { Shield } from '../../look/shield';
import { Coins, Time } from '../../look/values';
import { href } from '../../routes';
import type { Account } from '../../sdk';
import { ChangeEmail } from './change-email';
import { MailLanguage } from './mail-language';
import { accountTexts } from './texts';
import { VerifyEmail } from './verify-email';

export function OverviewTab({ account }: { account: Account }) {
  const t = useTexts(accountTexts);
  const staffRoles = account.roles.filter((role) => role !== 'player');
  return (
    <div class="columns">
      <div class="stack">
        <section class="sheet">
          <div class="row">
            <Shield name={account.name} size={44} />
            <div>
              <h2>{account.name}</h2>
              <p class="faint">
                {t.since} <Time at={account.created_at} date />
              </p>
            </div>
          </div>
          <dl class="facts account-facts">
            <dt>{t.email}</dt>
            <dd class="row">
              <span class="address">{account.email}</span>
              {account.email_verified ? (
                <span class="tag good">{t.verified}</span>
              ) : (
                <span class="tag warning">{t.notVerified}</span>
              )}
            </dd>
            <dt>{t.secondFactor}</dt>
            <dd class="row">
              {account.second_factor ? (
                <span class="tag good">{t.on}</span>
              ) : (
                <Link href={href('accountPage', { page: 'security' })}>{t.enable}</Link>
              )}
            </dd>
            {staffRoles.length > 0 && (
              <>
                <dt>{t.rolesLabel}</dt>
                <dd>{staffRoles.map((role) => t.roles[role]).join(', ')}</dd>
              </>
            )}
          </dl>
        </section>
        {!account.email_verified && (
          <section class="sheet">
            <h2>{t.verifyTitle}</h2>
            <VerifyEmail email={account.email} />
          </section>
        )}
        <section class="sheet">
          <h2>{t.changeEmail}</h2>
          <ChangeEmail account={account} />
        </section>
      </div>
      <aside class="stack">
        <section class="sheet">
          <h2>{t.coins}</h2>
          <p class="row balance">
            <Icon name="coins" size={28} /> <Coins count={account.coins} />
          </p>
          {account.coins < 0 && <p>{t.debt}</p>}
          <p class="row">
            <Link class="button quiet" href={href('coins')}>
              {t.buyCoins}
            </Link>
            <Link href={href('purchases')}>{t.purchases}</Link>
            <Link href={href('coinHistory')}>{t.coinHistory}</Link>
          </p>
        </section>
        <section class="sheet">
          <MailLanguage account={account} />
        </section>
      </aside>
    </div>
  );
}
