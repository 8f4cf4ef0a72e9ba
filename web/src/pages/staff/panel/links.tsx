// Links between sections, and facts.

import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { href } from '../../../routes';

export function AccountLink({ id, name }: { id: number; name?: string | undefined }) {
  return <Link href={href('staffItem', { page: 'accounts', id })}>{name ?? `#${id}`}</Link>;
}

/** The last characters of a long id tell ids apart; the whole one is in the tooltip of the link. */
export function PaymentLink({ id }: { id: string }) {
  return (
    <Link href={href('staffItem', { page: 'payments', id })} title={id}>
      <code>…{id.slice(-12)}</code>
    </Link>
  );
}

export function ShortId({ id }: { id: string }) {
  return <code title={id}>…{id.slice(-12)}</code>;
}

/** Names and values. A value that is missing has no row. */
export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(
        ([name, value], place) =>
          value !== undefined &&
          value !== null &&
          value !== false && (
            <div key={place} class="fact">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
