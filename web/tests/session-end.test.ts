// Commands without an outcome after the end of a session. This needs no browser and no site.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { pendingCommand, startCommand } from '../src/api/pending';
import { accessToken, forgetToken, replaceToken, setToken } from '../src/api/token';
import { client } from '../src/sdk/client.gen';
import { TestStorage } from './storage';

const NAME = 'coins.adjust/7';

/** How the api replies. */
let reply: (response: ServerResponse) => void;
const server = createServer((_, response) => reply(response));

/** The session of a page, after what Node lacks was replaced. */
async function openPage() {
  Object.assign(globalThis, {
    localStorage: new TestStorage(),
    sessionStorage: new TestStorage(),
    navigator: { locks: { request: (_: string, action: () => unknown) => Promise.resolve(action()) } },
    BroadcastChannel: class {
      postMessage = () => undefined;
    },
  });
  return import('../src/api/session');
}

let session: Awaited<ReturnType<typeof openPage>>;

before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  client.setConfig({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  session = await openPage();
});
after(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  forgetToken();
  setToken('token', 600, 1);
  startCommand(NAME, { coins: 500 }, false);
});

test('a session that the server ends keeps the commands of its account', async () => {
  reply = refuse;
  assert.equal(await replaceToken('token', 1), undefined);
  assert.equal(await accessToken(), undefined, 'the session has ended');
  assert.equal(pendingCommand(NAME), undefined);
  setToken('other', 600, 2);
  assert.equal(pendingCommand(NAME), undefined);
  setToken('next', 600, 1);
  assert.ok(pendingCommand(NAME));
});

test('a log-out forgets all commands', async () => {
  reply = (response) => response.writeHead(204).end();
  assert.ok(await session.logOut());
  setToken('next', 600, 1);
  assert.equal(pendingCommand(NAME), undefined);
});

function refuse(response: ServerResponse): void {
  const problem = { status: 401, code: 'refresh_token_reused', title: 'Reused', detail: 'The session has ended.' };
  response.writeHead(401, { 'Content-Type': 'application/problem+json' }).end(JSON.stringify(problem));
}
