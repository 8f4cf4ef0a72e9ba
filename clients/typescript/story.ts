/**
 * An example scenario of the SDK, from the first account to the first delivery: players verify their e-mail addresses,
 * create a guild, buy coins by QR code, and spend them on a torch. This file uses nothing of Node, so it also runs in a browser.
 */

import {
  accountCoins,
  accountCreateCharacter,
  accountEnableSecondFactor,
  accountMe,
  accountRegister,
  accountStartSecondFactor,
  accountVerifyEmail,
  authLogIn,
  authSecondFactor,
  characterDeaths,
  gameAcknowledgeDeliveries,
  gameChanges,
  gameLeaseDeliveries,
  gameReportDeaths,
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
  paymentEvents,
  paymentList,
  paymentPackages,
  shopCategoryCreate,
  shopOfferChangeStock,
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
  GuildState,
  GuildCreateData,
  NewAccount,
  NewCategory,
  NewCharacter,
  NewGuild,
  NewOffer,
  NewPayment,
  NewPost,
  NewPurchase,
  NewStock,
  OperationDetails,
  OperationProgress,
  OperationStatus,
  OrderLine,
  PaymentCreateData,
  PaymentState,
  PaymentStatus,
  Problem,
  ReportedDeath,
  ShopPurchaseData,
} from './generated';
import { type Client, createClient } from './generated/client';
import { codeOfApp, payInBankApp, type Site, tokenOfMail } from './site';

/** The result of the scenario. */
export interface ScenarioResult {
  founder: Credentials;
  guild: { id: number; name: string; members: string[]; motd: string };
  refusal: { code: string; status: number };
  motdChange: { atFirst: OperationProgress; atLast: OperationStatus };
  post: { id: number; title: string };
  offer: { id: number; categoryId: number; name: string; price: number };
  payment: { id: string; payload: string; status: PaymentStatus; coins: number };
  delivery: { id: string; status: DeliveryStatus; coinsLeft: number };
}

