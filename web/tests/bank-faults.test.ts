// The pages of the fake bank show the faults that are set.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leave, newVisitor, useBrowser } from './browser';
import { setFaults, SITE } from './site';

useBrowser();

test('a forgotten fault stands at the head of both pages of the fake bank, and one click clears it', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  const active = page.locator('#active-faults');
  const shown = async (path: string) => {
    await page.goto(`${SITE.bank}${path}`);
    await page.waitForLoadState('networkidle');
    return active.isVisible();
  };
  assert.equal(await shown('/'), false);
  await setFaults({ notifications: { delay_ms: 1 }, mails: { stall: { probability: 0.5 } } });
  try {
    await page.getByText('notifications.delay_ms = 1, mails.stall = {"probability":0.5}').waitFor();
    assert.equal(await shown('/mails'), true);
    await page.getByRole('button', { name: 'Clear all faults' }).click();
    await active.waitFor({ state: 'hidden' });
    assert.equal(await shown('/'), false);
  } finally {
    await setFaults({});
  }
  await leave(visitor);
});
