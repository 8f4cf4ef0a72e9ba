// The session of a browser, while something between it and the api responds instead.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { leave, logIn, newVisitor, open, useBrowser } from './browser';
import { credentials } from './site';

useBrowser();

for (const status of [403, 520]) {
  test(`a ${status} of a proxy does not end the session`, async () => {
    const visitor = await newVisitor();
    const { page } = visitor;
    const { name, secret } = credentials('player');
    await logIn(page, name, secret);
    const refreshes = await replyWith(page, '**/api/auth/cookie/refresh', status);
    await page.reload();
    while (refreshes() < 2) await page.waitForResponse('**/api/auth/cookie/refresh');
    await page.unroute('**/api/auth/cookie/refresh');
    await page.locator('.menu').waitFor(); // the page has tried again

    await replyWith(page, '**/api/auth/cookie', status);
    const alerted = page.waitForEvent('dialog');
    await page.locator('.menu > summary').click();
    await page.locator('.menu-items button').last().click();
    const alert = await alerted;
    assert.match(alert.message(), /still logged in/);
    await alert.accept();
    await open(page, '/account');
    await page.locator('.menu').waitFor();
    await leave(visitor);
  });
}

/** Replies in place of the site, with a page as proxies have it. Returns how often it has done so. */
async function replyWith(page: Page, address: string, status: number): Promise<() => number> {
  let count = 0;
  await page.route(address, (route) => {
    count += 1;
    return route.fulfill({ status, contentType: 'text/html', body: '<!doctype html><title>proxy</title>' });
  });
  return () => count;
}
