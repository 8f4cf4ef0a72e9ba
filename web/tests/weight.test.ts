// What the first page of a guest costs: scripts, requests, and how much its layout moves.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { leave, newVisitor, open, useBrowser } from './browser';

const SCRIPT_KB = 120;
const API_CALLS = 3;
/** The limit of a good page: https://web.dev/articles/cls. */
const LAYOUT_SHIFT = 0.1;

useBrowser();

test('the first page needs few scripts and few requests', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await open(page, '/');
  await page.waitForLoadState('networkidle');
  const calls = addresses.filter((address) => new URL(address).pathname.startsWith('/api/'));
  assert.ok(calls.length <= API_CALLS, `the first page calls the API ${calls.length} times: ${calls.join(' ')}`);
  assert.deepEqual(
    addresses.filter((address) => new URL(address).origin !== new URL(page.url()).origin),
    [],
    'nothing comes from another site',
  );
  const scripts = addresses.filter((address) => address.endsWith('.js'));
  const bytes = scripts.map((address) => gzipSync(readFileSync(`../dist${new URL(address).pathname}`)).length);
  const kilobytes = bytes.reduce((sum, size) => sum + size, 0) / 1000;
  assert.ok(kilobytes <= SCRIPT_KB, `the first page has ${kilobytes} KB of scripts, compressed`);
  const shift = await page.evaluate(() =>
    (globalThis as unknown as { shifts: number[] }).shifts.reduce((a, b) => a + b, 0),
  );
  assert.ok(shift < LAYOUT_SHIFT, `the layout moves by ${shift}`);
  console.log(
    `first page: ${kilobytes.toFixed(1)} KB of scripts, ${calls.length} calls of the API, layout shift ${shift.toFixed(3)}`,
  );
  await leave(visitor);
});
