// The panel of the team, operation: each change takes effect, and has a line in the audit log.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { leave, open, useBrowser } from './browser';
import { call, mailTo, newName, setFaults, payWithoutCharge, tokenOf } from './site';
import { audited, change, register, staff } from './staff';

useBrowser();

test('an administrator discards a notification that no payment explains', async () => {
  await payWithoutCharge('5.00');
  const visitor = await staff('admin');
  const { page } = visitor;
  await open(page, '/staff/notifications?state=parked');
  const discard = page.getByRole('button', { name: /^Discard: #/ }).first();
  while ((await discard.count()) === 0) {
    await page.reload(); // the worker has not asked the bank yet
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
  }
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
  await open(page, '/staff/mails?state=parked');
  const resend = page.getByRole('button', { name: new RegExp(`^Send again: .* ${name}@example.org$`) });
  while ((await resend.count()) === 0) {
    await page.reload(); // the mail server has not answered yet
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
  }
  await change(page, {
    open: (await resend.getAttribute('aria-label')) ?? '',
    send: 'Send again',
    done: `The mail to ${name}@example.org will be sent again.`,
  });
  await mailTo(`${name}@example.org`);
  await audited('mail.resend', 'Mail resent', '');
  await leave(visitor);
});

test('an administrator replays a dead letter when its cause is fixed', async () => {
  const player = await tokenOf('player');
  const guild = (await call(player, 'GET', '/guild/view/Night%20Watch')) as { guild_id: number };
  sql("alter table guilds add constraint guilds_no_poison check (motd <> 'poison')");
  const visitor = await staff('admin');
  const { page } = visitor;
  try {
    const body = { guild_id: guild.guild_id, motd: 'poison' };
    await call(player, 'POST', '/guild/change-motd', body).catch(() => undefined); // it has no outcome in time
    await open(page, '/staff/dead-letters');
    while ((await page.getByText('guilds_no_poison').count()) === 0) {
      await page.reload(); // the worker tries five times
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
    }
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
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
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

/** Changes the database of the site. */
function sql(statement: string): void {
  execFileSync('psql', ['--quiet', '-c', statement, process.env['GUILDHALL_DATABASE_URL'] ?? ''], { stdio: 'pipe' });
}
