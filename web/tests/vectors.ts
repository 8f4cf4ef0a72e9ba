// Hostile texts on the pages that show them: `./dev vectors FILE…`. Nothing in them may run.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { open, useBrowser } from './browser';
import { call, newName, tokenOf } from './site';
import { staff } from './staff';

/** A file without a list has signed tokens. */
function textsOf(file: string): string[] {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const isText = (text: unknown): text is string => typeof text === 'string' && text !== '';
  return Array.isArray(content) ? (content as unknown[]).filter(isText) : [];
}

const TEXTS = (process.env['GUILDHALL_TEST_VECTORS'] ?? '').split(':').filter(Boolean).flatMap(textsOf);

/** The texts on the pages of lists at the same time. */
const GROUP = 20;

useBrowser();

/** Sends a text. Undefined if the API refuses it. */
async function send(token: string, method: string, path: string, body?: unknown): Promise<unknown> {
  try {
    return ((await call(token, method, path, body)) as { result: unknown }).result;
  } catch (error) {
    if (error instanceof Error && /: (400|409|413) /.test(error.message)) return undefined;
    throw error;
  }
}

/** Opens a page on which nothing of a text may run. */
async function look(page: Page, path: string, attacks: string[]): Promise<void> {
  await open(page, path);
  assert.deepEqual(attacks, [], path);
  const dangerous = 'main script, main iframe, main object, main embed, main form[action^="http"], main style';
  assert.equal(await page.locator(dangerous).count(), 0, path);
  const found = await page.locator('main *').evaluateAll((all) =>
    all.flatMap((element) =>
      [...element.attributes]
        .filter(({ name, value }) => name.startsWith('on') || /^\s*(javascript|vbscript|data:text)/i.test(value))
        .filter(({ name }) => name !== 'value')
        .map(({ name, value }) => `${element.tagName} ${name}=${value}`),
    ),
  );
  assert.deepEqual(found, [], path);
}

/** The tokens of the senders. They are valid for 15 minutes, so each group of texts has its own. */
async function newTokens(): Promise<Record<'editor' | 'merchant' | 'player', string>> {
  return { editor: await tokenOf('editor'), merchant: await tokenOf('merchant'), player: await tokenOf('player') };
}

test(`${TEXTS.length} hostile texts stay texts on the pages`, async () => {
  let { editor, merchant, player } = await newTokens();
  const guild = (await call(player, 'GET', '/guild/view/Night%20Watch')) as {
    guild_id: number;
    members: { character_id: number }[];
  };
  const member = guild.members[0];
  assert.ok(member);
  const category = (await send(merchant, 'POST', '/shop/category/create', { name: newName('Vectors') })) as {
    category_id: number;
  };
  const { page, context } = await staff('admin');
  const attacks: string[] = [];
  page.on('dialog', (dialog) => {
    attacks.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/execute inline|javascript:|script from/i.test(message.text())) attacks.push(message.text());
  });
  for (let start = 0; start < TEXTS.length; start += GROUP) {
    const group = TEXTS.slice(start, start + GROUP);
    ({ editor, merchant, player } = await newTokens());
    const [posts, offers]: [number[], number[]] = [[], []];
    for (const text of group) {
      for (const field of ['title', 'summary', 'body']) {
        const body = { title: 'Title', summary: 'Summary.', body: 'Body.', [field]: text };
        const post = (await send(editor, 'POST', '/news/create', body)) as { post_id: number } | undefined;
        if (post) posts.push(post.post_id);
      }
      for (const fields of [{ name: text }, { name: newName('Offer'), description: text }]) {
        const body = {
          ...category,
          price: 1,
          grants: [{ kind: 'item', id: '1', count: 1 }],
          unlimited: true,
          ...fields,
        };
        const offer = (await send(merchant, 'POST', '/shop/item/create', body)) as { offer_id: number } | undefined;
        if (offer) offers.push(offer.offer_id);
      }
      const [{ guild_id }, { character_id }] = [guild, member];
      await send(player, 'POST', '/guild/change-motd', { guild_id, motd: text });
      await send(player, 'POST', '/guild/change-description', { guild_id, description: text });
      await send(player, 'POST', '/guild/set-nick', { guild_id, character_id, nick: text });
      await look(page, '/guilds/Night%20Watch', attacks);
    }
    for (const post of posts) await look(page, `/news/${post}`, attacks);
    for (const path of ['/', '/shop', '/guilds', '/staff/posts', '/staff/offers', '/staff/audit']) {
      await look(page, path, attacks);
    }
    for (const post of posts) await send(editor, 'DELETE', `/news/destroy/${post}`);
    for (const offer of offers) await send(merchant, 'DELETE', `/shop/item/destroy/${offer}`);
    console.log(`${Math.min(start + GROUP, TEXTS.length)} of ${TEXTS.length} texts`);
  }
  await context.close();
});
