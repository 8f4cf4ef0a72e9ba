// Each page: no violation of accessibility rules and no sideways scrolling, in both themes, three languages and two widths.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { overflow, violations } from './accessibility';
import { leave, logIn, newVisitor, open, useBrowser } from './browser';
import { buyPotion, call, credentials, IS_SHORT, pay, payWithoutCharge, startPayment, tokenOf } from './site';

const PAGES: Record<'guest' | 'player' | 'admin', string[]> = {
  guest: [
    '/',
    '/news/1',
    '/guilds',
    '/guilds/Amber%20Circle',
    '/shop',
    '/shop/cart',
    '/highscores',
    '/online',
    '/deaths',
    '/deaths?character=Alda%20Ashwood',
    '/characters/Alda%20Ashwood',
    '/coins',
    '/log-in',
    '/register',
    '/forgot-password',
    '/reset-password#token=0123456789012345678901234567890123456789012',
    '/verify-email#token=0123456789012345678901234567890123456789012',
    '/undo-email-change#token=0123456789012345678901234567890123456789012',
    '/cancel-deletion#token=0123456789012345678901234567890123456789012',
    '/export#token=0123456789012345678901234567890123456789012',
    '/export',
    '/no-such-page',
  ],
  player: [
    '/guilds/new',
    '/guilds/Amber%20Circle',
    '/guilds/Night%20Watch', // the player leads it
    '/invites',
    '/characters',
    '/characters/Alda%20Stormborn', // the player's own
    '/shop',
    '/shop/cart',
    '/purchases',
    '/coins',
    '/coins/history',
    '/coins/payments',
    '/account',
    '/account/sessions',
    '/account/security',
    '/account/data',
  ],
  admin: [
    '/staff/news/new',
    '/staff/news/1',
    '/staff/categories/new',
    '/staff/categories/1',
    '/staff/offers/new',
    '/staff/offers/1',
    '/staff/packages/new',
    '/staff/packages/1',
    '/staff/audit?action=coins.adjust',
    '/staff/no-such-section',
    '/guilds/Night%20Watch',
  ],
};

const THEMES = ['light', 'dark'] as const;
/** The short form has one theme for each role. */
const SHORT_THEMES = { guest: 'light', player: 'dark', admin: 'light' } as const;
const LANGUAGES = IS_SHORT ? ['en'] : ['en', 'pt', 'es'];
const WIDTHS = IS_SHORT ? [320] : [320, 1280];

useBrowser();

/** Pages with data of their own: payments with their states, a purchase, the account of the player. */
before(async () => {
  const [player, admin] = [await tokenOf('player'), await tokenOf('admin')];
  const { account_id } = (await call(player, 'GET', '/accounts/me')) as { account_id: number };
  const [open, paid] = [await startPayment(player), await startPayment(player)];
  await pay(paid.payload);
  await payWithoutCharge('5.00');
  await call(admin, 'POST', '/admin/accounts/add-note', { account_id, text: 'A note.' });
  await buyPotion(player, 'Alda Stormborn');
  PAGES.player.push(`/coins/${open.payment_id}`, `/coins/${paid.payment_id}`);
  PAGES.admin.push(
    `/staff/accounts/${account_id}`,
    `/staff/payments/${open.payment_id}`,
    `/staff/payments/${paid.payment_id}`,
  );
});

for (const role of ['guest', 'player', 'admin'] as const) {
  const paths = PAGES[role];
  for (const language of LANGUAGES) {
    for (const theme of IS_SHORT ? [SHORT_THEMES[role]] : THEMES) {
      test(`pages as ${role} in ${language}, ${theme}`, async () => {
        const visitor = await newVisitor({ language, theme });
        const { page } = visitor;
        if (role !== 'guest') {
          const { name, secret } = credentials(role);
          await logIn(page, name, secret);
        }
        const faults: string[] = [];
        if (role === 'player') await fillCart(page);
        for (const path of role === 'admin' ? [...(await staffPages(page)), ...paths] : paths) {
          await open(page, path);
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 900 });
            const found = [
              ...(await violations(page)),
              ...(await overflow(page)).map((element) => `sticks out: ${element}`),
            ];
            faults.push(...found.map((fault) => `${path} at ${width} px: ${fault}`));
          }
        }
        assert.equal(faults.join('\n'), '');
        await leave(visitor);
      });
    }
  }
}

/** The links of the panel's navigation. */
async function staffPages(page: Page): Promise<string[]> {
  await open(page, '/staff');
  const links = await page
    .locator('main a[href^="/staff"]')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  return [...new Set(['/staff', ...links.filter((link) => link !== null)])];
}

async function fillCart(page: Page): Promise<void> {
  await open(page, '/shop');
  await page.locator('.offer-foot button').first().click();
}
