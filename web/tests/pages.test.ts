// Each page: no violation of accessibility rules and no sideways scrolling, in both themes, three languages and two widths.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overflow, violations } from './accessibility';
import { leave, logIn, newVisitor, open, useBrowser } from './browser';
import { credentials, IS_SHORT, type StaffRole } from './site';

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
const LANGUAGES = IS_SHORT ? ['en'] : ['en', 'pt', 'es'];
const WIDTHS = IS_SHORT ? [320] : [320, 1280];

useBrowser();

for (const [role, paths] of Object.entries(PAGES)) {
  for (const language of LANGUAGES) {
    test(`pages of a ${role} in ${language}`, async () => {
      const visitor = await newVisitor({ language });
      const { page } = visitor;
      if (role !== 'guest') {
        const { name, secret } = credentials(role as StaffRole);
        await logIn(page, name, secret);
      }
      const faults: string[] = [];
      for (const path of role === 'admin' ? await staffPages(page) : paths) {
        await open(page, path);
        for (const theme of THEMES) {
          await page.emulateMedia({ colorScheme: theme });
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 900 });
            const found = [
              ...(await violations(page)),
              ...(await overflow(page)).map((element) => `sticks out: ${element}`),
            ];
            faults.push(...found.map((fault) => `${path} ${theme} ${width}: ${fault}`));
          }
        }
      }
      assert.deepEqual(faults, []);
      await leave(visitor);
    });
  }
}

/** The links of the panel's navigation. */
async function staffPages(page: import('playwright-core').Page): Promise<string[]> {
  await open(page, '/staff');
  const links = await page
    .locator('main a[href^="/staff"]')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  return [...new Set(['/staff', ...links.filter((link) => link !== null)])];
}
