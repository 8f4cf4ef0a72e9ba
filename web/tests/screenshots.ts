// Pictures of ten pages for the documents: both themes, on a desk and on a phone. `./dev web screenshots` runs it.

import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { logIn, newVisitor, open, openBrowser } from './browser';
import { call, credentials, tokenOf, type StaffRole } from './site';

const FOLDER = '../../docs/images/site';
const SCREENS = { desk: { width: 1200, height: 800 }, phone: { width: 390, height: 800 } } as const;

interface Shot {
  name: string;
  path: string;
  role?: Exclude<StaffRole, 'game'>;
  prepare?: (page: Page) => Promise<void>;
}

const browser = await openBrowser();
mkdirSync(FOLDER, { recursive: true });

const player = await tokenOf('player');
const payment = await startPayment();
await buy();

const SHOTS: Shot[] = [
  { name: 'front', path: '/' },
  { name: 'post', path: '/news/2' },
  { name: 'guilds', path: '/guilds' },
  { name: 'guild', path: '/guilds/Night%20Watch', role: 'player' },
  { name: 'shop', path: '/shop', role: 'player', prepare: fillCart },
  { name: 'payment', path: `/coins/${payment}`, role: 'player' },
  { name: 'purchases', path: '/purchases', role: 'player' },
  { name: 'highscores', path: '/highscores' },
  { name: 'staff-payments', path: '/staff/payments', role: 'admin' },
  { name: 'staff-health', path: '/staff/health', role: 'admin' },
];

for (const [screen, size] of Object.entries(SCREENS)) {
  for (const theme of ['light', 'dark'] as const) {
    for (const role of [undefined, 'player', 'admin'] as const) {
      const visitor = await newVisitor({ theme, ...size }, browser);
      if (role) {
        const { name, secret } = credentials(role);
        await logIn(visitor.page, name, secret);
      }
      for (const shot of SHOTS.filter((each) => each.role === role)) {
        await open(visitor.page, shot.path);
        await shot.prepare?.(visitor.page);
        // An event stream never ends.
        await visitor.page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
        await visitor.page.screenshot({
          path: `${FOLDER}/${shot.name}-${screen}-${theme}.jpg`,
          type: 'jpeg',
          quality: 80,
        });
      }
      await visitor.context.close();
    }
  }
}
await browser.close();

async function startPayment(): Promise<string> {
  const created = await call(player, 'POST', '/payments/instant/qrcode', { package_id: 2 });
  return (created as { result: { payment_id: string } }).result.payment_id;
}

/** A purchase that the game server has delivered, and one that waits. */
async function buy(): Promise<void> {
  const me = (await call(player, 'GET', '/accounts/me')) as { account_id: number };
  const coins = { account_id: me.account_id, coins: 3000, reason: 'Coins for the pictures' };
  await call(await tokenOf('admin'), 'POST', '/admin/coins/adjust', coins);
  const lines = (offer: number): object => ({
    character_name: 'Alda Stormborn',
    lines: [{ offer_id: offer, quantity: 1 }],
  });
  await call(player, 'POST', '/shop/purchase', lines(1));
  const game = credentials('game').secret;
  const leased = (await call(game, 'GET', '/game/deliveries?limit=100')) as { items: { delivery_id: string }[] };
  const delivery_ids = leased.items.map((delivery) => delivery.delivery_id);
  await call(game, 'POST', '/game/deliveries/ack', { delivery_ids });
  await call(player, 'POST', '/shop/purchase', lines(4));
}

async function fillCart(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Add to cart/ })
    .first()
    .click();
}
