// The panel of the team: a change of each kind, its line in the audit log, and what the players see afterwards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leave, logIn, newVisitor, open, useBrowser } from './browser';
import { call, credentials, newName, tokenOf } from './site';

useBrowser();

test('an editor publishes a post, which the front page shows', async () => {
  const visitor = await staff('editor');
  const { page } = visitor;
  const title = newName('Report');
  await open(page, '/staff/news/new');
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Text in Markdown').fill('We **held** the wall.');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.locator('.prose strong', { hasText: 'held' }).waitFor();
  await page.getByRole('button', { name: 'Save the post' }).click();
  await page.getByText('Saved. Players see this version now.').waitFor();
  await open(page, '/');
  await page.getByRole('link', { name: title }).waitFor();
  await leave(visitor);
  await audited('news.create', title);
});

test('an administrator finds an account and suspends it, and it cannot log in', async () => {
  const name = newName('Vala').replace(' ', '').toLowerCase();
  await register(name);
  const visitor = await staff('admin');
  const { page } = visitor;
  const account = await accountOf(name);
  await open(page, `/staff/accounts/${account}`);
  await page
    .getByRole('button', { name: /suspend/i })
    .first()
    .click();
  await page.getByLabel('Reason').fill('It is a test.');
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await page.getByRole('link', { name: 'See it in the audit log' }).click();
  await page.getByText('It is a test.').first().waitFor();
  await leave(visitor);

  const suspended = await newVisitor();
  await open(suspended.page, '/log-in');
  await suspended.page.locator('input[autocomplete=username]').fill(name);
  await suspended.page.locator('input[autocomplete=current-password]').fill(PASSWORD);
  await suspended.page.locator('form button[type=submit]').click();
  await suspended.page.getByText('It is a test.').waitFor();
  await leave(suspended);
});

test('sections without the role are not shown', async () => {
  const visitor = await staff('merchant');
  const { page } = visitor;
  await open(page, '/staff');
  const links = await page.locator('main nav a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  assert.ok(links.includes('/staff/offers'));
  assert.equal(links.includes('/staff/accounts'), false);
  await page.goto('/staff/accounts');
  await page.getByText('This section does not exist, or your role does not include it.').waitFor();
  await leave(visitor);
});

const PASSWORD = 'correct horse battery staple';

async function staff(role: 'editor' | 'merchant' | 'admin'): ReturnType<typeof newVisitor> {
  const visitor = await newVisitor();
  const { name, secret } = credentials(role);
  await logIn(visitor.page, name, secret);
  return visitor;
}

async function register(name: string): Promise<void> {
  await call(undefined, 'POST', '/accounts/register', { name, email: `${name}@example.org`, password: PASSWORD });
}

async function accountOf(name: string): Promise<number> {
  const found = await call(await tokenOf('admin'), 'GET', `/admin/accounts?name=${name}`);
  const [account] = (found as { accounts: { account_id: number }[] }).accounts;
  assert.ok(account);
  return account.account_id;
}

/** The newest entry of this action in the audit log names the text. */
async function audited(action: string, text: string): Promise<void> {
  const found = await call(await tokenOf('admin'), 'GET', `/admin/audit?action=${action}&limit=1`);
  assert.ok(JSON.stringify(found).includes(text), JSON.stringify(found));
}
