// Unsaved input of a form. It survives a reload and a new log-in in this tab.

import { useEffect, useState } from 'preact/hooks';
import { useAccount } from '../../../api/account';

const PREFIX = 'guildhall.draft.';

/** What the editor has, and the stored record that it began with. */
export interface Draft<Values> {
  values: Values;
  /** The version to expect when it is saved. Missing: a new record. */
  version?: number | undefined;
  /** The values of that version. */
  base: Values;
}

interface DraftOf<Values> {
  draft: Draft<Values>;
  /** Whether the values differ from those of the stored record. */
  isChanged: boolean;
  change: (values: Partial<Values>) => void;
  /** Replaces the draft, such as by a version that was just saved. */
  replace: (draft: Draft<Values>) => void;
}

/** The draft of this name. `stored` is the record as it was loaded; a draft with changes is kept instead. */
export function useDraft<Values>(name: string, stored: Draft<Values>): DraftOf<Values> {
  const account = useAccount();
  const key = `${PREFIX}${account?.account_id ?? 0}.${name}`;
  const [draft, setDraft] = useState(() => read<Values>(key) ?? stored);
  const isChanged = !equal(draft.values, draft.base);
  useEffect(() => {
    if (isChanged) sessionStorage.setItem(key, JSON.stringify(draft));
    else sessionStorage.removeItem(key);
  }, [key, draft, isChanged]);
  useEffect(() => {
    // Without unsaved input, the form shows the newest version.
    if (!isChanged && stored.version !== draft.version) setDraft(stored);
  }, [stored.version]);
  return {
    draft,
    isChanged,
    change: (values) => setDraft((current) => ({ ...current, values: { ...current.values, ...values } })),
    replace: setDraft,
  };
}

function read<Values>(key: string): Draft<Values> | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as Draft<Values>);
}

export function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
