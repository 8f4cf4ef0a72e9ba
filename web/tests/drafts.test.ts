// What is typed while a request is sent is not lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leave, logIn, newVisitor, open, useBrowser } from './browser';
import { hold } from './hold';
import { credentials } from './site';

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
