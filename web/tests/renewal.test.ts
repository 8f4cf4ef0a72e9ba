// Requests while the api does not respond, or refuses the token. This needs no browser and no site.

import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import { answerOf } from '../src/api/answer';
import { refresh } from '../src/api/refresh';
import { forgetToken, onRenewal, setToken } from '../src/api/token';
import { withLocalApi } from './local-api';

test('a request whose token cannot be renewed has no response', async () => {
  setToken('old', 600, 1);
  onRenewal(() => Promise.resolve(false));
  const { response, error } = await sent((_, reply) => reply.writeHead(401).end());
  assert.equal(response, undefined);
  assert.ok(error instanceof Error);
});

test('a request after the end of the session is refused', async () => {
  setToken('old', 600, 1);
  onRenewal(() => {
    forgetToken();
    return Promise.resolve(false);
  });
  const { response } = await sent((_, reply) => reply.writeHead(401).end());
  assert.equal(response?.status, 401);
});

test('a request whose token has expired is sent again with the new one', async () => {
  setToken('old', 600, 1);
  onRenewal(() => {
    setToken('new', 600, 1);
    return Promise.resolve(true);
  });
  const { response } = await sent((request, reply) =>
    reply.writeHead(request.headers.authorization === 'Bearer new' ? 204 : 401).end(),
  );
  assert.equal(response?.status, 204);
});

test('a request is not sent again with the token of another account', async () => {
  setToken('old', 600, 1);
  onRenewal(() => {
    setToken('new', 600, 2);
    return Promise.resolve(true);
  });
  const tokens: (string | undefined)[] = [];
  const { response, error } = await sent((request, reply) => {
    tokens.push(request.headers.authorization);
    reply.writeHead(401).end();
  });
  assert.deepEqual(tokens, ['Bearer old']);
  assert.equal(response, undefined);
  assert.ok(error instanceof Error);
});

test('a token that expires soon is not replaced by that of another account', async () => {
  setToken('old', 10, 1);
  onRenewal(() => {
    setToken('new', 600, 2);
    return Promise.resolve(true);
  });
  const tokens: (string | undefined)[] = [];
  const { error } = await sent((request, reply) => {
    tokens.push(request.headers.authorization);
    reply.writeHead(204).end();
  });
  assert.deepEqual(tokens, []);
  assert.ok(error instanceof Error);
});

test('a body that ends too early is no response', async () => {
  setToken('old', 600, 1);
  const { data, response, error } = await sent((_, reply) => {
    reply.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 });
    reply.write('{"status":', () => reply.destroy());
  });
  assert.equal(data, undefined);
  assert.equal(response, undefined);
  assert.ok(error instanceof Error);
});

test('a renewal without a response is repeated at once', { timeout: 30_000 }, async () => {
  let requests = 0;
  const answer = await withLocalApi(
    (_, reply) => {
      requests += 1;
      if (requests === 2) reply.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    },
    (post) => refresh((signal) => post({}, {}, signal), 500),
  );
  assert.equal(requests, 2);
  assert.ok(answer.data);
});

test('a renewal that is refused is not repeated', async () => {
  let requests = 0;
  const { response } = await withLocalApi(
    (_, reply) => {
      requests += 1;
      reply.writeHead(403).end();
    },
    (post) => refresh((signal) => post({}, {}, signal)),
  );
  assert.equal(response?.status, 403);
  assert.equal(requests, 1);
});

/** The answer of a request with a token to a server that replies in this way. */
function sent(reply: RequestListener) {
  return withLocalApi(reply, (post) => answerOf<unknown>(post({ name: 'Amber Circle' })));
}