export async function runScenario(site: Site, print: (line: string) => void): Promise<ScenarioResult> {
  // Names are unique on a site. With a random suffix the scenario can run again.
  const suffix = randomLetters(6);
  const family = suffix.charAt(0).toUpperCase() + suffix.slice(1);

  // One client per account. These two need no account: an anonymous visitor, and the game server.
  const visitor = createClient({ baseUrl: site.url });
  const game = createClient({ baseUrl: site.url, auth: site.gameToken });

  const founderLogin: Credentials = { login: `founder_${suffix}`, password: crypto.randomUUID() };
  const friendLogin: Credentials = { login: `friend_${suffix}`, password: crypto.randomUUID() };
  for (const { login, password } of [founderLogin, friendLogin]) {
    const body: NewAccount = { name: login, email: emailOf(login), password };
    await outcome(visitor, accountRegister({ client: visitor, body }));
  }
  print(`registered ${founderLogin.login} and ${friendLogin.login}`);

  // An account buys only after it has verified its address. The link in the mail opens a page of the site, which sends
  // the token to the API. The token is proof enough: the request needs no log-in.
  for (const { login } of [founderLogin, friendLogin]) {
    const token = await tokenOfMail(site.bankUrl, emailOf(login));
    await outcome(visitor, accountVerifyEmail({ client: visitor, body: { token } }));
  }
  print(`verified ${founderLogin.login} and ${friendLogin.login}`);

  const founder = await logIn(site.url, founderLogin);
  const friendWithPassword = await logIn(site.url, friendLogin);
  print('logged in');

  // A second factor: the first code proves that the app has the secret. The recovery codes are shown only now.
  const { secret, enrolment } = await dataOf(
    accountStartSecondFactor({ client: friendWithPassword, body: { password: friendLogin.password } }),
  );
  const firstCode = { enrolment, code: await codeOfApp(secret) };
  const { recovery_codes } = await dataOf(accountEnableSecondFactor({ client: friendWithPassword, body: firstCode }));
  // From now on a log-in has two steps. No code is valid twice, so this one uses a recovery code.
  const { error: asked } = await authLogIn({ client: visitor, body: friendLogin });
  const [code] = recovery_codes;
  if (asked?.challenge === undefined || code === undefined) throw new Error('the log-in needs no second factor');
  const answer = authSecondFactor({ client: visitor, body: { challenge: asked.challenge, code } });
  const friend = createClient({ baseUrl: site.url, auth: (await dataOf(answer)).access_token });
  print(`${friendLogin.login} logged in with a second factor`);

  const newAda: NewCharacter = { name: `Ada ${family}`, vocation: 'Knight' };
  const newBo: NewCharacter = { name: `Bo ${family}`, vocation: 'Knight' };
  const ada = await outcome(founder, accountCreateCharacter({ client: founder, body: newAda }));
  const bo = await outcome(friend, accountCreateCharacter({ client: friend, body: newBo }));
  print(`created ${ada.name} and ${bo.name}`);

  // A guild's creator needs a minimum level, which the game server reports. The character must be offline.
  // The account confirms that she is the founder's character in the game, too.
  const { account_id } = await dataOf(accountMe({ client: founder }));
  const grown: GameCharacter = { name: ada.name, level: 50, vocation: ada.vocation, online: false, account_id };
  await outcome(game, gameUpsertCharacters({ client: game, body: { characters: [grown] } }));
  print(`the game reports level ${grown.level} for ${ada.name}`);

  // The game chooses the id of a death. So it can send a report again at any time, and the death is stored once.
  const death: ReportedDeath = {
    death_id: crypto.randomUUID(),
    character_name: ada.name,
    died_at: new Date().toISOString(),
    level: grown.level,
    killed_by: 'a dragon lord',
    killer_is_player: false,
  };
  await outcome(game, gameReportDeaths({ client: game, body: { deaths: [death] } }));
  await outcome(game, gameReportDeaths({ client: game, body: { deaths: [death] } }));
  const deaths = { path: { page: 1, limit: 10 }, query: { character: ada.name } };
  const { items: listedDeaths } = await dataOf(characterDeaths({ client: visitor, ...deaths }));
  if (listedDeaths.length !== 1) throw new Error(`${ada.name} has ${listedDeaths.length} deaths`);
  print(`${ada.name} was killed by ${listedDeaths[0]?.killed_by ?? 'a player'}, once for two reports`);

  // The game will read the changes of the site from here on.
  const { last: place } = await dataOf(gameChanges({ client: game }));

  // After a lost response, a client cannot know whether the request arrived. With a key it can send the request again:
  // the response is repeated, the effect is not.
  const headers: GuildCreateData['headers'] = { 'Idempotency-Key': crypto.randomUUID() };
  const newGuild: NewGuild = { name: `The ${family}s`, character_name: ada.name };
  const first = await dataOf(guildCreate({ client: founder, headers, body: newGuild }));
  const again = await dataOf(guildCreate({ client: founder, headers, body: newGuild }));
  const guild = await resultOf(founder, first);
  const repeated = await resultOf(founder, again);
  if (again.operation_id !== first.operation_id || repeated.guild_id !== guild.guild_id) {
    throw new Error('the repeated request with the same key has another outcome');
  }
  print(`created ${guild.name} (guild ${guild.guild_id}), once for two equal requests`);
  await followUntilGuild(game, place, guild.guild_id);
  print(`the game learns of ${guild.name}`);

  // A refusal is a value: `error` is a Problem, and programs use its `code`.
  const invite: GuildCharacter = { guild_id: guild.guild_id, character_name: bo.name };
  await outcome(founder, guildInvite({ client: founder, body: invite }));
  const { error: refusal } = await guildInvite({ client: founder, body: invite });
  if (refusal === undefined) throw new Error('the second invite was not refused');
  print(`invited ${bo.name}; a second invite is refused: ${refusal.code}`);

  const invites = await dataOf(guildInvites({ client: friend, body: {} }));
  const received = invites.items.find(({ guild_id }) => guild_id === guild.guild_id);
  if (received === undefined) throw new Error('the friend has no invite');
  const { guild_id, character_id } = received;
  await outcome(friend, guildAcceptInvite({ client: friend, body: { guild_id, character_id } }));
  print(`${bo.name} accepted`);

  const guilds = await dataOf(guildList({ client: visitor, path: { page: 1, limit: 10 } }));
  const { members } = await dataOf(guildView({ client: visitor, path: { name: guild.name } }));
  print(`${guild.name}, one of ${guilds.total ?? 'many'} guilds, has ${members.length} members`);

  // With respond-async, the server does not wait for the outcome. The command is on disk; poll the operation for its outcome.
  const motd = 'Torches are on the left, at the door.';
  const accepted = await dataOf(
    guildChangeMotd({
      client: founder,
      headers: { Prefer: 'respond-async' } satisfies GuildChangeMotdData['headers'],
      body: { guild_id: guild.guild_id, motd },
    }),
  );
  const operation = await completed(founder, accepted.operation_id);
  print(`the message of the day was accepted, then ${operation.status}`);

  const editor = await logIn(site.url, site.editor);
  const newPost: NewPost = {
    title: `${guild.name} have a guild`,
    summary: 'A new guild with two members.',
    body: `Ask **${ada.name}** for a torch.`,
  };
  const { post_id } = await outcome(editor, newsCreate({ client: editor, body: newPost }));
  const post = await dataOf(newsFind({ client: visitor, path: { id: post_id } }));
  print(`published post ${post.post_id}: ${post.title}`);

  // The site names the offer. Its grants use the game's ids: here an item with the id 2920.
  const merchant = await logIn(site.url, site.merchant);
  const newCategory: NewCategory = { name: `Light of the ${family}s`, description: '', position: 100, hidden: false };
  const category = await outcome(merchant, shopCategoryCreate({ client: merchant, body: newCategory }));
  const newOffer: NewOffer = {
    category_id: category.category_id,
    name: `Torch ${family}`,
    description: 'Burns for ten minutes.',
    price: 50,
    grants: [{ kind: 'item', id: '2920', count: 1 }],
    stock: 2,
  };
  const offer = await outcome(merchant, shopOfferCreate({ client: merchant, body: newOffer }));
  const more: NewStock = { offer_id: offer.offer_id, change: 3 };
  const { stock } = await outcome(merchant, shopOfferChangeStock({ client: merchant, body: more }));
  print(`on sale: ${String(stock)} x ${offer.name} for ${newOffer.price} coins`);

  const packages = await dataOf(paymentPackages({ client: visitor }));
  const chosen = packages.items[0];
  if (chosen === undefined) throw new Error('the site sells no coins');
  // A payment and a purchase always have a key: without it, a request that is sent again buys twice.
  const paymentKey = { 'Idempotency-Key': crypto.randomUUID() } satisfies PaymentCreateData['headers'];
  const newPayment: NewPayment = { package_id: chosen.package_id };
  const created = await outcome(founder, paymentCreate({ client: founder, headers: paymentKey, body: newPayment }));
  await payInBankApp(site.bankUrl, created.payload);
  const payment = await paid(founder, created.payment_id); // the bank notifies the site, which takes a moment
  const { coins } = await dataOf(accountMe({ client: founder }));
  print(`paid ${payment.amount.amount} ${payment.amount.currency} by QR code: ${coins} coins`);

  const lines: OrderLine[] = [{ offer_id: offer.offer_id, quantity: 1, expected_price: newOffer.price }];
  const purchaseKey = { 'Idempotency-Key': crypto.randomUUID() } satisfies ShopPurchaseData['headers'];
  const newPurchase: NewPurchase = { character_name: ada.name, lines };
  const bought = await outcome(founder, shopPurchase({ client: founder, headers: purchaseKey, body: newPurchase }));
  const delivered = await until(
    async () => {
      await playGameServer(game);
      const history = await dataOf(shopPurchases({ client: founder, path: { page: 1, limit: 10 } }));
      return history.items.find(({ purchase_id }) => purchase_id === bought.purchase_id)?.lines[0];
    },
    (line) => line?.status === 'delivered',
  );
  if (delivered === undefined) throw new Error('the purchase is not in the history');
  print(`bought and delivered: ${delivered.quantity} x ${delivered.name}`);

  // The founder's own lists have the newest item first.
  const firstPage = { page: 1, limit: 10 };
  const payments = await dataOf(paymentList({ client: founder, path: firstPage }));
  const entries = await dataOf(accountCoins({ client: founder, path: firstPage }));
  const changes = entries.items.map(({ kind, coins: change }) => `${kind} ${change}`).join(', ');
  print(`listed ${payments.items.length} payment, and the changes of coins: ${changes}`);

  return {
    founder: founderLogin,
    guild: { id: guild.guild_id, name: guild.name, members: members.map(({ name }) => name), motd },
    refusal: { code: refusal.code, status: refusal.status },
    motdChange: { atFirst: accepted.status, atLast: operation.status },
    post: { id: post.post_id, title: post.title },
    offer: { id: offer.offer_id, categoryId: offer.category_id, name: offer.name, price: newOffer.price },
    payment: { id: payment.payment_id, payload: created.payload, status: payment.status, coins },
    delivery: { id: delivered.delivery_id, status: delivered.status, coinsLeft: bought.balance },
  };
}

