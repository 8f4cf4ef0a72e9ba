// A page that is open while a part of the site is killed: it recovers by itself, and shows no success that is not one.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { leave, logIn, newVisitor, open, useBrowser } from './browser';
import { call, credentials, tokenOf } from './site';

const FOLDER = dirname(process.env['WEB_CREDENTIALS'] ?? '');
/** The parts of the site, each with a guild that the demo's player leads. */
const PARTS = {
  redis: 'Black Lanterns',
  api: 'Crown Guard',
  workers: 'Dawn Riders',
  rabbitmq: 'Eastern Light',
  postgres: 'Forest Wardens',
};

/** Kills the part with all its processes, as `kill -9` does. */
function kill(part: string): void {
  const [pid] = readFileSync(`${FOLDER}/${part}.pid`, 'utf8').split(' ');
  process.kill(-Number(pid), 'SIGKILL');
}

function start(part: string): void {
  execFileSync(
    '../../dev',
    ['part', part, 'GUILDHALL_REQUESTS_PER_MINUTE=1000000', 'GUILDHALL_LOG_INS_PER_MINUTE=1000000'],
    {
      env: { ...process.env, DRILL_PROFILE: 'debug' },
      stdio: 'pipe',
    },
  );
}

useBrowser();

for (const [part, guild] of Object.entries(PARTS)) {
  test(`${part} is killed while a player changes a guild`, async () => {
    const visitor = await newVisitor();
    const { page } = visitor;
    const { name, secret } = credentials('player');
    await logIn(page, name, secret);
    await open(page, `/guilds/${encodeURIComponent(guild)}`);
    const motd = `Written while ${part} was away`;

    kill(part);
    await saveMotd(page, motd);
    const success = page.locator('main').getByText(motd, { exact: true }).first().waitFor();
    const reader = await newVisitor();
    const opened = reader.page.goto('/guilds');
    await page.waitForTimeout(1_000); // so that the first attempts fail
    start(part);
    await success;
    const seen = (await call(await tokenOf('player'), 'GET', `/guild/view/${encodeURIComponent(guild)}`)) as {
      motd: string;
    };
    assert.equal(seen.motd, motd, 'what the page shows is true');
    await opened;
    await reader.page.locator('main a', { hasText: 'Amber Circle' }).first().waitFor();
    await leave(reader);
    await leave(visitor);
  });
}

async function saveMotd(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: /message of the day/i }).click();
  await page.getByRole('textbox').first().fill(text);
  await page.getByRole('button', { name: 'Save' }).click();
}
