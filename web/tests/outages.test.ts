// Pages while a part of the site is killed: they say what happens, recover by themselves, and show no success that is not one.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { leave, logIn, newVisitor, open, useBrowser, type Visitor } from './browser';
import { call, credentials, pay, tokenOf } from './site';

const FOLDER = dirname(process.env['WEB_CREDENTIALS'] ?? '');

/** The parts of the site, each with a guild that the demo's player leads. */
const PARTS = {
  redis: 'Black Lanterns',
  api: 'Crown Guard',
  workers: 'Dawn Riders',
  rabbitmq: 'Eastern Light',
  postgres: 'Forest Wardens',
};
type Part = keyof typeof PARTS;

/** What a page says about a change that has no outcome, and about data that has not arrived. */
const CHANGE_NOTICES = /^Sending …|The same request is sent again|Accepted\. Waiting for the outcome/;
const LOADING_NOTICES = /This page tries again by itself|Loading takes longer than usual/;

/** Pages that are opened during an outage, each with a text that only its data has. */
const OPENED: Record<string, string | RegExp> = {
  '/': 'Amber Circle',
  '/guilds': 'Amber Circle',
  '/guilds/Amber%20Circle': 'Alda Ashwood',
  '/shop': 'Health potion',
  '/coins': 'A purse',
  '/account': 'mira@',
  '/purchases': /You have not bought anything yet|Alda Stormborn/,
  '/coins/history': /Your coins have not changed yet|[+-]\d+ coins/,
  '/coins/payments': /You have not started a payment yet|coins ·/,
  '/characters': 'Alda Stormborn',
};

useBrowser();

for (const [part, guild] of Object.entries(PARTS) as [Part, string][]) {
  test(`${part} is killed while a player changes a guild`, async () => {
    const visitor = await player();
    const { page } = visitor;
    await open(page, `/guilds/${encodeURIComponent(guild)}`);
    const motd = `Written while ${part} was away`;
    const saved = page.locator('main').getByText('Saved.');

    await whileKilled(part, async () => {
      await saveMotd(page, motd);
      if (part === 'redis') {
        await saved.waitFor(); // nothing but the cache is missing
      } else {
        await page.locator('main .notice', { hasText: CHANGE_NOTICES }).waitFor();
        assert.equal(await saved.count(), 0, 'no success during the outage');
      }
    });
    await saved.waitFor();
    await page.locator('main').getByText(motd, { exact: true }).waitFor();
    const seen = (await call(await tokenOf('player'), 'GET', `/guild/view/${encodeURIComponent(guild)}`)) as {
      motd: string;
    };
    assert.equal(seen.motd, motd, 'what the page shows is true');
    await leave(visitor);
  });

  test(`pages are opened while ${part} is away`, async () => {
    const visitor = await player();
    const tabs = await whileKilled(part, async () => {
      const opened = await Promise.all(Object.keys(OPENED).map((path) => tabOf(visitor, path)));
      for (const { page, path, content } of opened) {
        const notice = page.locator('main').getByText(LOADING_NOTICES);
        await (part === 'redis' ? content : content.or(notice).first()).waitFor();
        assert.equal(new URL(page.url()).pathname, path, 'the player stays on the page');
      }
      return opened;
    });
    for (const { page, content } of tabs) {
      await content.waitFor();
      await page.locator('main').getByText(LOADING_NOTICES).first().waitFor({ state: 'detached' });
      await page.locator('.banner').getByText('mira').waitFor(); // the session goes on
    }
    await leave(visitor);
  });

  test(`a player logs in while ${part} is away`, async () => {
    const visitor = await newVisitor();
    const { page } = visitor;
    const { name, secret } = credentials('player');
    await open(page, '/log-in');
    await page.locator('input[autocomplete=username]').fill(name);
    await page.locator('input[autocomplete=current-password]').fill(secret);
    const submit = page.locator('form button[type=submit]');
    const loggedIn = page.locator('.menu');
    await whileKilled(part, async () => {
      await submit.click();
      await loggedIn.or(page.locator('main .notice', { hasText: /try again/i })).waitFor();
      if (part === 'redis') await loggedIn.waitFor(); // nothing but the cache is missing
    });
    // The form still has what the player has typed. The api needs a moment to connect to the part again.
    const end = Date.now() + 60_000;
    while (Date.now() < end && !(await loggedIn.isVisible())) {
      await submit.click({ timeout: 1_000 }).catch(() => undefined); // the form is gone after the log-in
      await page.waitForTimeout(500);
    }
    await loggedIn.waitFor();
    await leave(visitor);
  });
}

for (const part of ['api', 'rabbitmq'] as const) {
  test(`${part} is killed while a payment is open`, async () => {
    const visitor = await player();
    const { page } = visitor;
    await open(page, '/coins');
    await page.getByRole('button', { name: /^Buy A purse/ }).click();
    const payload = await page.getByLabel('Code to copy').inputValue();
    const arrived = page.getByText('Your payment has arrived.');

    await whileKilled(part, async () => {
      await pay(payload);
      if (part === 'api') await page.locator('main').getByText(LOADING_NOTICES).waitFor();
      assert.equal(await arrived.count(), 0, 'no success during the outage');
    });
    await arrived.waitFor();
    await leave(visitor);
  });

  test(`${part} is killed and started before a payment is paid`, async () => {
    const visitor = await player();
    const { page } = visitor;
    await open(page, '/coins');
    await page.getByRole('button', { name: /^Buy A purse/ }).click();
    const payload = await page.getByLabel('Code to copy').inputValue();

    const streamOpened = () => page.waitForEvent('response', (response) => isStream(response.url()) && response.ok());
    // An outage of RabbitMQ does not close the stream. After an outage of the api, the page opens a new stream by itself.
    const reopened = part === 'api' ? streamOpened() : Promise.resolve();
    await whileKilled(part, () => page.waitForTimeout(500));
    await reopened;
    await pay(payload);
    await page.getByText('Your payment has arrived.').waitFor();
    await leave(visitor);
  });
}

async function player(): Promise<Visitor> {
  const visitor = await newVisitor();
  const { name, secret } = credentials('player');
  await logIn(visitor.page, name, secret);
  return visitor;
}

async function tabOf({ context }: Visitor, path: string): Promise<{ page: Page; path: string; content: Locator }> {
  const page = await context.newPage();
  await page.goto(path);
  return {
    page,
    path,
    content: page
      .locator('main')
      .getByText(OPENED[path] ?? '')
      .first(),
  };
}

async function saveMotd(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: /message of the day/i }).click();
  await page.getByRole('textbox').first().fill(text);
  await page.getByRole('button', { name: 'Save' }).click();
}

function isStream(url: string): boolean {
  return url.endsWith('/events');
}

/** Kills the part, and starts it again after `action`. */
async function whileKilled<Result>(part: Part, action: () => Promise<Result>): Promise<Result> {
  kill(part);
  try {
    return await action();
  } finally {
    start(part);
  }
}

/** Kills the part with all its processes, as `kill -9` does. */
function kill(part: Part): void {
  const [pid] = readFileSync(`${FOLDER}/${part}.pid`, 'utf8').split(' ');
  process.kill(-Number(pid), 'SIGKILL');
}

function start(part: Part): void {
  const settings = ['GUILDHALL_REQUESTS_PER_MINUTE=1000000', 'GUILDHALL_LOG_INS_PER_MINUTE=1000000'];
  const env = { ...process.env, DRILL_PROFILE: 'debug' };
  execFileSync('../../dev', ['part', part, ...settings], { env, stdio: 'pipe' });
}
