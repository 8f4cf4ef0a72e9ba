// The payments that this browser has started. The API has no list of a player's payments.

import { Stored } from '../../api/stored';
import type { AccountId, PaymentId } from '../../sdk';

interface RememberedPayment {
  id: PaymentId;
  /** Milliseconds since 1970. */
  startedAt: number;
}

/** The API allows fewer open payments per account. */
const MOST_REMEMBERED = 25;
/** Money for an older payment is found on its own page, whose address the browser's history has. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

function storedFor(accountId: AccountId): Stored<RememberedPayment[]> {
  return new Stored(`guildhall.payments.${accountId}`);
}

function isRecent({ startedAt }: RememberedPayment): boolean {
  return Date.now() - startedAt < KEPT_MS;
}

/** Newest first. */
export function useRememberedPayments(accountId: AccountId): RememberedPayment[] {
  return (storedFor(accountId).use() ?? []).filter(isRecent);
}

export function rememberPayment(accountId: AccountId, id: PaymentId): void {
  const others = (storedFor(accountId).read() ?? []).filter((payment) => payment.id !== id && isRecent(payment));
  storedFor(accountId).write([{ id, startedAt: Date.now() }, ...others].slice(0, MOST_REMEMBERED));
}

export function forgetPayment(accountId: AccountId, id: PaymentId): void {
  const others = (storedFor(accountId).read() ?? []).filter((payment) => payment.id !== id);
  storedFor(accountId).write(others.length === 0 ? undefined : others);
}
