// Each page: no violation of accessibility rules and no sideways scrolling, in both themes, three languages and two widths.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { overflow, violations } from './accessibility';
import { leave, logIn, newVisitor, open, useBrowser } from './browser';
import { credentials, IS_SHORT } from './site';

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
    '/no-such-page',
  ],
  player: [
    '/guilds/new',
    '/guilds/Amber%20Circle',
    '/invites',
    '/characters',
    '/shop',
    '/shop/cart',
    '/purchases',
    '/coins',
    '/account',
    '/account/sessions',
    '/account/security',
  ],
  admin: ['/staff'],
};

const THEMES = ['light', 'dark'] as const;
/** The short form has one theme for each role. */
const SHORT_THEMES = { guest: 'light', player: 'dark', admin: 'light' } as const;
const LANGUAGES = IS_SHORT ? ['en'] : ['en', 'pt', 'es'];
const WIDTHS = IS_SHORT ? [320] : [320, 1280];

useBrowser();

for (const role of ['guest', 'player', 'admin'] as const) {
  const paths = PAGES[role];
  for (const language of LANGUAGES) {
    for (const theme of IS_SHORT ? [SHORT_THEMES[role]] : THEMES) {
      test(`pages of a ${role} in ${language}, ${theme}`, async () => {
        const visitor = await newVisitor({ language, theme });
        const { page } = visitor;
        if (role !== 'guest') {
          const { name, secret } = credentials(role);
          await logIn(page, name, secret);
        }
        const faults: string[] = [];
        for (const path of role === 'admin' ? await staffPages(page) : paths) {
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
