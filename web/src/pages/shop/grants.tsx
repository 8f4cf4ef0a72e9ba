// What an offer contains.

import { useLanguage, useTexts } from '../../language/language';
import type { Grant, GrantKind } from '../../sdk';
import { shop } from './texts';

/** Drawings of the kinds, 24 × 24. */
const DRAWINGS: Record<GrantKind, string> = {
  item: 'M7 3h10l4 6-9 12L3 9ZM3 9h18M9 9l3 12 3-12M7 3l2 6 3-6 3 6 2-6',
  container:
    'M9 3h6M9.5 3c0 2 .5 3 .5 3h4s.5-1 .5-3M10 6C6 8 4 12 4 15c0 4 3 6 8 6s8-2 8-6c0-3-2-7-6-9M9 6h6M9 13c2 1.5 4 1.5 6 0',
  outfit: 'M9 3 3 6l2 5 2-1v11h10V10l2 1 2-5-6-3c-.5 2-1.5 3-3 3s-2.5-1-3-3ZM7 16h10',
  mount:
    'M7 20H4v-3c-1-2-1.5-4-1.5-6C2.5 6 7 3 12 3s9.5 3 9.5 8c0 2-.5 4-1.5 6v3h-3c0-2 1-5 1-8 0-3-2.5-5-6-5s-6 2-6 5c0 3 1 6 1 8ZM5 9v.01M19 9v.01M12 5v.01',
  premium_days:
    'M6 3h12M6 21h12M7.5 3v3c0 3 4.5 4 4.5 6s-4.5 3-4.5 6v3M16.5 3v3c0 3-4.5 4-4.5 6s4.5 3 4.5 6v3M9.5 18c1-1.5 4-1.5 5 0',
};

export function GrantDrawing({ kind, size }: { kind: GrantKind; size: number }) {
  return (
    <svg class="grant-drawing" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={DRAWINGS[kind]} />
    </svg>
  );
}

/** The kind that stands for the whole offer. */
export function mainKind(grants: Pick<Grant, 'kind'>[]): GrantKind {
  return grants[0]?.kind ?? 'item';
}

export function Grants({ grants }: { grants: Grant[] }) {
  const textOf = useGrantText();
  return (
    <ul class="grants plain-list">
      {grants.map((grant) => (
        <li key={`${grant.kind}/${grant.id}`}>
          <GrantDrawing kind={grant.kind} size={18} />
          {textOf(grant)}
        </li>
      ))}
    </ul>
  );
}

function useGrantText(): (grant: Grant) => string {
  const { language } = useLanguage();
  const t = useTexts(shop);
  const number = new Intl.NumberFormat(language);
  return ({ kind, id, count }) => {
    if (kind === 'premium_days') return count === 1 ? t.premiumDay : t.premiumDays(number.format(count));
    // Games number their items. An id in words is a name.
    const name = /^\d+$/.test(id) ? t.numbered[kind](id) : id;
    return count === 1 ? name : `${number.format(count)} × ${name}`;
  };
}
