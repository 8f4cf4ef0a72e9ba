// One entry of the audit log, in words.

import { Link } from 'wouter-preact';
import { useTexts } from '../../../language/language';
import { Money, Time } from '../../../look/values';
import { href } from '../../../routes';
import type { AuditChange, AuditEntry, Money as MoneyValue } from '../../../sdk';
import { AccountLink, Facts, PaymentLink, ShortId } from '../panel/links';
import { panel } from '../panel/texts';
import { amountOf } from '../payments/money';
import { difference } from '../versions/difference';
import { Difference } from '../versions/difference-view';
import { versions } from '../versions/texts';
import { actions } from './actions';
import { fields } from './fields';
import { audit } from './texts';

type Texts = (typeof audit)['en'];

export function AuditLine({ entry }: { entry: AuditEntry }) {
  const t = useTexts(audit);
  const p = useTexts(panel);
  const names = useTexts(fields);
  const nameOf = (field: string): string => {
    // An entry about a new order has a field for each moved category or offer.
    const id = /^(?:offer|category)_(\d+)\.position$/.exec(field)?.[1];
    return id === undefined ? (names[field] ?? field) : t.positionOf(id);
  };
  const actionName = useTexts(actions)[entry.action] ?? entry.action;
  const details = (entry.details ?? {}) as Record<string, unknown>;
  const ofEntry = { before: details['currency'], after: details['currency'] };
  const currency = entry.changes.find(({ field }) => field === 'currency') ?? ofEntry;
  return (
    <li class="audit-entry">
      <div class="row spread">
        <h2 class="audit-action">{actionName}</h2>
        <span class="faint">
          <Time at={entry.done_at} />
        </span>
      </div>
      <p class="row faint">
        <span>
          {t.by}: {entry.account_id === undefined ? p.operator : <AccountLink id={entry.account_id} />}
        </span>
        <span>{t.entry(entry.audit_id)}</span>
      </p>
      <Facts
        facts={[
          ...Object.entries(details).map(
            ([name, value]) => [names[name] ?? name, <Detail key={name} name={name} value={value} />] as const,
          ),
          ...entry.changes.map(
            (change) =>
              [nameOf(change.field), <Change key={change.field} change={withPrice(change, currency, t)} />] as const,
          ),
        ]}
      />
    </li>
  );
}

function Detail({ name, value }: { name: string; value: unknown }) {
  if (typeof value === 'number') {
    if (name === 'account_id' || name === 'author_id' || name === 'owner_id') return <AccountLink id={value} />;
    if (name === 'post_id') return <ItemLink page="news" id={value} />;
    if (name === 'offer_id') return <ItemLink page="offers" id={value} />;
    if (name === 'category_id') return <ItemLink page="categories" id={value} />;
  }
  if (typeof value === 'string') {
    if (name === 'payment_id') return <PaymentLink id={value} />;
    if (name.endsWith('_id')) return <ShortId id={value} />;
  }
  return <Value value={value} />;
}

function ItemLink({ page, id }: { page: string; id: number }) {
  return <Link href={href('staffItem', { page, id })}>#{id}</Link>;
}

/** The prices of packages and rates are numbers of minor units (cents), and their currency is another field. */
function withPrice(change: AuditChange, currency: Pick<AuditChange, 'before' | 'after'>, t: Texts): AuditChange {
  if (change.field !== 'amount') return change;
  const priceOf = (minorUnits: unknown, code: unknown): unknown => {
    if (typeof minorUnits !== 'number') return minorUnits;
    // An edit that keeps the currency has no field for it.
    return typeof code === 'string' ? { amount: amountOf(minorUnits, code), currency: code } : t.minorUnits(minorUnits);
  };
  return { ...change, before: priceOf(change.before, currency.before), after: priceOf(change.after, currency.after) };
}

/** A time as the API writes it (RFC 3339). Another text may begin with one. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** A value of any kind, as text. */
function Value({ value }: { value: unknown }) {
  const t = useTexts(audit);
  if (value === undefined || value === null) return <span class="faint">{t.nothing}</span>;
  if (typeof value === 'boolean') return <>{value ? t.yes : t.no}</>;
  if (typeof value === 'number') return <span class="number">{value}</span>;
  if (value === '') return <span class="faint">{t.nothing}</span>;
  if (typeof value === 'string') return INSTANT.test(value) ? <Time at={value} /> : <>{value}</>;
  if (isMoney(value)) return <Money value={value} />;
  const grants = Array.isArray(value) ? value.map(grantText) : undefined;
  return <>{grants?.every((text) => text !== undefined) ? grants.join(', ') : <code>{JSON.stringify(value)}</code>}</>;
}

function isMoney(value: object): value is MoneyValue {
  return 'amount' in value && 'currency' in value;
}

function grantText(value: unknown): string | undefined {
  const grant = value as { kind?: unknown; id?: unknown; count?: unknown } | null;
  if (typeof grant !== 'object' || typeof grant?.kind !== 'string' || typeof grant.count !== 'number') return undefined;
  return `${grant.count} × ${grant.kind} ${String(grant.id)}`;
}

/** A text that is longer is compared line by line. */
const SHORT = 120;

function Change({ change: { before, after, erased_at } }: { change: AuditChange }) {
  const t = useTexts(audit);
  if (erased_at !== undefined) {
    return (
      <>
        <span class="tag warning">{t.erased}</span> <Time at={erased_at} />
      </>
    );
  }
  const isLong = [before, after].some(
    (value) => typeof value === 'string' && (value.length > SHORT || value.includes('\n')),
  );
  if (isLong) return <LongChange before={textOf(before)} after={textOf(after)} />;
  if (before === undefined || after === undefined) return <Value value={before ?? after} />;
  return (
    <>
      <del>
        <Value value={before} />
      </del>{' '}
      <span aria-hidden="true">→</span>{' '}
      <ins>
        <Value value={after} />
      </ins>
    </>
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function LongChange({ before, after }: { before: string | undefined; after: string | undefined }) {
  const t = useTexts(audit);
  const v = useTexts(versions);
  return (
    <details class="details">
      <summary>{t.showText}</summary>
      {before === undefined || after === undefined ? (
        <pre class="code-block">{before ?? after}</pre>
      ) : (
        <Difference parts={difference(before, after)} heads={[v.before, v.after]} />
      )}
    </details>
  );
}