/**
 * Logs in and returns a client of the account. The access token is valid for `expires_in` seconds. A program that runs
 * longer passes a function as `auth`, which renews the token with `authRefresh`.
 */
export async function logIn(url: string, credentials: Credentials): Promise<Client> {
  const session = await dataOf(authLogIn({ client: createClient({ baseUrl: url }), body: credentials }));
  return createClient({ baseUrl: url, auth: session.access_token });
}

/** A minimal game server. A real one delivers first and stores the ids: see clients/examples/game_server.py. */
async function playGameServer(game: Client): Promise<void> {
  const { items } = await dataOf(gameLeaseDeliveries({ client: game, query: { limit: 100 } }));
  if (items.length === 0) return;
  const delivery_ids = items.map(({ delivery_id }) => delivery_id);
  await outcome(game, gameAcknowledgeDeliveries({ client: game, body: { delivery_ids } }));
}

/** Follows the changes of the site, as a game does, until the guild is among them. */
async function followUntilGuild(game: Client, place: string, guildId: number): Promise<GuildState> {
  const deadline = Date.now() + 60_000;
  let after = place;
  while (Date.now() < deadline) {
    const { items, last } = await dataOf(gameChanges({ client: game, query: { after, wait: 20 } }));
    const found = items.map(({ state }) => state.guild).find((guild) => guild?.guild_id === guildId);
    if (found !== undefined) return found;
    after = last; // a real game stores it in the transaction that applies the changes
  }
  throw new Error(`no change is about guild ${guildId}`);
}

