// What a hostile visitor tries in a browser.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import { leave, logIn, newVisitor, open, useBrowser } from './browser';
import { call, credentials, newName, SITE, tokenOf } from './site';

/** Each would set `window.attacked` if the browser ran it. */
const SCRIPTS = [
  '<script>window.attacked = 1</script>',
  '<img src=x onerror="window.attacked = 1">',
  '"><svg onload="window.attacked = 1">',
  '[a](javascript:window.attacked=1)',
  '<iframe srcdoc="<script>parent.attacked = 1</script>"></iframe>',
];
const TEXT = SCRIPTS.join(' ');

useBrowser();

/** A site of an attacker. It has another origin, and another site in the sense of cookies. */
let attacker = '';
const server = createServer((request, response) => {
  response.setHeader('Content-Type', 'text/html');
  response.end(`<!doctype html><title>attacker</title><iframe src="${SITE.url}${request.url}"></iframe>`);
});
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  attacker = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());

test('scripts in texts of users stay texts', async () => {
  const [editor, merchant, admin] = [await tokenOf('editor'), await tokenOf('merchant'), await tokenOf('admin')];
  const post = (await call(editor, 'POST', '/news/create', {
    title: SCRIPTS[1],
    summary: TEXT.slice(0, 250),
    body: SCRIPTS.join('\n\n'),
    pinned: true,
  })) as { result: { post_id: number } };
  const category = (await call(merchant, 'POST', '/shop/category/create', {
    name: `${newName('C')} ${SCRIPTS[1]}`,
    description: TEXT,
  })) as { result: { category_id: number } };
  await call(merchant, 'POST', '/shop/item/create', {
    category_id: category.result.category_id,
    name: SCRIPTS[2],
    description: TEXT,
    price: 1,
    grants: [{ kind: 'item', id: SCRIPTS[1]?.slice(0, 60), count: 1 }],
    unlimited: true,
  }).catch(() => undefined); // an id with other rules is refused; the rest is tried
  const player = await tokenOf('player');
  const me = (await call(player, 'GET', '/accounts/me')) as { account_id: number };
  const guild = (await call(player, 'GET', '/guild/view/Night%20Watch')) as { guild_id: number };
  await call(player, 'POST', '/guild/change-motd', { guild_id: guild.guild_id, motd: TEXT.slice(0, 250) });
  await call(player, 'POST', '/guild/change-description', { guild_id: guild.guild_id, description: TEXT });
  await call(admin, 'POST', '/admin/accounts/add-note', { account_id: me.account_id, text: TEXT });

  const visitor = await newVisitor();
  const { page } = visitor;
  const { name, secret } = credentials('admin');
  await logIn(page, name, secret);
  const paths = ['/', `/news/${post.result.post_id}`, '/guilds', '/guilds/Night%20Watch', '/shop', '/staff/posts'];
  for (const path of [...paths, '/staff/offers', `/staff/accounts/${me.account_id}`, '/staff/audit']) {
    await open(page, path);
    assert.equal(await page.evaluate(() => 'attacked' in window), false, `a script ran on ${path}`);
    assert.equal(await page.locator('main script, main iframe, main [onerror], main [onload]').count(), 0, path);
    const links = await page
      .locator('main a')
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol));
    assert.equal(links.includes('javascript:'), false, path);
  }
  await leave(visitor);
});

test('another site cannot frame the pages', async () => {
  const visitor = await newVisitor();
  await visitor.page.goto(`${attacker}/`);
  const frame = visitor.page.frames()[1];
  assert.ok(frame);
  await frame.waitForLoadState();
  assert.equal(await frame.locator('#site').count(), 0);
  await visitor.context.close(); // the refused frame is an error in the console
});

test('another site cannot use the session', async () => {
  const visitor = await newVisitor();
  const { name, secret } = credentials('player');
  await logIn(visitor.page, name, secret);
  const other = await visitor.context.newPage();
  await other.goto(`${attacker}/guilds`);
  const before = await sessionCookies(visitor.context);
  assert.equal(before.length, 1);
  await other.evaluate(
    (addresses) =>
      Promise.all(
        addresses.map((address) =>
          fetch(address, { method: 'POST', credentials: 'include', mode: 'no-cors' }).catch(() => undefined),
        ),
      ),
    [`${SITE.api}/auth/cookie/refresh`, `${SITE.api}/accounts/delete`],
  );
  assert.deepEqual(await sessionCookies(visitor.context), before, 'the session is neither renewed nor ended');
  await open(visitor.page, '/account');
  assert.equal(await visitor.page.locator('.menu').count(), 1);
  await visitor.context.close();
});

test('a link does not lead to another site after the log-in', async () => {
  for (const next of ['//attacker.example', 'https://attacker.example', '/\\attacker.example', 'javascript:alert(1)']) {
    const visitor = await newVisitor();
    const { page } = visitor;
    await open(page, `/log-in?next=${encodeURIComponent(next)}`);
    const { name, secret } = credentials('player');
    await page.locator('input[autocomplete=username]').fill(name);
    await page.locator('input[autocomplete=current-password]').fill(secret);
    await page.locator('form button[type=submit]').click();
    await page.locator('.menu').waitFor();
    assert.equal(new URL(page.url()).origin, SITE.url);
    await leave(visitor);
  }
});

test('no script can read the refresh token, and a log-out leaves nothing private', async () => {
  const visitor = await newVisitor();
  const { page, context } = visitor;
  const { name, secret } = credentials('player');
  await logIn(page, name, secret);
  const cookies = await context.cookies();
  assert.equal((await sessionCookies(context)).length, 1, 'the session has a cookie');
  for (const cookie of cookies) {
    assert.deepEqual([cookie.httpOnly, cookie.secure, cookie.sameSite], [true, true, 'Strict'], cookie.name);
  }
  const readable = await page.evaluate(() => document.cookie + JSON.stringify([localStorage, sessionStorage]));
  for (const cookie of cookies) assert.equal(readable.includes(cookie.value), false, cookie.name);
  assert.equal(/eyJ[\w-]+\./.test(readable), false, 'no access token is stored');

  await open(page, '/account');
  const email = `${name}@`;
  assert.equal((await page.locator('main').innerText()).includes(email), true);
  await page.locator('.menu > summary').click();
  await page.locator('.menu-items button').last().click();
  await page.waitForURL('/');
  await page.goBack();
  await page.locator('h1').waitFor();
  assert.equal(
    (await page.locator('body').innerText()).includes(email),
    false,
    'the page before shows nothing any more',
  );
  assert.deepEqual(await sessionCookies(context), []);
  await leave(visitor);
});

/** The refresh token of the browser, which each renewal replaces. */
async function sessionCookies(context: BrowserContext): Promise<string[]> {
  const cookies = await context.cookies();
  return cookies.filter(({ name }) => name === '__Host-guildhall-session').map(({ value }) => value);
}
