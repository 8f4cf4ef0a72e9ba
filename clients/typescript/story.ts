/**
 * A guild is founded, coins are paid for, and a torch is bought with them: a tour of the SDK, from the first account to
 * the first delivery. Nothing in this file is Node's, so it runs in a browser as well.
 */

import {
  accountCreateCharacter,
  accountMe,
  accountRegister,
  authLogIn,
  gameAcknowledgeDeliveries,
  gameLeaseDeliveries,
  gameUpsertCharacters,
  guildAcceptInvite,
  guildChangeMotd,
  guildCreate,
  guildInvite,
  guildInvites,
  guildList,
  guildView,
  newsCreate,
  newsFind,
  operationFind,
  paymentCreate,
  paymentFind,
  paymentPackages,
  shopCategoryCreate,
  shopOfferCreate,
  shopPurchase,
  shopPurchases,
} from './generated';
import type {
  Credentials,
  DeliveryStatus,
  GameCharacter,
  GuildChangeMotdData,
  GuildCharacter,
  GuildCreateData,
  NewAccount,
  NewCategory,
  NewCharacter,
  NewGuild,
  NewOffer,
  NewPost,
  OperationProgress,
  OperationStatus,
  OrderLine,
  PaymentStatus,
  Problem,
} from './generated';
import { type Client, createClient } from './generated/client';
import type { Site } from './site';

/** What has happened. */
export interface Story {
  founder: Credentials;
  guild: { id: number; name: string; members: string[]; motd: string };
  refusal: { code: string; status: number };
  motdChange: { atFirst: OperationProgress; atLast: OperationStatus };
  post: { id: number; title: string };
  offer: { id: number; categoryId: number; name: string; price: number };
  payment: { id: string; payload: string; status: PaymentStatus; coins: number };
  delivery: { id: string; status: DeliveryStatus; coinsLeft: number };
}

