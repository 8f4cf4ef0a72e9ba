// Data that a page does not expect: the page shows it as text, or says that it has an error.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leave, newVisitor, open, useBrowser } from './browser';
import { call, newName, tokenOf } from './site';
import { staff } from './staff';

useBrowser();

test('the audit log shows texts that begin as times do', async () => {
  const merchant = await tokenOf('merchant');
  const descriptions = ['2026-11-24T10:15 to 11:00 in the square', '9999-99-99T99:99', '9999-99-99T99:99:99Z'];
  for (const description of descriptions) {
    await call(merchant, 'POST', '/shop/category/create', { name: newName('Hour'), description });
  }
  const visitor = await staff('admin');
  const { page } = visitor;
  await open(page, '/staff/audit?action=shop.create_category');
  for (const description of descriptions) await page.getByText(description, { exact: true }).first().waitFor();
  await leave(visitor);
});

test('an error of a page leaves the other pages', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await page.route('**/api/characters/deaths/**', (route) => route.fulfill({ json: { page: 1, limit: 20 } }));
  await page.goto('/deaths');
  await page.getByText('This page has an error and cannot be shown.').waitFor();
  assert.equal(visitor.errors.splice(0).length, 1, 'the error is in the console');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Guilds' }).click();
  await page.getByRole('heading', { name: 'Guilds', level: 1 }).waitFor();
  await leave(visitor);
});
