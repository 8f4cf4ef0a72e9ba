// A purchase without a known outcome. It is kept with its Idempotency-Key for all tabs of the browser, also after the
// browser was closed. While it exists, the cart cannot be changed: another body would be another purchase.

import { isKept } from '../../api/pending';
import { Stored } from '../../api/stored';
import type { AccountId, NewPurchase } from '../../sdk';

export interface PendingPurchase {
  key: string;
  body: NewPurchase;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** It was sent again, perhaps by another tab. So an earlier request may have arrived. */
  isRepeated?: boolean;
}

function storedFor(accountId: AccountId): Stored<PendingPurchase> {
  return new Stored(`guildhall.purchase.${accountId}`);
}

function ifKept(purchase: PendingPurchase | undefined): PendingPurchase | undefined {
  return purchase && isKept(purchase) ? purchase : undefined;
}

export function usePendingPurchase(accountId: AccountId): PendingPurchase | undefined {
  return ifKept(storedFor(accountId).use());
}

/** The purchase to send: the pending one if there is one, also if another tab has started it. */
export function startPurchase(accountId: AccountId, body: NewPurchase): PendingPurchase {
  const stored = storedFor(accountId);
  const pending = ifKept(stored.read());
  const purchase = pending
    ? { ...pending, isRepeated: true }
    : { key: crypto.randomUUID(), body, startedAt: Date.now() };
  stored.write(purchase);
  return purchase;
}

/** Forgets the purchase after its outcome is known. False if another tab has done it. */
export function endPurchase(accountId: AccountId, key: string): boolean {
  if (storedFor(accountId).read()?.key !== key) return false;
  storedFor(accountId).write(undefined);
  return true;
}

/** Forgets the purchase after its only request was not accepted. If another tab has sent it too, it stays pending. */
export function endUnsentPurchase(accountId: AccountId, key: string): void {
  if (!storedFor(accountId).read()?.isRepeated) endPurchase(accountId, key);
}