export async function tellStory(site: Site, say: (line: string) => void): Promise<Story> {
  // Names are unique on a site. A suffix of its own lets the story be told again.
  const suffix = randomLetters(6);
  const family = suffix.charAt(0).toUpperCase() + suffix.slice(1);

  // One client per account. These two need none: somebody who is not signed in, and the game's server.
  const anybody = createClient({ baseUrl: site.url });
  const game = createClient({ baseUrl: site.url, auth: site.gameToken });

  const founderLogin: Credentials = { login: `founder_${suffix}`, password: crypto.randomUUID() };
  const friendLogin: Credentials = { login: `friend_${suffix}`, password: crypto.randomUUID() };
  for (const { login, password } of [founderLogin, friendLogin]) {
    const body: NewAccount = { name: login, email: `${login}@example.org`, password };
    await outcome(accountRegister({ client: anybody, body }));
  }
  say(`registered ${founderLogin.login} and ${friendLogin.login}`);

  const founder = await logIn(site.url, founderLogin);
  const friend = await logIn(site.url, friendLogin);
  say('logged in');

  const newAda: NewCharacter = { name: `Ada ${family}`, vocation: 'Knight' };
  const newBo: NewCharacter = { name: `Bo ${family}`, vocation: 'Knight' };
  const ada = await outcome(accountCreateCharacter({ client: founder, body: newAda }));
  const bo = await outcome(accountCreateCharacter({ client: friend, body: newBo }));
  say(`created ${ada.name} and ${bo.name}`);

  // Who founds a guild needs a level, and levels come from the game. Ada is offline: guilds are not changed in mid-game.
  const grown: GameCharacter = { name: ada.name, level: 50, vocation: ada.vocation, online: false };
  await outcome(gameUpsertCharacters({ client: game, body: { characters: [grown] } }));
  say(`the game says that ${ada.name} has reached level ${grown.level}`);

  // Who gets no answer cannot know whether the request arrived. With a key it can be sent again: the answer is repeated,
  // the effect is not.
  const headers: GuildCreateData['headers'] = { 'Idempotency-Key': crypto.randomUUID() };
  const newGuild: NewGuild = { name: `The ${family}s`, character_name: ada.name };
  const first = await answer(guildCreate({ client: founder, headers, body: newGuild }));
  const again = await answer(guildCreate({ client: founder, headers, body: newGuild }));
  const guild = settled(first);
  if (again.operation_id !== first.operation_id || settled(again).guild_id !== guild.guild_id) {
    throw new Error('the same request with the same key had another outcome');
  }
  say(`founded ${guild.name} (guild ${guild.guild_id}), once, though asked twice`);

  // A refusal is a value: `error` is a Problem, and its `code` is made for programs.
  const invite: GuildCharacter = { guild_id: guild.guild_id, character_name: bo.name };
  await outcome(guildInvite({ client: founder, body: invite }));
  const { error: refusal } = await guildInvite({ client: founder, body: invite });
  if (refusal === undefined) throw new Error('the second invite was not refused');
  say(`invited ${bo.name}; a second invite is refused: ${refusal.code}`);

  const invites = await answer(guildInvites({ client: friend, body: {} }));
  const received = invites.items.find(({ guild_id }) => guild_id === guild.guild_id);
  if (received === undefined) throw new Error('the friend has no invite');
  const { guild_id, character_id } = received;
  await outcome(guildAcceptInvite({ client: friend, body: { guild_id, character_id } }));
  say(`${bo.name} accepted`);

  const guilds = await answer(guildList({ client: anybody, path: { page: 1, limit: 10 } }));
  const { members } = await answer(guildView({ client: anybody, path: { name: guild.name } }));
  say(`${guild.name}, one of ${guilds.total} guilds, has ${members.length} members`);

  // Who does not want to wait says so. The command is safe already, and what becomes of it can be asked for later.
  const motd = 'Torches are on the left, at the door.';
  const accepted = await answer(
    guildChangeMotd({
      client: founder,
      headers: { Prefer: 'respond-async' } satisfies GuildChangeMotdData['headers'],
      body: { guild_id: guild.guild_id, motd },
    }),
  );
  const operation = await until(
    () => answer(operationFind({ client: founder, path: { id: accepted.operation_id } })),
    ({ status }) => status !== 'pending',
  );
  if (operation.problem !== undefined) throw new Refused(operation.problem);
  say(`the message of the day was accepted, then ${operation.status}`);

  const editor = await logIn(site.url, site.editor);
  const newPost: NewPost = {
    title: `${guild.name} have a guild`,
    summary: 'It took two of them.',
    body: `Ask **${ada.name}** for a torch.`,
  };
  const { post_id } = await outcome(newsCreate({ client: editor, body: newPost }));
  const post = await answer(newsFind({ client: anybody, path: { id: post_id } }));
  say(`published post ${post.post_id}: ${post.title}`);

  // What is sold is named by the site, and granted in the game's own words: here an item with the game's id 2920.
  const merchant = await logIn(site.url, site.merchant);
  const newCategory: NewCategory = { name: `Light of the ${family}s`, description: '', position: 100, hidden: false };
  const category = await outcome(shopCategoryCreate({ client: merchant, body: newCategory }));
  const newOffer: NewOffer = {
    category_id: category.category_id,
    name: `Torch ${family}`,
    description: 'Burns for ten minutes.',
    price: 50,
    grants: [{ kind: 'item', id: '2920', count: 1 }],
    position: 1,
    hidden: false,
  };
  const offer = await outcome(shopOfferCreate({ client: merchant, body: newOffer }));
  say(`on sale: ${offer.name} for ${newOffer.price} coins`);

  const packages = await answer(paymentPackages({ client: anybody }));
  const chosen = packages.items[0];
  if (chosen === undefined) throw new Error('the site sells no coins');
  const asked = await outcome(paymentCreate({ client: founder, body: { package_id: chosen.package_id } }));
  await payInBankApp(site.bankUrl, asked.payload);
  // The bank tells the site, so it takes a moment. A page would follow `paymentEvents` instead of asking again and again.
  const payment = await until(
    () => answer(paymentFind({ client: founder, path: { id: asked.payment_id } })),
    ({ status }) => status === 'paid',
  );
  const { coins } = await answer(accountMe({ client: founder }));
  say(`paid ${payment.amount.amount} ${payment.amount.currency} by QR code: ${coins} coins`);

  const lines: OrderLine[] = [{ offer_id: offer.offer_id, quantity: 1 }];
  const bought = await outcome(shopPurchase({ client: founder, body: { character_name: ada.name, lines } }));
  const delivered = await until(
    async () => {
      await playGameServer(game);
      const history = await answer(shopPurchases({ client: founder, path: { page: 1, limit: 10 } }));
      return history.items.find(({ purchase_id }) => purchase_id === bought.purchase_id)?.lines[0];
    },
    (line) => line?.status === 'delivered',
  );
  if (delivered === undefined) throw new Error('the purchase is not in the history');
  say(`bought and delivered: ${delivered.quantity} x ${delivered.name}`);

  return {
    founder: founderLogin,
    guild: { id: guild.guild_id, name: guild.name, members: members.map(({ name }) => name), motd },
    refusal: { code: refusal.code, status: refusal.status },
    motdChange: { atFirst: accepted.status, atLast: operation.status },
    post: { id: post.post_id, title: post.title },
    offer: { id: offer.offer_id, categoryId: offer.category_id, name: offer.name, price: newOffer.price },
    payment: { id: payment.payment_id, payload: asked.payload, status: payment.status, coins },
    delivery: { id: delivered.delivery_id, status: delivered.status, coinsLeft: bought.balance },
  };
}