/** A refused request. `problem.code` is the reason; its meaning never changes. */
export class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.problem = problem;
  }
}

/** The result of a call. The generated types always have a response, but a failed connection has none. */
type Result<Data> = ({ data: Data; error: undefined } | { data: undefined; error: Problem }) & {
  request: Request;
  response: Response | undefined;
};

/** Returns the data of a response, and throws a problem as an error. */
export async function dataOf<Data>(call: Promise<Result<Data>>): Promise<Data> {
  const { data, error, request, response } = await call;
  if (error === undefined) return data;
  if (response?.headers.get('Content-Type') === 'application/problem+json') throw new Refused(error);
  // Not a problem, in spite of the types: an error of fetch, or the response of a proxy.
  const instead =
    response === undefined ? 'gets no response; is the site running?' : `has the response ${response.status}`;
  throw new Error(`${request.method} ${request.url} ${instead}`, { cause: error });
}

/** The response of a command. `result` is missing while the command is pending. */
interface Operation<Output> {
  operation_id: string;
  status: OperationProgress;
  result?: Output;
}

/** The outcome is still unknown. The command is stored on disk: read its outcome later with `operationFind`. */
export class StillPending extends Error {
  readonly operationId: string;

  constructor(operationId: string, options?: ErrorOptions) {
    super(`operation ${operationId} is still pending`, options);
    this.operationId = operationId;
  }
}

/** Sends a command and returns its result. */
export async function outcome<Output>(client: Client, call: Promise<Result<Operation<Output>>>): Promise<Output> {
  return resultOf(client, await dataOf(call));
}

/** Returns the result of a command. A busy site responds after 5 s without it: then the command is not sent again. */
async function resultOf<Output>(client: Client, { operation_id, result }: Operation<Output>): Promise<Output> {
  return result ?? ((await completed(client, operation_id)).result as Output);
}

/** Polls a command until it is applied, for 60 s at most. If a poll fails, the command may still be applied. */
export async function completed(client: Client, id: string, milliseconds = 60_000): Promise<OperationDetails> {
  const deadline = Date.now() + milliseconds;
  let failure: unknown;
  while (Date.now() < deadline) {
    const operation = await dataOf(operationFind({ client, path: { id } })).catch((error: unknown) => {
      failure = error;
    });
    if (operation?.problem !== undefined) throw new Refused(operation.problem);
    if (operation?.status === 'applied') return operation;
    await pause(500);
  }
  throw new StillPending(id, { cause: failure });
}

/**
 * Follows the event stream of a payment until it is paid, for 60 s at most. A stream ends after 15 minutes or with its
 * connection; then a new one begins, with a new token if `auth` is a function.
 */
async function paid(client: Client, id: string): Promise<PaymentState> {
  const connection = new AbortController();
  const timer = setTimeout(() => {
    connection.abort();
  }, 60_000);
  let failure: unknown;
  const onSseError = (error: unknown) => (failure = error);
  try {
    while (!connection.signal.aborted) {
      const options = { client, path: { id }, signal: connection.signal, sseMaxRetryAttempts: 1, onSseError };
      const { stream } = await paymentEvents(options);
      for await (const state of stream) if (state.status === 'paid') return state;
      await pause(500);
    }
  } finally {
    clearTimeout(timer);
    connection.abort(); // the end of the loop does not close the connection
  }
  throw new Error(`payment ${id} is not paid after 60 s`, { cause: failure });
}

/** Polls until the condition is true, for 30 s at most. */
async function until<Value>(poll: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const value = await poll();
    if (isDone(value)) return value;
    if (Date.now() > deadline) throw new Error(`the value after 30 s is ${JSON.stringify(value)}`);
    await pause(200);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, milliseconds));
}

function emailOf(login: string): string {
  return `${login}@example.org`;
}

function randomLetters(count: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) =>
    String.fromCharCode(97 + (byte % 26)),
  ).join('');
}
