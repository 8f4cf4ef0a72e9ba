// The way of a new player: from the registration to a purchase that the game has delivered.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { leave, newVisitor, open, useBrowser, type Visitor } from './browser';
import { readQrCode } from './qr-code';
import { call, codeIn, credentials, linkIn, mailTo, newName, PASSWORD, pay, tokenOf } from './site';

useBrowser();

test('register, found a guild, lead it, buy coins, and get a purchase', async () => {
  const [leader, member] = [newPlayer(), newPlayer()];
  const founder = await newVisitor();
  const friend = await newVisitor({ theme: 'dark', width: 390, height: 844 });

  await register(founder.page, leader);
  await confirmByLink(founder, leader);
  await register(friend.page, member);
  await confirmByCode(friend.page, member);

  await createCharacter(founder.page, leader.character);
  await createCharacter(friend.page, member.character);
  await confirmInGame(leader, member);
  await dieInGame(founder.page, leader, member);

  const guild = newName('Wardens');
  await foundGuild(founder.page, guild);
  await invite(founder.page, member.character);
  await accept(friend.page, guild);
  await promote(founder.page, guild, member.character);
  await passOn(founder.page, member.character);

  await buyCoins(founder.page);
  await buyAndReceive(founder.page, leader.character);
  await readHistory(founder.page);

  await leave(friend);
  await leave(founder);
});

interface Player {
  name: string;
  email: string;
  character: string;
}

function newPlayer(): Player {
  const character = newName('Vala');
  const name = character.replace(' ', '').toLowerCase();
  return { name, email: `${name}@example.org`, character };
}