/**
 * A client that is signed in. The access token is good for some minutes (`expires_in`): a program that runs for longer
 * gives `auth` a function, which renews it with `authRefresh`.
 */
export async function logIn(url: string, credentials: Credentials): Promise<Client> {
  const session = await answer(authLogIn({ client: createClient({ baseUrl: url }), body: credentials }));
  return createClient({ baseUrl: url, auth: session.access_token });
}

/** A game server in two calls. A real one gives first, and notes what it gave: see examples/game_server.py. */
async function playGameServer(game: Client): Promise<void> {
  const { items } = await answer(gameLeaseDeliveries({ client: game, query: { limit: 100 } }));
  if (items.length === 0) return;
  const delivery_ids = items.map(({ delivery_id }) => delivery_id);
  await outcome(gameAcknowledgeDeliveries({ client: game, body: { delivery_ids } }));
}

/** What the player does in the bank's app: scans the code, and agrees. No part of the SDK. */
async function payInBankApp(bankUrl: string, payload: string): Promise<void> {
  const url = `${bankUrl}/sandbox/pay`;
  const paid = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ payload }),
  }).catch((cause: unknown) => {
    throw new Error(`POST ${url} gets no answer; is the bank up?`, { cause });
  });
  if (paid.status !== 201) throw new Error(`the bank says ${paid.status}: ${await paid.text()}`);
}

/** The site said no. `problem.code` says why, and never changes its meaning. */
export class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.problem = problem;
  }
}

/** What a call resolves to. The generated types promise a response; without an answer there is none. */
type Result<Data> = ({ data: Data; error: undefined } | { data: undefined; error: Problem }) & {
  request: Request;
  response: Response | undefined;
};

/** What was answered. A problem is thrown, for callers that expect none. */
export async function answer<Data>(call: Promise<Result<Data>>): Promise<Data> {
  const { data, error, request, response } = await call;
  if (error === undefined) return data;
  if (response?.headers.get('Content-Type') === 'application/problem+json') throw new Refused(error);
  // No problem, whatever the types say: what fetch threw, or what a proxy answered.
  const instead = response === undefined ? 'gets no answer; is the site up?' : `is answered with ${response.status}`;
  throw new Error(`${request.method} ${request.url} ${instead}`, { cause: error });
}

/** What a command answers: `result` is missing while it is pending. */
interface Operation<Output> {
  operation_id: string;
  status: OperationProgress;
  result?: Output;
}

/** What came of a command. The site answers when it is settled, or after 5 s without it. */
function settled<Output>({ operation_id, result }: Operation<Output>): Output {
  if (result === undefined) throw new Error(`operation ${operation_id} is still pending`);
  return result;
}

async function outcome<Output>(call: Promise<Result<Operation<Output>>>): Promise<Output> {
  return settled(await answer(call));
}

/** Asks until it is so, for 30 s at most. */
async function until<Value>(ask: () => Promise<Value>, isSo: (value: Value) => boolean): Promise<Value> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const value = await ask();
    if (isSo(value)) return value;
    if (Date.now() > deadline) throw new Error(`after 30 s it is still ${JSON.stringify(value)}`);
    await new Promise((wake) => setTimeout(wake, 200));
  }
}

function randomLetters(count: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) =>
    String.fromCharCode(97 + (byte % 26)),
  ).join('');
}
