// The panel of the staff, players: each change takes effect, and has a line in the audit log.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { leave, newVisitor, open, useBrowser } from './browser';
import { hold } from './hold';
import { buyPotion, newName, PASSWORD, pay, startPayment, tokenOf } from './site';
import { audited, change, register, staff } from './staff';

useBrowser();

test('an administrator finds an account and suspends it, and it cannot log in', async () => {
  const name = newName('Vala').replace(' ', '').toLowerCase();
  await register(name);
  const visitor = await staff('admin');
  const { page } = visitor;
  await open(page, '/staff/accounts');
  await page.getByRole('searchbox', { name: 'Account name' }).fill(name);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name }).click();
  await change(page, {
    open: 'Suspend',
    fields: { Reason: 'It is a test.' },
    done: `${name} is suspended.`,
  });
  await page.getByRole('link', { name: 'See it in the audit log' }).click();
  await page.getByText('It is a test.').first().waitFor();
  await leave(visitor);
  await audited('account.suspend', 'Account suspended', 'It is a test.');

  const suspended = await newVisitor();
  await open(suspended.page, '/log-in');
  await suspended.page.locator('input[autocomplete=username]').fill(name);
  await suspended.page.locator('input[autocomplete=current-password]').fill(PASSWORD);
  await suspended.page.locator('form button[type=submit]').click();
  await suspended.page.getByText('It is a test.').waitFor();
  await leave(suspended);
});

test('an administrator writes a note, adjusts coins, verifies an address, and grants and revokes a role', async () => {
  const name = newName('Orin').replace(' ', '').toLowerCase();
  const id = await register(name);
  const visitor = await staff('admin');
  const { page } = visitor;
  await open(page, `/staff/accounts/${id}`);
  await page.getByLabel('New note').fill('Asked about a lost horse.');
  await page.getByRole('button', { name: 'Add the note' }).click();
  await page.getByText('The note is added.').waitFor();
  await page.locator('.note', { hasText: 'Asked about a lost horse.' }).waitFor();
  await audited('account.add_note', 'Note added about an account', String(id));

  await change(page, {
    open: 'Adjust coins',
    fields: { 'Coins to add': '50', Reason: 'A lost\nhorse.' }, // a reason has one line
    done: `The balance of ${name} is now 50.`,
  });
  await audited('coins.adjust', 'Coins adjusted by hand', 'A lost horse.');
  await change(page, {
    open: 'Verify the address by hand',
    fields: { Reason: 'He showed the mail.' },
    done: `${name}@example.org is verified.`,
  });
  await audited('account.verify_email_by_hand', 'E-mail address verified by hand', 'He showed the mail.');
  await change(page, {
    open: 'Grant: Editor',
    send: 'Grant this role',
    done: `${name} now has the role Editor.`,
  });
  await audited('account.grant', 'Role granted', 'editor');
  await change(page, {
    open: 'Revoke: Editor',
    send: 'Revoke this role',
    done: `${name} does not have the role Editor any more.`,
  });
  await audited('account.revoke', 'Role revoked', 'editor');
  await leave(visitor);
});

test('an administrator refunds a payment', async () => {
  const payment = await startPayment(await tokenOf('player'));
  await pay(payment.payload);
  const visitor = await staff('admin');
  const { page } = visitor;
  await open(page, '/staff/payments');
  await page.locator(`main a[href="/staff/payments/${payment.payment_id}"]`).first().click();
  await change(page, {
    open: 'Refund',
    send: 'Refund R$4.00',
    fields: { 'Amount in BRL': '4.00', Reason: 'The player asked.' },
    done: /The refund is on its way/,
  });
  await audited('payment.refund', 'Payment refunded', 'The player asked.');
  await page.getByText('The bank has sent the money back').waitFor(); // without a reload
  await leave(visitor);
});

test('an administrator resends a delivery', async () => {
  await buyPotion(await tokenOf('player'), 'Alda Stormborn');
  const visitor = await staff('admin');
  const { page } = visitor;
  await open(page, '/staff/deliveries');
  const what = 'Health potion → Alda Stormborn';
  await change(page, {
    open: `Send again: ${what}`,
    send: 'Send again',
    fields: { Reason: 'The server lost it.' },
    done: `“${what}” is due again.`,
  });
  await audited('delivery.resend', 'Delivery resent', 'The server lost it.');
  await page.goto('/staff/deliveries?page=400');
  await page.getByRole('row', { name: 'Health potion' }).first().waitFor(); // a page without items leads to the first one
  assert.equal(new URL(page.url()).search, '');
  await leave(visitor);
});

test('a refusal is shown also after its dialog was closed', async () => {
  const id = await register(newName('Runa').replace(' ', '').toLowerCase());
  const visitor = await staff('admin');
  const { page } = visitor;
  await open(page, `/staff/accounts/${id}`);
  const refused = JSON.stringify({ account_id: 999_999_999, reason: 'A test.' });
  const release = await hold(page, '**/api/admin/accounts/suspend', (route) => route.continue({ postData: refused }));
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('A test.');
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).click();
  await dialog.getByText('The request goes on after you close this.').waitFor();
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await dialog.waitFor({ state: 'hidden' });
  release();
  await dialog.getByRole('alert').waitFor();
  await leave(visitor);
});

