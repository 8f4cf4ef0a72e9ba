// The panel of the staff, content and shop: each change takes effect, and has a line in the audit log.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { leave, newVisitor, open, useBrowser } from './browser';
import { call, newName, tokenOf } from './site';
import { audited, change, staff } from './staff';

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPY0aYNAANjAWqQ8s5cAAAAAElFTkSuQmCC';

useBrowser();

/** Stores the picture as an operator does, and returns its address. */
function storePicture(): string {
  const folder = new URL('../dist/pictures/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL('pixel.png', folder), Buffer.from(PIXEL, 'base64'));
  return '/pictures/pixel.png';
}

/** Whether the browser has the pixels of a picture. */
function isShown(picture: Locator): Promise<boolean> {
  return picture.evaluate(async (element: HTMLImageElement) => {
    await element.decode().catch(() => undefined);
    return element.naturalWidth > 0;
  });
}

test('an editor publishes a post, changes it and deletes it', async () => {
  const visitor = await staff('editor');
  const { page } = visitor;
  const title = newName('Report');
  await open(page, '/staff/news/new');
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Summary').fill('We held\nthe wall.'); // a summary has one line
  await page.getByLabel('Text in Markdown').fill('We **held** the wall.');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.locator('.prose strong', { hasText: 'held' }).waitFor();
  await page.getByRole('button', { name: 'Save the post' }).click();
  await page.getByText('Saved. Players see this version now.').waitFor();
  const address = new URL(page.url()).pathname;
  await audited('news.create', 'Post created', title);

  await open(page, '/');
  await page.getByRole('link', { name: title }).waitFor();
  await open(page, address);
  await page.getByLabel('Title').fill(`${title} again`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. Players see this version now.').waitFor();
  await audited('news.edit', 'Post edited', `${title} again`);

  await change(page, { open: 'Delete the post', done: `“${title} again” is deleted.` });
  await audited('news.destroy', 'Post deleted', `${title} again`);
  await open(page, '/');
  assert.equal(await page.getByRole('link', { name: title }).count(), 0);
  await leave(visitor);
});

test('a post shows a picture of the site, and none of another site', async () => {
  const body = `![Here](${storePicture()})\n\n![Elsewhere](https://other.example/pixel.png)\n\nWe held it.`;
  const post = { title: newName('Pictures'), body };
  const editor = await tokenOf('editor');
  const { result } = (await call(editor, 'POST', '/news/create', post)) as { result: { post_id: number } };
  const visitor = await newVisitor();
  const { page, errors } = visitor;
  await open(page, `/news/${result.post_id}`);
  const shown = (name: string) => isShown(page.getByRole('img', { name, exact: true }));
  assert.deepEqual([await shown('Here'), await shown('Elsewhere')], [true, false]);
  assert.match(errors.splice(0).join(), /other\.example/); // the policy of the site has refused it
  await leave(visitor);
  await call(editor, 'DELETE', `/news/destroy/${result.post_id}`);
});

test('an editor removes the logo of a guild', async () => {
  const guild = (await call(undefined, 'GET', '/guild/view/Night%20Watch')) as { guild_id: number };
  const logo = { guild_id: guild.guild_id, image: PIXEL };
  await call(await tokenOf('player'), 'POST', '/guild/change-logo', logo);
  const visitor = await staff('editor');
  const { page } = visitor;
  await open(page, '/guilds/Night%20Watch');
  await change(page, {
    open: 'Remove the logo as an editor',
    send: 'Remove the logo',
    fields: { Reason: 'It shows nothing.' },
    done: 'The logo is removed, and the reason is in the audit log.',
  });
  await page.getByRole('button', { name: 'Remove the logo as an editor' }).waitFor({ state: 'detached' });
  await leave(visitor);
  await audited('guild.moderate_logo', 'Logo of a guild removed', 'It shows nothing.');
});

test('a merchant creates a category and an offer, changes them and archives the offer', async () => {
  const visitor = await staff('merchant');
  const { page } = visitor;
  const [category, offer] = [newName('Stable'), newName('Horse')];
  await open(page, '/staff/categories/new');
  await page.getByLabel('Name').fill(category);
  await page.getByRole('button', { name: 'New category' }).click();
  await page.getByText(`The category “${category}” is created.`).waitFor();
  await audited('shop.create_category', 'Category created', category);
  await page.getByRole('button', { name: `Move ${category} up` }).click();
  await page.getByRole('button', { name: 'Save the order' }).click();
  await page.getByText('The order is saved.').waitFor();
  await audited('shop.reorder_categories', 'Categories reordered', 'Position of');

  await open(page, '/staff/offers/new');
  await page.getByLabel('Name').fill(offer);
  await page.getByLabel('Category').selectOption({ label: category });
  await page.getByLabel('Id in the game').fill('horse');
  await page.getByLabel('Price in coins').fill('30');
  await page.getByLabel('Stock').fill('4');
  await page.getByLabel('Picture').fill('/pictures/none.png');
  await page.getByRole('button', { name: 'Create the offer' }).click();
  await page.getByText(`The offer “${offer}” is created.`).waitFor();
  await audited('shop.create_offer', 'Offer created', offer);

  await open(page, '/shop');
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: offer }) });
  await card.locator('.emblem').waitFor(); // a drawing replaces a picture that the site does not have
  await page.goBack();
  await page.getByRole('link', { name: offer }).first().click();
  await page.getByLabel('Price in coins').fill('25');
  await page.getByLabel('Picture').fill('https://other.example/horse.png');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Has a form or characters that are not allowed here.').waitFor();
  await page.getByLabel('Picture').fill(storePicture());
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(`The offer “${offer}” is saved.`).waitFor();
  await audited('shop.edit_offer', 'Offer edited', '25');
  await change(page, {
    open: `Change the stock: ${offer}`,
    send: 'Change the stock',
    fields: { Pieces: '3' },
    done: `Stock of “${offer}”: 7 pieces.`,
  });
  await audited('shop.change_stock', 'Stock changed', '7');

  await open(page, '/shop');
  await card.getByRole('button', { name: `Add to cart: ${offer}` }).waitFor();
  assert.ok(await isShown(card.locator('img')));
  await page.goBack();
  await change(page, { open: 'Archive the offer', done: `The offer “${offer}” is archived.` });
  await audited('shop.destroy_offer', 'Offer archived', offer);
  await page.goto('/staff/categories');
  await page.getByRole('link', { name: category }).click();
  await page.getByRole('heading', { name: category }).waitFor();
  await change(page, { open: 'Delete the category', done: `The category “${category}” is deleted.` });
  await audited('shop.destroy_category', 'Category deleted', category);
  await leave(visitor);
});

test('an administrator changes the prices of coins', async () => {
  const visitor = await staff('admin');
  const { page } = visitor;
  const name = newName('Sack');
  await open(page, '/staff/packages/new');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Price in BRL').fill('40.00');
  await page.getByLabel('Coins', { exact: true }).fill('430');
  await page.getByRole('button', { name: 'Create the package' }).click();
  await page.getByText(`The package “${name}” is on sale.`).waitFor();
  await audited('coins.add_package', 'Coin package added', 'R$40.00');
  await open(page, '/coins');
  await page.getByRole('heading', { name }).waitFor();
  await open(page, '/staff/packages');
  await change(page, {
    open: `Take off sale: ${name}`,
    send: 'Take off sale',
    done: `“${name}” is no longer on sale.`,
  });
  await audited('coins.retire_package', 'Coin package withdrawn', 'Retired');
  await change(page, {
    open: 'Change the rate: BRL',
    send: 'Set the rate',
    fields: { Coins: '11' },
    done: 'The rate of BRL is set.',
  });
  await audited('coins.rate', 'Rate of coins changed', '11');
  await leave(visitor);
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
