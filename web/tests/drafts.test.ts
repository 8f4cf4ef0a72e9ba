// What is typed while a request is sent is not lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leave, logIn, newVisitor, open, useBrowser } from './browser';
import { hold } from './hold';
import { credentials, newName } from './site';
import { staff } from './staff';

useBrowser();

test('a text that is typed while an earlier one is saved stays', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  const { name, secret } = credentials('player');
  await logIn(page, name, secret);
  await open(page, '/guilds/Night%20Watch');
  const release = await hold(page, '**/api/guild/change-motd');
  await page.getByRole('button', { name: /message of the day/i }).click();
  const field = page.getByRole('textbox').first();
  await field.fill('The gate is open.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: /message of the day/i }).click();
  await field.fill('The gate is shut.');
  assert.equal(await page.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled'), 'true');
  const saved = page.waitForResponse('**/api/guild/change-motd');
  release();
  await saved;
  const button = page.getByRole('button', { name: 'Save' });
  await button.and(page.locator(':not([aria-disabled=true])')).click();
  await page.locator('main').getByText('The gate is shut.', { exact: true }).waitFor();
  await page.locator('main').getByText('Saved.').waitFor();
  await leave(visitor);
});

test('what is typed while a new record is created stays', async () => {
  const visitor = await staff('merchant');
  const { page } = visitor;
  const [first, second] = [newName('Barn'), newName('Mill')];
  await open(page, '/staff/categories/new');
  const release = await hold(page, '**/api/shop/category/create');
  await page.getByLabel('Name').fill(first);
  await page.getByRole('button', { name: 'New category' }).click();
  await page.getByLabel('Name').fill(second);
  release();
  await page.getByText(`The category “${first}” is created.`).waitFor();
  assert.equal(new URL(page.url()).pathname, '/staff/categories/new');
  assert.equal(await page.getByLabel('Name').inputValue(), second);
  await leave(visitor);
});

test('a new record does not lead away from another page', async () => {
  const visitor = await staff('merchant');
  const { page } = visitor;
  const name = newName('Forge');
  await open(page, '/staff/categories/new');
  const release = await hold(page, '**/api/shop/category/create');
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'New category' }).click();
  await page.getByRole('link', { name: 'Offers', exact: true }).click();
  await page.getByRole('heading', { name: 'Offers', level: 1 }).waitFor();
  release();
  await page.getByText(`The category “${name}” is created.`).waitFor();
  assert.equal(new URL(page.url()).pathname, '/staff/offers');
  await open(page, '/staff/categories/new');
  assert.equal(await page.getByLabel('Name').inputValue(), '', 'the draft is stored now');
  await leave(visitor);
});

test('a price in another spelling is saved', async () => {
  const visitor = await staff('admin');
  const { page } = visitor;
  await open(page, '/staff/packages/1');
  await page.getByLabel('Price in BRL').fill('31,5');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Everything is saved.').waitFor();
  await page.getByLabel('Price in BRL').fill('31.50');
  await page.getByText('Everything is saved.').waitFor();
  await leave(visitor);
});
