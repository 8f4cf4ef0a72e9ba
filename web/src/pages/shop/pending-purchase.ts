// A purchase without a known outcome. It is kept with its Idempotency-Key for all tabs of the browser, also after the
// browser was closed. While it exists, the cart cannot be changed: another body would be another purchase.

import { Stored } from '../../api/stored';
import type { AccountId, NewPurchase } from '../../sdk';

export interface PendingPurchase {
  key: string;
  body: NewPurchase;
  /** Milliseconds since 1970. */
  startedAt: number;
}

/** The server keeps outcomes for 30 days by default. An older purchase must not be sent again. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

function storedFor(accountId: AccountId): Stored<PendingPurchase> {
  return new Stored(`guildhall.purchase.${accountId}`);
}

function ifRecent(purchase: PendingPurchase | undefined): PendingPurchase | undefined {
  return purchase && Date.now() - purchase.startedAt < KEPT_MS ? purchase : undefined;
}

export function usePendingPurchase(accountId: AccountId): PendingPurchase | undefined {
  return ifRecent(storedFor(accountId).use());
}

/** The purchase to send: the pending one if there is one, also if another tab has started it. */
export function startPurchase(accountId: AccountId, body: NewPurchase): PendingPurchase {
  const pending = ifRecent(storedFor(accountId).read());
  if (pending) return pending;
  const purchase = { key: crypto.randomUUID(), body, startedAt: Date.now() };
  storedFor(accountId).write(purchase);
  return purchase;
}

/** Forgets the purchase after its outcome is known. False if another tab has done it. */
export function endPurchase(accountId: AccountId, key: string): boolean {
  if (storedFor(accountId).read()?.key !== key) return false;
  storedFor(accountId).write(undefined);
  return true;
}