async function register(page: Page, player: Player): Promise<void> {
  await open(page, '/register');
  await page.getByLabel('Account name').fill(player.name);
  await page.getByLabel('E-mail address').fill(player.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.getByText('Your account is created.').waitFor();
}

/** The link opens in another tab, as from a mail program. */
async function confirmByLink({ context, page }: Visitor, player: Player): Promise<void> {
  const tab = await context.newPage();
  await open(tab, linkIn(await mailTo(player.email)));
  assert.equal(new URL(tab.url()).hash, '', 'the token is no longer in the address');
  await tab.getByRole('button', { name: /confirm|verify/i }).click();
  await tab
    .getByText(/confirmed|verified/i)
    .first()
    .waitFor();
  await tab.close();
  await open(page, '/account');
  await page
    .getByText(/confirmed|verified/i)
    .first()
    .waitFor();
}

async function confirmByCode(page: Page, player: Player): Promise<void> {
  await page.locator('input[autocomplete=one-time-code]').fill(codeIn(await mailTo(player.email)));
  await page.getByRole('button', { name: /confirm|verify/i }).click();
  await page.getByText('Your address is confirmed.').waitFor();
}

async function createCharacter(page: Page, name: string): Promise<void> {
  await open(page, '/characters');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create character' }).click();
  await page.getByText(`${name} is ready.`).waitFor();
}

/** The game reports the characters with their accounts, and with a level that allows a guild. */
async function confirmInGame(...players: Player[]): Promise<void> {
  const admin = await tokenOf('admin');
  const characters = await Promise.all(
    players.map(async ({ name, character }) => {
      const { accounts } = (await call(admin, 'GET', `/admin/accounts?name=${name}`)) as {
        accounts: { account_id: number }[];
      };
      return { name: character, level: 50, vocation: 'Knight', online: false, account_id: accounts[0]?.account_id };
    }),
  );
  await call(credentials('game').secret, 'PUT', '/game/characters', { characters });
}

/** The game reports that one player has killed the other. Everybody sees it. */
async function dieInGame(page: Page, victim: Player, killer: Player): Promise<void> {
  const death = {
    death_id: randomUUID(),
    character_name: victim.character,
    died_at: new Date().toISOString(),
    level: 50,
    killed_by: killer.character,
    killer_is_player: true,
  };
  await call(credentials('game').secret, 'POST', '/game/deaths', { deaths: [death] });
  await open(page, '/deaths');
  const row = page.getByRole('row', { name: victim.character });
  assert.equal(await row.getByRole('cell', { name: '50', exact: true }).count(), 1);
  await row.getByRole('link', { name: victim.character }).click();
  await page.getByRole('heading', { name: victim.character }).waitFor();
  await page.getByRole('link', { name: killer.character }).click();
  await page.getByRole('heading', { name: killer.character }).waitFor();
  await page.getByText('This character has not died yet.').waitFor();
}

async function foundGuild(page: Page, guild: string): Promise<void> {
  await open(page, '/guilds/new');
  await page.getByLabel('Name of the guild').fill(guild);
  await page.getByRole('button', { name: 'Found the guild' }).click();
  await page.getByRole('heading', { name: guild }).waitFor();
}

async function invite(page: Page, character: string): Promise<void> {
  const search = page.getByLabel('Characters without a guild');
  await search.fill('r2_d2');
  await page.getByText('No character without a guild has a name that begins like this.').waitFor();
  await search.fill(character);
  await page.getByRole('button', { name: `Invite ${character}` }).click();
  await page.getByRole('button', { name: `Take back the invite of ${character}` }).waitFor();
}

async function accept(page: Page, guild: string): Promise<void> {
  await open(page, '/invites');
  await page.getByRole('button', { name: `joins ${guild}` }).click();
  await page.getByText(`is now a member of ${guild}`).waitFor();
}

async function promote(page: Page, guild: string, character: string): Promise<void> {
  await open(page, `/guilds/${encodeURIComponent(guild)}`);
  await page.getByRole('button', { name: `Manage ${character}` }).click();
  await dialog(page).getByLabel('Rank').selectOption({ label: 'Vice-leader' });
  await dialog(page).getByRole('button', { name: 'Change the rank' }).click();
  await page.getByText(`The rank of ${character} is now: Vice-leader.`).waitFor();
}

async function passOn(page: Page, character: string): Promise<void> {
  await page.getByRole('button', { name: `Manage ${character}` }).click();
  await dialog(page).getByRole('button', { name: 'Make leader' }).click();
  await dialog(page)
    .getByRole('button', { name: `Make ${character} the leader` })
    .click();
  await page.getByText(`${character} leads the guild now.`).waitFor();
  const row = page.getByRole('row', { name: character });
  await row.getByText('Leader', { exact: true }).waitFor();
}

function dialog(page: Page): Locator {
  return page.getByRole('dialog');
}

/** Reads the QR code from the screen, as a phone does, and pays it. The page is reloaded once before the payment. */
async function buyCoins(page: Page): Promise<void> {
  await open(page, '/coins');
  await page.getByRole('button', { name: /^Buy A purse/ }).click();
  const code = page.getByRole('img', { name: 'QR code of this payment' });
  await code.waitFor();
  await page.reload();
  await code.waitFor();
  const read = await readQrCode(await code.screenshot());
  const payload = await page.getByLabel('Code to copy').inputValue();
  assert.equal(read, payload, 'the picture has the code that can be copied');
  await pay(payload);
  await page.getByText('Your payment has arrived.').waitFor();
  await page.locator('.banner').getByText('260 coins').waitFor();
}

async function buyAndReceive(page: Page, character: string): Promise<void> {
  await open(page, '/shop');
  await page.getByRole('button', { name: 'Add to cart: Health potion' }).click();
  await open(page, '/shop/cart');
  await page.getByRole('button', { name: 'Buy now' }).click();
  await page.waitForURL('**/purchases**');
  await page.getByText('Waiting').first().waitFor();
  await page.locator('.banner').getByText('235 coins').waitFor();

  const game = credentials('game').secret;
  const leased = (await call(game, 'GET', '/game/deliveries?limit=100')) as {
    items: { delivery_id: string; character_name: string }[];
  };
  const ours = leased.items.filter((delivery) => delivery.character_name === character);
  assert.equal(ours.length, 1, 'the purchase was made once');
  await call(game, 'POST', '/game/deliveries/ack', { delivery_ids: ours.map((delivery) => delivery.delivery_id) });
  await page.getByText('Delivered', { exact: true }).first().waitFor(); // without a reload
}

/** Each change of the coins leads to its payment or purchase, and the payment is in its list. */
async function readHistory(page: Page): Promise<void> {
  await page.locator('.menu summary').click();
  await page.getByRole('link', { name: 'Coin history' }).click();
  const items = page.locator('main .own-list-item');
  await items.first().getByText('Bought in the shop').waitFor();
  assert.deepEqual(await items.locator('.own-list-coins').allInnerTexts(), ['-25 coins', '+260 coins']);
  await items
    .first()
    .getByRole('link', { name: /^Purchase no\. \d+$/ })
    .click();
  await page.waitForURL('**/purchases');
  await page.goBack();
  await items.last().getByRole('link', { name: 'To the payment' }).click();
  await page.getByText('Your payment has arrived.').waitFor();
  const payment = page.url();
  await page.goBack();
  await page.getByRole('link', { name: 'My payments' }).click();
  await page.waitForURL('**/coins/payments');
  await items.getByText('Paid', { exact: true }).waitFor();
  assert.equal(await items.count(), 1);
  await items.getByRole('link', { name: '260 coins' }).click();
  await page.getByText('Your payment has arrived.').waitFor();
  assert.equal(page.url(), payment);
}
