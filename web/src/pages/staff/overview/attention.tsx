// What waits for a decision of an administrator.

import { useQuery, type UseQueryResult } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useLanguage, useTexts } from '../../../language/language';
import { Notice } from '../../../look/controls';
import { Loaded } from '../../../look/query';
import { href } from '../../../routes';
import {
  adminDeliveriesOptions,
  adminGameServersOptions,
  adminMailsOptions,
  adminNotificationsOptions,
  adminPaymentsOptions,
} from '../../../sdk/@tanstack/preact-query.gen';
import { withParameters } from '../panel/address';
import { overview } from './texts';

const REFRESH = { refetchInterval: 30_000 } as const;
const ONE = { limit: 1 } as const;

export function AdminAttention() {
  const t = useTexts(overview);
  const notifications = useQuery({ ...adminNotificationsOptions({ query: { status: 'parked', ...ONE } }), ...REFRESH });
  const deliveries = useQuery({ ...adminDeliveriesOptions({ query: { status: 'parked', ...ONE } }), ...REFRESH });
  const mails = useQuery({ ...adminMailsOptions({ query: { status: 'parked', ...ONE } }), ...REFRESH });
  const review = useQuery({ ...adminPaymentsOptions({ query: { status: 'review', ...ONE } }), ...REFRESH });
  const reversed = useQuery({ ...adminPaymentsOptions({ query: { status: 'reversed', ...ONE } }), ...REFRESH });
  return (
    <section class="stack" aria-labelledby="attention">
      <h2 id="attention">{t.attention}</h2>
      <ul class="cards">
        <Waiting query={notifications} name={t.notifications} page="notifications" parameters={{ status: 'parked' }} />
        <Waiting query={deliveries} name={t.deliveries} page="deliveries" parameters={{ status: 'parked' }} />
        <Waiting query={mails} name={t.mails} page="mails" parameters={{ status: 'parked' }} />
        <Waiting query={review} name={t.review} page="payments" parameters={{ status: 'review' }} />
        <Waiting query={reversed} name={t.reversed} page="payments" parameters={{ status: 'reversed' }} />
      </ul>
      <GameServers />
      <p class="row">
        <Link href={href('staffPage', { page: 'accounts' })}>{t.findAccount}</Link>
        <Link href={href('staffPage', { page: 'payments' })}>{t.allPayments}</Link>
        <Link href={href('staffPage', { page: 'audit' })}>{t.audit}</Link>
      </p>
    </section>
  );
}

interface WaitingProps {
  query: UseQueryResult<{ items: unknown[]; total?: number }, unknown>;
  name: string;
  page: string;
  parameters: Record<string, string>;
}

function Waiting({ query, name, page, parameters }: WaitingProps) {
  const t = useTexts(overview);
  const { language } = useLanguage();
  const { data } = query;
  const count = data?.total;
  const text = !data ? '…' : count === undefined ? t.many : new Intl.NumberFormat(language).format(count);
  const isWaiting = data !== undefined && count !== 0;
  return (
    <li>
      <Link
        class={`attention ${isWaiting ? 'warning' : ''}`}
        href={withParameters(href('staffPage', { page }), parameters)}
      >
        <span class="attention-count number">{text}</span>
        <span>{name}</span>
        <span class="faint">{!data ? '' : isWaiting ? t.look : t.nothing}</span>
      </Link>
    </li>
  );
}

function GameServers() {
  const t = useTexts(overview);
  const servers = useQuery({ ...adminGameServersOptions({ query: { limit: 100 } }), ...REFRESH });
  return (
    <Loaded query={servers}>
      {({ items }) => {
        const silent = items.filter((server) => server.answers_none).map(({ name }) => name);
        const away = items.filter((server) => !server.present && !server.answers_none).map(({ name }) => name);
        const link = <Link href={href('staffPage', { page: 'game-servers' })}>{t.gameServers}</Link>;
        return (
          <>
            {silent.length > 0 && (
              <Notice look="bad">
                {t.answersNone(silent.join(', '))} {link}
              </Notice>
            )}
            {away.length > 0 && (
              <Notice look="warning">
                {t.away(away.join(', '))} {link}
              </Notice>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
