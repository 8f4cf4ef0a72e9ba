// Unsaved input of a form. It survives a reload and a new log-in in this tab.

import { useEffect, useState } from 'preact/hooks';
import { useAccount } from '../../../api/account';

const PREFIX = 'guildhall.draft.';

/** What the editor has, and the stored record that it began with. */
export interface Draft<Values> {
  values: Values;
  /** The version to expect when it is saved. 0: a new record. */
  version: number;
  /** The values of that version. */
  base: Values;
}

export interface DraftOf<Values> {
  draft: Draft<Values>;
  /** Whether the values differ from those of the stored record. */
  isChanged: boolean;
  /** Whether the values were restored from an earlier visit of the page. */
  isRestored: boolean;
  change: (values: Partial<Values>) => void;
  /** Replaces the draft, such as by a merged one. */
  replace: (draft: Draft<Values>) => void;
  /** The fields of this body are stored now as this version. What was typed since then stays unsaved. */
  saved: (body: object, version: number) => void;
  /**
   * This body is stored now as a new record. Forgets the unsaved input if the form still has this body, and returns whether it
   * has: what was typed since then stays as another draft.
   */
  created: (body: object | undefined, sent: object) => boolean;
  /** Forgets the unsaved input. */
  discard: () => void;
}

/**
 * The draft of this name. `stored` is the record as it was loaded; a draft with changes is kept instead. `normalised` writes
 * values as the API does: another spelling is no change.
 */
export function useDraft<Values extends object>(
  name: string,
  stored: Values,
  version: number,
  normalised: (values: Values) => Values = (values) => values,
): DraftOf<Values> {
  const account = useAccount();
  const key = `${PREFIX}${account?.account_id ?? 0}.${name}`;
  const unchanged: Draft<Values> = { values: stored, version, base: stored };
  const [draft, setDraft] = useState(() => completed(read<Values>(key) ?? unchanged, stored));
  const [isRestored, setIsRestored] = useState(() => read(key) !== undefined);
  const isChanged = !equal(normalised(draft.values), draft.base);
  useEffect(() => {
    if (isChanged) sessionStorage.setItem(key, JSON.stringify(draft));
    else sessionStorage.removeItem(key);
  }, [key, draft, isChanged]);
  useEffect(() => {
    // Without unsaved input, the form shows the newest version.
    if (!isChanged && version >= draft.version && !equal(stored, draft.values)) setDraft(unchanged);
  }, [version, JSON.stringify(stored)]);
  const discard = (): void => {
    sessionStorage.removeItem(key);
    setIsRestored(false);
    setDraft(unchanged);
  };
  return {
    draft,
    isChanged,
    isRestored: isRestored && isChanged,
    change: (values) => setDraft((current) => ({ ...current, values: { ...current.values, ...values } })),
    replace: (next) => {
      setIsRestored(false);
      setDraft(next);
    },
    saved: (values, newVersion) => {
      setIsRestored(false);
      setDraft((current) => {
        const base = withFields(current.base, values);
        return { values: trimmed(current.values, base), base, version: newVersion };
      });
    },
    created: (body, sent) => {
      const isSame = equal(body, sent);
      if (isSame) discard();
      return isSame;
    },
    discard,
  };
}

/** Other fields of a body, such as its id, are no values. */
function withFields<Values extends object>(values: Values, body: object): Values {
  const known = Object.entries(body).filter(([name]) => name in values);
  return { ...values, ...Object.fromEntries(known) };
}

/** A text that differs only by spaces around it is saved. */
function trimmed<Values extends object>(values: Values, base: Values): Values {
  const kept = Object.entries(base).filter(([name, value]) => {
    const typed: unknown = values[name as keyof Values];
    return typeof typed === 'string' && typed.trim() === value;
  });
  return { ...values, ...Object.fromEntries(kept) };
}

/** The values that differ from those of the stored record. */
export function changedValues<Values extends object>({ values, base }: Draft<Values>): Partial<Values> {
  const names = Object.keys(values) as (keyof Values)[];
  return Object.fromEntries(
    names.filter((name) => !equal(values[name], base[name])).map((name) => [name, values[name]]),
  ) as Partial<Values>;
}

/** An older page did not know all fields. */
function completed<Values extends object>({ values, version, base }: Draft<Values>, stored: Values): Draft<Values> {
  return { values: { ...stored, ...values }, version, base: { ...stored, ...base } };
}

function read<Values>(key: string): Draft<Values> | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as Draft<Values>);
}

export function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
