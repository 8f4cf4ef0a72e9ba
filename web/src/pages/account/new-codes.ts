// Recovery codes that the reader has not stored yet. The server shows them only once, so they stay in the memory of this page
// until the reader has confirmed that they are stored, also while another page is open.

import { useEffect, useState } from 'preact/hooks';
import type { AccountId } from '../../sdk';

interface NewCodes {
  accountId: AccountId;
  codes: string[];
}

let latest: NewCodes | undefined;
const changed = new EventTarget();

function change(next: NewCodes | undefined): void {
  latest = next;
  changed.dispatchEvent(new Event('codes'));
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

export function keepCodes(accountId: AccountId, codes: string[]): void {
  addEventListener('beforeunload', warn);
  change({ accountId, codes });
}

export function forgetCodes(): void {
  removeEventListener('beforeunload', warn);
  change(undefined);
}

/** The codes of this account that are not stored yet. */
export function useNewCodes(accountId: AccountId): string[] | undefined {
  const [current, setCurrent] = useState(latest);
  useEffect(() => {
    const update = (): void => setCurrent(latest);
    update();
    changed.addEventListener('codes', update);
    return () => changed.removeEventListener('codes', update);
  }, []);
  return current?.accountId === accountId ? current.codes : undefined;
}
