// Requests while the api does not respond, or refuses the token. This needs no browser and no site.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { answerOf } from '../src/api/answer';
import { createClientConfig } from '../src/api/client';
import { forgetToken, onRenewal, setToken } from '../src/api/token';
import { createClient, createConfig } from '../src/sdk/client';

test('a request whose token cannot be renewed has no response', async () => {
  setToken('old', 600);
  onRenewal(() => Promise.resolve(false));
  const { response, error } = await sent((_, reply) => reply.writeHead(401).end());
  assert.equal(response, undefined);
  assert.ok(error instanceof Error);
});

test('a request after the end of the session is refused', async () => {
  setToken('old', 600);
  onRenewal(() => {
    forgetToken();
    return Promise.resolve(false);
  });
  const { response } = await sent((_, reply) => reply.writeHead(401).end());
  assert.equal(response?.status, 401);
});

test('a request whose token has expired is sent again with the new one', async () => {
  setToken('old', 600);
  onRenewal(() => {
    setToken('new', 600);
    return Promise.resolve(true);
  });
  const { response } = await sent((request, reply) =>
    reply.writeHead(request.headers.authorization === 'Bearer new' ? 204 : 401).end(),
  );
  assert.equal(response?.status, 204);
});

test('a body that ends too early is no response', async () => {
  setToken('old', 600);
  const { data, response, error } = await sent((_, reply) => {
    reply.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 });
    reply.write('{"status":', () => reply.destroy());
  });
  assert.equal(data, undefined);
  assert.equal(response, undefined);
  assert.ok(error instanceof Error);
});

/** The answer of a request with a token to a server that replies in this way. */
async function sent(reply: RequestListener) {
  const server = createServer(reply).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({ ...createClientConfig(createConfig()), baseUrl });
  try {
    return await answerOf<unknown>(
      client.post({ url: '/', body: { name: 'Amber Circle' }, security: [{ scheme: 'bearer', type: 'http' }] }),
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
