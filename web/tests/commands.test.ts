// Commands without an outcome: which request is sent, with which key. This needs no browser and no site.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { beforeEach, test } from 'node:test';
import { json } from 'node:stream/consumers';
import { continuesByItself, forgetCommand, pendingCommand, startCommand } from '../src/api/pending';
import { runCommand, type CommandRequest, type CommandState } from '../src/api/run-command';
import { forgetToken, onRenewal, setToken } from '../src/api/token';
import { withLocalApi } from './local-api';
import { TestStorage } from './storage';

const NAME = 'coins.adjust/7';
const HOUR_MS = 60 * 60 * 1000;

interface Sent {
  key: string;
  body: unknown;
}

interface Run {
  outcome: CommandState<unknown>;
  sent: Sent[];
}

type Reply = (response: ServerResponse) => void;

Object.assign(globalThis, { sessionStorage: new TestStorage() });

beforeEach(() => {
  forgetCommand(NAME);
  setToken('token', 600, 1);
  onRenewal(() => Promise.resolve(false));
});

test('a command is not repeated for another account', async () => {
  const { outcome, sent } = await run({ coins: 500 }, (response) => {
    setToken('other', 600, 2);
    busy(response);
  });
  assert.equal(outcome.step, 'idle');
  assert.equal(sent.length, 1);
});

test('a pending command of another account is none', () => {
  startCommand(NAME, { coins: 500 }, false);
  assert.ok(pendingCommand(NAME));
  setToken('other', 600, 2);
  assert.equal(pendingCommand(NAME), undefined);
});

test('a command is repeated with its key', async () => {
  const { outcome, sent } = await run({ coins: 500 }, busy, applied);
  assert.equal(outcome.step, 'done');
  assert.equal(sent.length, 2);
  assert.deepEqual(sent[0], sent[1]);
  assert.equal(pendingCommand(NAME), undefined);
});

test('while an earlier command has no outcome, neither it nor another one is sent', async () => {
  const { key } = startCommand(NAME, { coins: 500 }, false);
  const { outcome, sent } = await run({ coins: 700 }, applied);
  assert.equal(outcome.step, 'earlier');
  assert.deepEqual(sent, []);
  assert.equal(pendingCommand(NAME)?.key, key);
});

test('after the outcome of an earlier command, another one is sent with a key of its own', async () => {
  for (const [reply, step] of [
    [applied, 'done'],
    [refused, 'refused'],
  ] as const) {
    const { key } = startCommand(NAME, { coins: 500 }, false);
    const repeated = await run({ coins: 500 }, reply);
    assert.equal(repeated.outcome.step, step);
    assert.deepEqual(repeated.sent, [{ key, body: { coins: 500 } }]);
    const next = await run({ coins: 700 }, applied);
    assert.equal(next.outcome.step, 'done');
    assert.deepEqual(next.sent[0]?.body, { coins: 700 });
    assert.notEqual(next.sent[0].key, key);
  }
});

test('a limit ends a command, and says how long to wait', async () => {
  const before = Date.now();
  const { outcome, sent } = await run({ coins: 500 }, limited);
  assert.ok(outcome.step === 'limited');
  assert.equal(outcome.problem.code, 'too_many_requests');
  assert.ok((outcome.retryAt ?? 0) >= before + 20_000);
  assert.equal(sent.length, 1);
  assert.equal(pendingCommand(NAME), undefined, 'it has taken no effect');
});

test('a secret that may have taken effect is sent again with its key, and is not stored', async () => {
  const secret = { password: 'old' };
  const first = await run(secret, busy, limited);
  assert.equal(first.outcome.step, 'limited');
  assert.equal(Object.keys(sessionStorage).length, 0);
  const second = await run(secret, applied);
  assert.equal(second.outcome.step, 'done');
  assert.deepEqual(second.sent[0], first.sent[0]);
});

test('a refusal without a session says nothing about an earlier request that may have arrived', async () => {
  const first = await run({ coins: 500 }, busy, withoutSession);
  assert.equal(first.outcome.step, 'unknown');
  setToken('next', 600, 1);
  const second = await run({ coins: 500 }, applied);
  assert.equal(second.outcome.step, 'done');
  assert.deepEqual(second.sent[0], first.sent[0], 'the key is kept');
});

