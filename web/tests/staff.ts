// A member of the staff in the panel, and the audit log that an administrator reads.

import type { Page } from 'playwright-core';
import { leave, logIn, newVisitor, open, type Visitor } from './browser';
import { call, credentials, PASSWORD, tokenOf } from './site';

export async function staff(role: 'editor' | 'merchant' | 'admin'): Promise<Visitor> {
  const visitor = await newVisitor();
  const { name, secret } = credentials(role);
  await logIn(visitor.page, name, secret);
  return visitor;
}

/** A new account. Returns its number. */
export async function register(name: string): Promise<number> {
  await call(undefined, 'POST', '/accounts/register', { name, email: `${name}@example.org`, password: PASSWORD });
  const found = await call(await tokenOf('admin'), 'GET', `/admin/accounts?name=${name}`);
  const [account] = (found as { accounts: { account_id: number }[] }).accounts;
  if (!account) throw new Error(`there is no account ${name}`);
  return account.account_id;
}

interface Change {
  /** The button that opens the dialog. */
  open: string;
  /** The button that sends. It has the same name in most dialogs. */
  send?: string;
  /** What is typed, by the labels of the fields. */
  fields?: Record<string, string>;
  /** The message about the change. */
  done: string | RegExp;
}

/** Changes something by a dialog of the panel. */
export async function change(page: Page, { open: opener, send = opener, fields = {}, done }: Change): Promise<void> {
  await page.getByRole('button', { name: opener, exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value);
  await dialog.getByRole('button', { name: send, exact: true }).click();
  await page.locator('main').getByText(done).first().waitFor();
}

/** The newest entry of the action on the audit page has this name and this text. */
export async function audited(action: string, name: string, text: string): Promise<void> {
  const visitor = await staff('admin');
  await open(visitor.page, `/staff/audit?action=${action}`);
  const entry = visitor.page.locator('.audit-entry').first();
  await entry.getByRole('heading', { name, exact: true }).waitFor();
  await entry.getByText(text).first().waitFor();
  await leave(visitor);
}
