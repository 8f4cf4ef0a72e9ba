// A purchase without a known outcome, as several tabs see it. This needs no browser and no site.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { endPurchase, endUnsentPurchase, startPurchase } from '../src/pages/shop/pending-purchase';
import { TestStorage } from './storage';

const ACCOUNT = 1;
const HOUR_MS = 60 * 60 * 1000;
const torch = { character_name: 'Ada', lines: [{ offer_id: 1, quantity: 1, expected_price: 50 }] };
const potion = { character_name: 'Ada', lines: [{ offer_id: 2, quantity: 1, expected_price: 25 }] };

beforeEach(() => void Object.assign(globalThis, { localStorage: new TestStorage() }));

test('a purchase is sent with its key until its outcome is known', () => {
  const first = startPurchase(ACCOUNT, torch);
  assert.deepEqual(startPurchase(ACCOUNT, potion), { ...first, isRepeated: true });
  assert.ok(endPurchase(ACCOUNT, first.key));
  assert.ok(!endPurchase(ACCOUNT, first.key), 'another tab has done it');
  const next = startPurchase(ACCOUNT, potion);
  assert.deepEqual(next.body, potion);
  assert.notEqual(next.key, first.key);
});

test('a purchase is not pending after its only request was not accepted', () => {
  const first = startPurchase(ACCOUNT, torch);
  endUnsentPurchase(ACCOUNT, first.key);
  assert.notEqual(startPurchase(ACCOUNT, torch).key, first.key);
});

test('a purchase that two tabs have sent stays pending after one request was not accepted', () => {
  const first = startPurchase(ACCOUNT, torch);
  startPurchase(ACCOUNT, torch);
  endUnsentPurchase(ACCOUNT, first.key);
  assert.equal(startPurchase(ACCOUNT, torch).key, first.key);
});

test('a purchase is kept for less than a day, because the server may forget its key', () => {
  const first = startPurchase(ACCOUNT, torch);
  const [name = ''] = Object.keys(localStorage);
  localStorage.setItem(name, JSON.stringify({ ...first, startedAt: Date.now() - 23.5 * HOUR_MS }));
  assert.notEqual(startPurchase(ACCOUNT, torch).key, first.key);
});