test('a first request without a session is refused', async () => {
  const { outcome } = await run({ coins: 500 }, withoutSession);
  assert.equal(outcome.step, 'refused');
  assert.equal(pendingCommand(NAME), undefined, 'it has taken no effect');
});

test('a limit after a request that may have arrived keeps the command', async () => {
  const { outcome } = await run({ coins: 500 }, busy, limited);
  assert.ok(outcome.step === 'limited');
  assert.ok(outcome.mayHaveArrived);
  assert.ok(pendingCommand(NAME));
});

test('the same command with another captcha has the key of the first one', async () => {
  const identity = ({ name }: { name: string }): string => name;
  const first = await runAs({ identity }, { name: 'ana', solution: 'A' }, busy, limited);
  assert.equal(first.outcome.step, 'limited');
  const second = await runAs({ identity }, { name: 'ana', solution: 'B' }, applied);
  assert.equal(second.outcome.step, 'done');
  assert.deepEqual(second.sent, [{ key: first.sent[0]?.key, body: { name: 'ana', solution: 'B' } }]);
  const other = await runAs({ identity }, { name: 'bo', solution: 'B' }, applied);
  assert.notEqual(other.sent[0]?.key, first.sent[0]?.key);
});

test('a command that its page keeps has the key of the page, and is not stored', async () => {
  const kept = () => ({ key: 'of the page', accountId: 1, mayHaveArrived: false });
  const { outcome, sent } = await runAs({ kept }, { coins: 500 }, busy, withoutSession);
  assert.equal(outcome.step, 'unknown');
  assert.deepEqual(sent[0]?.key, 'of the page');
  assert.equal(Object.keys(sessionStorage).length, 0);
});

test('a command that its page has sent before may have arrived', async () => {
  const kept = () => ({ key: 'of the page', accountId: 1, mayHaveArrived: true });
  assert.equal((await runAs({ kept }, { coins: 500 }, withoutSession)).outcome.step, 'unknown');
  setToken('next', 600, 1);
  const { outcome } = await runAs({ kept }, { coins: 500 }, limited);
  assert.ok(outcome.step === 'limited' && outcome.mayHaveArrived);
});

test('a command continues by itself for some minutes, and is kept for less than a day', () => {
  const command = startCommand(NAME, { coins: 500 }, false);
  assert.ok(continuesByItself(command));
  setAge(HOUR_MS);
  assert.ok(pendingCommand(NAME));
  assert.ok(!continuesByItself(command));
  setAge(23.5 * HOUR_MS);
  assert.equal(pendingCommand(NAME), undefined);

  function setAge(age: number): void {
    command.startedAt = Date.now() - age;
    sessionStorage.setItem(`guildhall.command.${NAME}`, JSON.stringify(command));
  }
});

/** Runs a command against a server with these replies. It refuses each further request. */
async function run(body: object, ...replies: Reply[]): Promise<Run> {
  return runAs({ isSecret: 'password' in body }, body, ...replies);
}

async function runAs<Body>(options: Partial<CommandRequest<Body>>, body: Body, ...replies: Reply[]): Promise<Run> {
  const sent: Sent[] = [];
  const outcome = await withLocalApi(
    (request, response) => {
      void json(request).then((received) => {
        const reply = replies[sent.length] ?? refused;
        sent.push({ key: String(request.headers['idempotency-key']), body: received });
        reply(response);
      });
    },
    (post) => runCommand({ name: NAME, send: post, ...options }, body, () => undefined),
  );
  return { outcome, sent };
}

function applied(response: ServerResponse): void {
  end(response, 200, { operation_id: '0', status: 'applied', result: {} });
}

function busy(response: ServerResponse): void {
  end(response, 503, problem(503, 'queue_too_long'));
}

function refused(response: ServerResponse): void {
  end(response, 409, problem(409, 'not_enough_coins'));
}

function withoutSession(response: ServerResponse): void {
  forgetToken();
  end(response, 401, problem(401, 'unauthorized'));
}

function limited(response: ServerResponse): void {
  response.setHeader('Retry-After', '20');
  end(response, 429, problem(429, 'too_many_requests'));
}

function problem(status: number, code: string): object {
  return { status, code, title: code, detail: code };
}

function end(response: ServerResponse, status: number, body: object): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'Content-Type': type }).end(JSON.stringify(body));
}
