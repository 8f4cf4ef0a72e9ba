// The panel of the staff, operation: each change takes effect, and has a line in the audit log.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { leave, open, useBrowser } from './browser';
import { call, mailTo, newName, payWithoutCharge, setFaults, tokenOf } from './site';
import { audited, change, register, staff } from './staff';

useBrowser();

test('an administrator discards a notification that no payment explains', async () => {
  await payWithoutCharge('5.00');
  const visitor = await staff('admin');
  const { page } = visitor;
  await open(page, '/staff/notifications?status=parked');
  const discard = page.getByRole('button', { name: /^Discard: #/ }).first();
  await reloadUntil(page, discard); // a worker asks the bank first
  const button = (await discard.getAttribute('aria-label')) ?? '';
  await change(page, {
    open: button,
    send: 'Discard',
    fields: { Reason: 'A gift of the bank.' },
    done: `Notification ${button.replace('Discard: ', '')} is discarded.`,
  });
  await audited('notification.discard', 'Bank notification discarded', 'A gift of the bank.');
  await leave(visitor);
});

test('an administrator resends a mail that the mail server has refused', async () => {
  const name = newName('Tove').replace(' ', '').toLowerCase();
  await setFaults({ mails: { refuse_permanently: 1 } });
  await register(name);
  const visitor = await staff('admin');
  const { page } = visitor;
  await open(page, '/staff/mails?status=parked');
  const resend = page.getByRole('button', { name: new RegExp(`^Send again: .* ${name}@example.org$`) });
  await reloadUntil(page, resend);
  const parked = (await call(await tokenOf('admin'), 'GET', '/admin/mails?status=parked')) as {
    items: { mail_id: string; recipient: string }[];
  };
  const mail = parked.items.find(({ recipient }) => recipient === `${name}@example.org`);
  assert.ok(mail);
  await change(page, {
    open: (await resend.getAttribute('aria-label')) ?? '',
    send: 'Send again',
    done: `The mail to ${name}@example.org will be sent again.`,
  });
  await mailTo(`${name}@example.org`);
  await audited('mail.resend', 'Mail resent', mail.mail_id.slice(-12));
  await leave(visitor);
});

test('an administrator replays a dead letter when its cause is fixed', async () => {
  const player = await tokenOf('player');
  const guild = (await call(player, 'GET', '/guild/view/Night%20Watch')) as { guild_id: number };
  sql("alter table guilds add constraint guilds_no_poison check (motd <> 'poison') not valid");
  const visitor = await staff('admin');
  const { page } = visitor;
  try {
    const body = { guild_id: guild.guild_id, motd: 'poison' };
    await call(player, 'POST', '/guild/change-motd', body).catch(() => undefined); // it has no outcome in time
    await open(page, '/staff/dead-letters');
    await reloadUntil(page, page.getByText('guilds_no_poison')); // a worker tries it five times
  } finally {
    sql('alter table guilds drop constraint guilds_no_poison');
  }
  const replay = page.getByRole('button', { name: /^Process again: #/ }).first();
  const button = (await replay.getAttribute('aria-label')) ?? '';
  await change(page, { open: button, send: 'Process again', done: /is in its queue again/ });
  await audited('dead_letter.replay', 'Dead letter replayed', 'guild.change_motd');
  await open(page, '/guilds/Night%20Watch');
  await page.getByText('poison', { exact: true }).waitFor();
  await leave(visitor);
});

test('an administrator creates a service token and revokes it', async () => {
  const name = newName('World');
  const visitor = await staff('admin');
  const { page } = visitor;
  await open(page, '/staff/tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'New token' }).click();
  const secret = await dialog.getByLabel('Token', { exact: true }).inputValue();
  for (const key of ['Escape', 'Escape']) await page.keyboard.press(key);
  assert.equal(await dialog.getByLabel('Token', { exact: true }).inputValue(), secret, 'it is shown until it is kept');
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await page.locator('main').getByText(`The token ${name} is created.`).waitFor();
  await call(secret, 'GET', '/game/deliveries?limit=1');
  await audited('service_token.create', 'Service token created', name);
  await change(page, {
    open: `Revoke: ${name}`,
    send: 'Revoke',
    done: `The token ${name} is revoked.`,
  });
  await assert.rejects(call(secret, 'GET', '/game/deliveries?limit=1'), /401/);
  await audited('service_token.revoke', 'Service token revoked', name);
  await leave(visitor);
});

/** Opens the page again until it has the element. */
async function reloadUntil(page: Page, element: Locator): Promise<void> {
  const end = Date.now() + 60_000;
  while ((await element.count()) === 0) {
    assert.ok(Date.now() < end, `${page.url()} does not show what the test waits for`);
    await open(page, page.url());
  }
}

/** Changes the database of the site. */
function sql(statement: string): void {
  execFileSync('psql', ['--quiet', '-c', statement, process.env['GUILDHALL_DATABASE_URL'] ?? ''], { stdio: 'pipe' });
}