test('an adjustment without an outcome is repeated or discarded before another one is sent', async () => {
  const name = newName('Nils').replace(' ', '').toLowerCase();
  const id = await register(name);
  const visitor = await staff('admin');
  const { page } = visitor;
  const dialog = page.getByRole('dialog');
  const adjust = async (coins: string): Promise<void> => {
    await dialog.getByLabel('Coins to add').fill(coins);
    await dialog.getByLabel('Reason').fill('A lost horse.');
    await dialog.getByRole('button', { name: 'Adjust coins', exact: true }).click();
  };
  const withoutOutcome = dialog.getByText('An earlier request has no outcome yet');
  const balance = (coins: number) => page.locator('main').getByText(`The balance of ${name} is now ${coins}.`);
  let sent = 0;
  /** Sends an adjustment that gets no response. Then the page is opened again an hour later. */
  const loseOutcome = async (coins: string): Promise<void> => {
    await page.route('**/api/admin/coins/adjust', (route) => route.abort());
    await page.getByRole('button', { name: 'Adjust coins', exact: true }).click();
    await adjust(coins);
    await dialog.getByText('The same request is sent again').waitFor();
    await age(page, `coins.adjust/${id}`);
    await page.reload();
    await page.unroute('**/api/admin/coins/adjust');
    sent = 0;
  };
  page.on('request', (request) => (sent += request.url().endsWith('/admin/coins/adjust') ? 1 : 0));
  await open(page, `/staff/accounts/${id}`);
  await loseOutcome('50');
  await withoutOutcome.waitFor();
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Adjust coins', exact: true }).click();
  await withoutOutcome.waitFor(); // also after the dialog was closed
  await adjust('70');
  await dialog.getByText('Your new request is not sent.').waitFor();
  assert.equal(sent, 0);
  await dialog.getByRole('button', { name: 'Ask for its outcome' }).click();
  await balance(50).waitFor();

  await loseOutcome('7');
  await dialog.getByRole('button', { name: 'Discard it' }).click();
  await withoutOutcome.waitFor({ state: 'detached' });
  await adjust('20');
  await balance(70).waitFor();
  await leave(visitor);
});

/** An hour passes since this command was started. */
async function age(page: Page, name: string): Promise<void> {
  await page.evaluate((key) => {
    const command = JSON.parse(sessionStorage.getItem(key) ?? '') as { startedAt: number };
    sessionStorage.setItem(key, JSON.stringify({ ...command, startedAt: command.startedAt - 60 * 60 * 1000 }));
  }, `guildhall.command.${name}`);
}

test('a resend of many deliveries needs the number of an offer in its usual form', async () => {
  const visitor = await staff('admin');
  const { page } = visitor;
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await open(page, '/staff/deliveries');
  await page.getByRole('button', { name: 'Send many again' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Parked from').fill('2026-01-01T10:00');
  await dialog.getByLabel('Until').fill('2026-01-01T11:00');
  await dialog.getByLabel('Reason').fill('A test.');
  const offer = dialog.getByLabel('Number of the offer');
  await offer.fill('012');
  await dialog.getByRole('button', { name: 'Send many again' }).click();
  assert.equal(await offer.evaluate((field: HTMLInputElement) => field.validity.valid), false);
  await offer.fill('12');
  await dialog.getByRole('button', { name: 'Send many again' }).click();
  await page.locator('main').getByText('0 deliveries').waitFor();
  assert.deepEqual(
    sent.filter((request) => request.endsWith('/resend-many')),
    ['POST /api/admin/deliveries/resend-many'],
  );
  await leave(visitor);
});

test('an administrator discards a delivery', async () => {
  await buyPotion(await tokenOf('player'), 'Alda Stormborn');
  const visitor = await staff('admin');
  const { page } = visitor;
  await open(page, '/staff/deliveries');
  const what = 'Health potion → Alda Stormborn';
  await change(page, {
    open: `Discard: ${what}`,
    send: 'Discard',
    fields: { Reason: 'The coins were given back.' },
    done: `“${what}” is discarded.`,
  });
  await audited('delivery.discard', 'Delivery discarded', 'The coins were given back.');
  await leave(visitor);
});

test('an administrator returns the coins of a delivery', async () => {
  await buyPotion(await tokenOf('player'), 'Alda Stormborn');
  const visitor = await staff('admin');
  const { page } = visitor;
  await open(page, '/staff/deliveries');
  const what = 'Health potion → Alda Stormborn';
  await change(page, {
    open: `Return coins: ${what}`,
    send: 'Return coins',
    fields: { Reason: 'The game has no potions.' },
    done: /is discarded, and the buyer has \d+ coins back/,
  });
  await audited('delivery.discard', 'Delivery discarded', 'The game has no potions.');
  const row = page.getByRole('row', { name: what.split(' →')[0] }).first();
  await row.getByText('Coins returned').waitFor();
  await leave(visitor);
});
