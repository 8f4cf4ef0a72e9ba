/** Tells the story at the live site, then looks at the site by plain HTTP: so the SDK cannot agree with itself. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import vm from 'node:vm';
import { build } from 'esbuild';
import { siteOf } from './site';
import { logIn, Refused, tellStory } from './story';

const site = siteOf(process.env);

test('the story', async (t) => {
  const lines: string[] = [];
  const told = await tellStory(site, (line) => lines.push(line));

  await t.test('says what happens', () => {
    const { guild, post, offer, founder } = told;
    const suffix = founder.login.replace('founder_', '');
    const [ada, bo] = guild.members;
    const said = [
      `registered founder_${suffix} and friend_${suffix}`,
      'logged in',
      `created ${ada} and ${bo}`,
      `the game says that ${ada} has reached level 50`,
      `founded ${guild.name} (guild ${guild.id}), once, though asked twice`,
      `invited ${bo}; a second invite is refused: already_invited`,
      `${bo} accepted`,
      `${guild.name}, one of N guilds, has 2 members`,
      'the message of the day was accepted, then applied',
      `published post ${post.id}: ${post.title}`,
      `on sale: ${offer.name} for 50 coins`,
      `paid 10.00 BRL by QR code: 100 coins`,
      `bought and delivered: 1 x ${offer.name}`,
    ];
    assert.deepEqual(
      lines.map((line) => line.replace(/one of \d+ guilds/, 'one of N guilds')),
      said,
    );
  });

  await t.test('was told by the API as promised', () => {
    assert.deepEqual(told.refusal, { code: 'already_invited', status: 409 });
    assert.deepEqual(told.motdChange, { atFirst: 'pending', atLast: 'applied' });
    assert.equal(told.payment.status, 'paid');
    assert.equal(told.delivery.status, 'delivered');
  });

  await t.test('made a guild of two', async () => {
    type View = { guild_id: number; motd: string; members: { name: string; rank: string; level: number }[] };
    const view = await get<View>(`/guild/view/${encodeURIComponent(told.guild.name)}`);
    assert.equal(view.guild_id, told.guild.id);
    assert.equal(view.motd, 'Torches are on the left, at the door.');
    const [ada, bo] = told.guild.members;
    assert.deepEqual(
      view.members.map(({ name, rank, level }) => ({ name, rank, level })),
      [
        { name: ada, rank: 'leader', level: 50 },
        { name: bo, rank: 'member', level: 1 },
      ],
    );
  });

  await t.test('published a post', async () => {
    const post = await get<{ title: string; author: string }>(`/news/find/${told.post.id}`);
    assert.equal(post.title, told.post.title);
    assert.equal(post.author, site.editor.login);
  });

  await t.test('put an offer on sale', async () => {
    type Offers = { items: { offer_id: number; name: string; price: number; grants: unknown[] }[] };
    const { items } = await get<Offers>(`/shop/offers?category_id=${told.offer.categoryId}`);
    const [offer] = items;
    assert.equal(items.length, 1);
    assert.equal(offer?.offer_id, told.offer.id);
    assert.equal(offer.name, told.offer.name);
    assert.equal(offer.price, 50);
    assert.deepEqual(offer.grants, [{ kind: 'item', id: '2920', count: 1 }]);
  });

  await t.test('brought coins for money, and spent some', async () => {
    type Charges = { charges: { pixCopiaECola: string; status: string; pix: { valor: string }[] }[] };
    const { charges } = await json<Charges>(fetch(`${site.bankUrl}/sandbox/charges?limit=1000`));
    const charge = charges.find(({ pixCopiaECola }) => pixCopiaECola === told.payment.payload);
    assert.equal(charge?.status, 'CONCLUIDA');
    assert.deepEqual(
      charge.pix.map(({ valor }) => valor),
      ['10.00'],
    );

    const { access_token } = await json<{ access_token: string }>(
      fetch(`${site.url}/auth`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(told.founder),
      }),
    );
    const authorization = { headers: { Authorization: `Bearer ${access_token}` } };
    const packages = await get<{ items: { coins: number }[] }>('/payments/packages');
    const { coins } = await get<{ coins: number }>('/accounts/me', authorization);
    assert.equal(told.payment.coins, packages.items[0]?.coins);
    assert.equal(coins, told.payment.coins - 50);
    assert.equal(coins, told.delivery.coinsLeft);

    type Purchases = { items: { lines: { delivery_id: string; status: string }[] }[] };
    const { items } = await get<Purchases>('/shop/purchases/1/10', authorization);
    const lines = items.flatMap(({ lines }) => lines.map(({ delivery_id, status }) => ({ delivery_id, status })));
    assert.deepEqual(lines, [{ delivery_id: told.delivery.id, status: 'delivered' }]);
  });

  await t.test('refuses a wrong password with a typed problem', async () => {
    const attempt = logIn(site.url, { ...told.founder, password: 'not the password' });
    await assert.rejects(attempt, (error) => {
      assert.ok(error instanceof Refused);
      assert.equal(error.problem.code, 'wrong_credentials');
      assert.equal(error.problem.status, 401);
      return true;
    });
  });
});

test('the story runs in a browser', async () => {
  // esbuild fails here by itself when something imports a module of Node.
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../story.ts')],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'sdk',
    write: false,
    logLevel: 'silent',
  });
  const code = outputFiles[0]?.text ?? '';
  assert.doesNotMatch(code, /\bnode:|\brequire\(|\bprocess\b|\bBuffer\b/);

  // A world of its own that has what browsers have, as far as the story needs it, and nothing of Node's.
  const world = { AbortController, crypto, fetch, FormData, Headers, Request, Response, setTimeout, URLSearchParams };
  const { tellStory } = vm.runInNewContext(`${code}; sdk`, world) as typeof import('./story');
  const told = await tellStory(site, () => {});
  assert.equal(told.delivery.status, 'delivered');
});

test('a site that does not answer ends the story with one clear line', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  server.close(); // so nobody listens there
  const url = `http://127.0.0.1:${address.port}`;
  const line = `The story ends here: POST ${url}/accounts/register gets no answer; is the site up?\n`;
  assert.deepEqual(await runMain({ GUILDHALL_URL: url }), { code: 1, stdout: '', stderr: line });
});

test('a secret that is missing ends the story with one clear line', async () => {
  const secrets = ['EDITOR', 'EDITOR_PASSWORD', 'MERCHANT', 'MERCHANT_PASSWORD', 'GAME_TOKEN'];
  for (const name of secrets.map((secret) => `GUILDHALL_${secret}`)) {
    const line = `The story ends here: ${name} is not set; \`./dev sdk typescript story\` sets it\n`;
    assert.deepEqual(await runMain({ [name]: '' }), { code: 1, stdout: '', stderr: line });
  }
});

/** The program itself, in another environment. */
async function runMain(environment: Record<string, string>) {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.js')], { env });
  const closed = once(child, 'close') as Promise<[code: number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}

// What is told here of the answers' shapes is written by hand, on purpose.
const get = <Body>(path: string, init?: RequestInit) => json<Body>(fetch(`${site.url}${path}`, init));

async function json<Body>(call: Promise<Response>): Promise<Body> {
  const response = await call;
  assert.equal(response.status, 200, response.url);
  return (await response.json()) as Body;
}
