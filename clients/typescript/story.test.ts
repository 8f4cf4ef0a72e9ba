/** Runs the scenario on a running site, then checks the site by plain HTTP, independently of the SDK. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import vm from 'node:vm';
import { build } from 'esbuild';
import { accountVerifyEmail, type Problem } from './generated';
import { type Client, createClient } from './generated/client';
import { siteOf } from './site';
import { completed, logIn, outcome, Refused, runScenario, StillPending } from './story';

const site = siteOf(process.env);

test('the scenario', async (t) => {
  const lines: string[] = [];
  const result = await runScenario(site, (line) => lines.push(line));

  await t.test('prints each step', () => {
    const { guild, post, offer, founder } = result;
    const suffix = founder.login.replace('founder_', '');
    const [ada, bo] = guild.members;
    const expected = [
      `registered founder_${suffix} and friend_${suffix}`,
      `verified founder_${suffix} and friend_${suffix}`,
      'logged in',
      `friend_${suffix} logged in with a second factor`,
      `created ${ada} and ${bo}`,
      `the game reports level 50 for ${ada}`,
      `${ada} was killed by a dragon lord, once for two reports`,
      `created ${guild.name} (guild ${guild.id}), once for two equal requests`,
      `the game learns of ${guild.name}`,
      `invited ${bo}; a second invite is refused: already_invited`,
      `${bo} accepted`,
      `${guild.name}, one of N guilds, has 2 members`,
      'the message of the day was accepted, then applied',
      `published post ${post.id}: ${post.title}`,
      `on sale: 5 x ${offer.name} for 50 coins`,
      `paid 10.00 BRL by QR code: 100 coins`,
      `bought and delivered: 1 x ${offer.name}`,
      'listed 1 payment, and the changes of coins: purchase -50, credit 100',
    ];
    assert.deepEqual(
      lines.map((line) => line.replace(/one of \d+ guilds/, 'one of N guilds')),
      expected,
    );
  });

  await t.test('has the promised responses', () => {
    assert.deepEqual(result.refusal, { code: 'already_invited', status: 409 });
    assert.deepEqual(result.motdChange, { atFirst: 'pending', atLast: 'applied' });
    assert.equal(result.payment.status, 'paid');
    assert.equal(result.delivery.status, 'delivered');
  });

  await t.test('verifies the address', async () => {
    type Account = { email: string; email_verified: boolean };
    const { email, email_verified } = await get<Account>('/accounts/me', await logInByHttp(result.founder));
    assert.deepEqual({ email, email_verified }, { email: `${result.founder.login}@example.org`, email_verified: true });
  });

  await t.test('creates a guild with two members', async () => {
    type View = { guild_id: number; motd: string; members: { name: string; rank: string; level: number }[] };
    const view = await get<View>(`/guild/view/${encodeURIComponent(result.guild.name)}`);
    assert.equal(view.guild_id, result.guild.id);
    assert.equal(view.motd, 'Torches are on the left, at the door.');
    const [ada, bo] = result.guild.members;
    assert.deepEqual(
      view.members.map(({ name, rank, level }) => ({ name, rank, level })),
      [
        { name: ada, rank: 'leader', level: 50 },
        { name: bo, rank: 'member', level: 1 },
      ],
    );
  });

  await t.test('publishes a post', async () => {
    const post = await get<{ title: string; author: string }>(`/news/find/${result.post.id}`);
    assert.equal(post.title, result.post.title);
    assert.equal(post.author, site.editor.login);
  });

  await t.test('puts an offer on sale', async () => {
    type Offers = { items: { offer_id: number; name: string; price: number; grants: unknown[] }[] };
    const { items } = await get<Offers>(`/shop/offers?category_id=${result.offer.categoryId}`);
    const [offer] = items;
    assert.equal(items.length, 1);
    assert.equal(offer?.offer_id, result.offer.id);
    assert.equal(offer.name, result.offer.name);
    assert.equal(offer.price, 50);
    assert.deepEqual(offer.grants, [{ kind: 'item', id: '2920', count: 1 }]);
  });

  await t.test('credits coins for money and spends some', async () => {
    type Charges = { charges: { pixCopiaECola: string; status: string; pix: { valor: string }[] }[] };
    const { charges } = await json<Charges>(fetch(`${site.bankUrl}/sandbox/charges?limit=1000`));
    const charge = charges.find(({ pixCopiaECola }) => pixCopiaECola === result.payment.payload);
    assert.equal(charge?.status, 'CONCLUIDA');
    assert.deepEqual(
      charge.pix.map(({ valor }) => valor),
      ['10.00'],
    );

    const authorization = await logInByHttp(result.founder);
    const packages = await get<{ items: { coins: number }[] }>('/payments/packages');
    const { coins } = await get<{ coins: number }>('/accounts/me', authorization);
    assert.equal(result.payment.coins, packages.items[0]?.coins);
    assert.equal(coins, result.payment.coins - 50);
    assert.equal(coins, result.delivery.coinsLeft);

    type Purchases = { items: { lines: { delivery_id: string; status: string }[] }[] };
    const { items } = await get<Purchases>('/shop/purchases/1/10', authorization);
    const lines = items.flatMap(({ lines }) => lines.map(({ delivery_id, status }) => ({ delivery_id, status })));
    assert.deepEqual(lines, [{ delivery_id: result.delivery.id, status: 'delivered' }]);
  });

  await t.test('refuses a wrong password with a typed problem', async () => {
    const attempt = logIn(site.url, { ...result.founder, password: 'not the password' });
    await assert.rejects(attempt, (error) => {
      assert.ok(error instanceof Refused);
      assert.equal(error.problem.code, 'wrong_credentials');
      assert.equal(error.problem.status, 401);
      return true;
    });
  });
});

test('the scenario runs in a browser', async () => {
  // esbuild fails if a file imports a module of Node.
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

  // A separate global scope with the browser features that the scenario needs, and nothing of Node.
  const scope = {
    AbortController,
    clearTimeout,
    crypto,
    fetch,
    FormData,
    Headers,
    Request,
    Response,
    setTimeout,
    TextDecoderStream,
    URLSearchParams,
  };
  const { runScenario } = vm.runInNewContext(`${code}; sdk`, scope) as typeof import('./story');
  const result = await runScenario(site, () => {});
  assert.equal(result.delivery.status, 'delivered');
});

test('a command without an outcome is polled until it has one', async () => {
  const polls = [
    { status: 503, body: { code: 'unavailable' } },
    { status: 200, body: { operation_id: PENDING.operation_id, status: 'pending' } },
    { status: 200, body: { operation_id: PENDING.operation_id, status: 'applied', result: { token: 'kept' } } },
  ];
  const reply = (request: IncomingMessage) =>
    request.method === 'POST' ? { status: 202, body: PENDING } : polls.shift();
  await withReplies(reply, async (client) => {
    const result = await outcome(client, accountVerifyEmail({ client, body: { token: '' } }));
    assert.deepEqual(result, { token: 'kept' });
  });
  assert.equal(polls.length, 0);
});

test('a command that is refused later is a typed problem', async () => {
  const problem = { code: 'not_enough_coins', detail: 'The account has too few coins.', status: 409 };
  const refused = { operation_id: PENDING.operation_id, status: 'refused', problem };
  await withReplies(
    () => ({ status: 200, body: refused }),
    (client) => assert.rejects(completed(client, PENDING.operation_id), new Refused(problem as Problem)),
  );
});

test('a command that stays pending is an error with its id', async () => {
  await withReplies(
    () => ({ status: 200, body: PENDING }),
    (client) => assert.rejects(completed(client, PENDING.operation_id, 100), new StillPending(PENDING.operation_id)),
  );
});

test('an unreachable site ends the program with one clear line', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  server.close(); // nothing listens there any more
  const url = `http://127.0.0.1:${address.port}`;
  const line = `The scenario failed: POST ${url}/accounts/register gets no response; is the site running?\n`;
  assert.deepEqual(await runMain({ GUILDHALL_URL: url }), { code: 1, stdout: '', stderr: line });
});

test('a missing secret ends the program with one clear line', async () => {
  const secrets = ['EDITOR', 'EDITOR_PASSWORD', 'MERCHANT', 'MERCHANT_PASSWORD', 'GAME_TOKEN'];
  for (const name of secrets.map((secret) => `GUILDHALL_${secret}`)) {
    const line = `The scenario failed: ${name} is not set; \`./dev sdk typescript story\` sets it\n`;
    assert.deepEqual(await runMain({ [name]: '' }), { code: 1, stdout: '', stderr: line });
  }
});

const PENDING = { operation_id: '0192f0c1-2a3b-7c4d-8e5f-60718293a4b5', status: 'pending' };

/** Runs `action` with a client of a server that replies in this way. */
async function withReplies(
  reply: (request: IncomingMessage) => { status: number; body: object } | undefined,
  action: (client: Client) => Promise<void>,
) {
  const server = createHttpServer((request, response) => {
    const { status, body } = reply(request) ?? { status: 500, body: {} };
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await action(createClient({ baseUrl: `http://127.0.0.1:${port}` }));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Runs the program with other environment variables. */
async function runMain(environment: Record<string, string>) {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.js')], { env });
  const closed = once(child, 'close') as Promise<[code: number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}

// The shapes of the responses are written by hand here, independently of the SDK.
const get = <Body>(path: string, init?: RequestInit) => json<Body>(fetch(`${site.url}${path}`, init));

async function logInByHttp(credentials: { login: string; password: string }) {
  const { access_token } = await json<{ access_token: string }>(
    fetch(`${site.url}/auth`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(credentials),
    }),
  );
  return { headers: { Authorization: `Bearer ${access_token}` } };
}

async function json<Body>(call: Promise<Response>): Promise<Body> {
  const response = await call;
  assert.equal(response.status, 200, response.url);
  return (await response.json()) as Body;
}
