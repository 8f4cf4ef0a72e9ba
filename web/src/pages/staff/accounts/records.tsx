// The latest payments, deliveries and audit entries of an account, with links to all of them.

import { useQuery, type UseQueryResult } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { useTexts } from '../../../language/language';
import { Loaded } from '../../../look/query';
import { href } from '../../../routes';
import {
  adminAuditOptions,
  adminDeliveriesOptions,
  adminPaymentsOptions,
} from '../../../sdk/@tanstack/preact-query.gen';
import { AuditLine } from '../audit/entry';
import { DeliveryTable } from '../deliveries/table';
import { withParameters } from '../panel/address';
import { PaymentTable } from '../payments/table';
import { accounts } from './texts';

const LIMIT = 5;

export function LatestPayments({ id }: { id: number }) {
  const t = useTexts(accounts);
  const list = useQuery(adminPaymentsOptions({ query: { account_id: id, limit: LIMIT } }));
  return (
    <Latest title={t.payments} none={t.noPayments} query={list} page="payments" parameters={{ account_id: id }}>
      {(items) => <PaymentTable items={items} isOfAccount />}
    </Latest>
  );
}

export function LatestDeliveries({ id }: { id: number }) {
  const t = useTexts(accounts);
  const list = useQuery(adminDeliveriesOptions({ query: { account_id: id, limit: LIMIT } }));
  return (
    <Latest title={t.deliveries} none={t.noDeliveries} query={list} page="deliveries" parameters={{ account_id: id }}>
      {(items) => <DeliveryTable items={items} />}
    </Latest>
  );
}

export function LatestAudit({ id }: { id: number }) {
  const t = useTexts(accounts);
  const list = useQuery(adminAuditOptions({ query: { about_account_id: id, limit: LIMIT } }));
  return (
    <Latest title={t.audit} none={t.noAudit} query={list} page="audit" parameters={{ about_account_id: id }}>
      {(items) => (
        <ol class="plain-list">
          {items.map((entry) => (
            <AuditLine key={entry.audit_id} entry={entry} />
          ))}
        </ol>
      )}
    </Latest>
  );
}

interface LatestProps<Item> {
  title: string;
  none: string;
  query: UseQueryResult<{ items: Item[]; next?: string }, unknown>;
  page: string;
  parameters: Record<string, number>;
  children: (items: Item[]) => ComponentChildren;
}

function Latest<Item>({ title, none, query, page, parameters, children }: LatestProps<Item>) {
  const t = useTexts(accounts);
  return (
    <section class="sheet">
      <div class="row spread">
        <h2>{title}</h2>
        <Link href={withParameters(href('staffPage', { page }), parameters)} aria-label={`${t.showAll}: ${title}`}>
          {t.showAll}
        </Link>
      </div>
      <Loaded query={query}>
        {(list) => (list.items.length === 0 ? <p class="faint">{none}</p> : <>{children(list.items)}</>)}
      </Loaded>
    </section>
  );
}
