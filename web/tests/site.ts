// The running site, its mail catcher and its fake bank.

import { readFileSync } from 'node:fs';

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; \`./dev web test\` sets it`);
  return value;
}

export const SITE = { url: setting('WEB_URL'), api: `${setting('WEB_URL')}/api`, bank: setting('GUILDHALL_BANK_URL') };

/** `short`: the form in ./dev test. */
export const IS_SHORT = process.env['WEB_TESTS'] === 'short';

/** The password of new accounts. */
export const PASSWORD = 'correct horse battery staple';

export type StaffRole = 'admin' | 'editor' | 'merchant' | 'player' | 'game';

/** Names and passwords of the demo, or the name and the token of its game server. */
export function credentials(role: StaffRole): { name: string; secret: string } {
  for (const line of readFileSync(setting('WEB_CREDENTIALS'), 'utf8').split('\n')) {
    const [found, name, secret] = line.split(' ');
    if (found === role && name !== undefined && secret !== undefined) return { name, secret };
  }
  throw new Error(`the demo has no account for ${role}`);
}

let lastNumber = Date.now() % 100_000;

/** A name that no other test uses: letters only, for characters and guilds too. */
export function newName(prefix: string): string {
  lastNumber += 1;
  const letters = Array.from(String(lastNumber), (digit) => 'abcdefghij'[Number(digit)]).join('');
  return `${prefix} ${(letters[0] ?? '').toUpperCase()}${letters.slice(1)}`;
}

async function request(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${url}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/** Calls the API as a program with this access token does, or without one. */
export function call(token: string | undefined, method: string, path: string, body?: unknown): Promise<unknown> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return request(SITE.api + path, { ...(body === undefined ? { headers } : post(body, headers)), method });
}

export async function tokenOf(role: Exclude<StaffRole, 'game'>): Promise<string> {
  const { name, secret } = credentials(role);
  const session = await request(`${SITE.api}/auth`, post({ login: name, password: secret }));
  return (session as { access_token: string }).access_token;
}

/** A payment of the account with this token. */
export async function startPayment(token: string): Promise<{ payment_id: string; payload: string }> {
  const created = await call(token, 'POST', '/payments/instant/qrcode', { package_id: 1 });
  return (created as { result: { payment_id: string; payload: string } }).result;
}

/** Gives the account coins, and buys a health potion for this character of the account. */
export async function buyPotion(token: string, character_name: string): Promise<void> {
  const { account_id } = (await call(token, 'GET', '/accounts/me')) as { account_id: number };
  await call(await tokenOf('admin'), 'POST', '/admin/coins/adjust', { account_id, coins: 100, reason: 'For a test.' });
  const offers = (await call(undefined, 'GET', '/shop/offers')) as { items: { offer_id: number; name: string }[] };
  const offer_id = offers.items.find(({ name }) => name === 'Health potion')?.offer_id;
  await call(token, 'POST', '/shop/purchase', { character_name, lines: [{ offer_id, quantity: 1 }] });
}

/** Pays as the app of a bank does. */
export async function pay(payload: string): Promise<void> {
  await request(`${SITE.bank}/sandbox/pay`, post({ payload }));
}

/** Sends money that belongs to no payment. */
export async function payWithoutCharge(amount: string): Promise<void> {
  await request(`${SITE.bank}/sandbox/pay-static`, post({ amount }));
}

/** The next mails or notifications fail (docs/SANDBOX.md). */
export async function setFaults(faults: unknown): Promise<void> {
  await request(`${SITE.bank}/sandbox/faults`, { ...post(faults), method: 'PUT' });
}

/** The text of the newest mail to this address. Waits for it. */
export async function mailTo(email: string): Promise<string> {
  const found = await request(`${SITE.bank}/sandbox/mails?to=${encodeURIComponent(email)}&wait=20`);
  const text = (found as { mails: { text: string | null }[] }).mails[0]?.text;
  if (typeof text !== 'string') throw new Error(`no mail to ${email}`);
  return text;
}

/** The address in a mail, as a path of the site. */
export function linkIn(mail: string): string {
  const link = /https?:\/\/[^\s/]+(\/\S*#token=[\w-]+)/.exec(mail)?.[1];
  if (link === undefined) throw new Error(`the mail has no link: ${mail}`);
  return link;
}

/** The code in a mail: eight digits in two groups. */
export function codeIn(mail: string): string {
  const code = /\b\d{4} \d{4}\b/.exec(mail)?.[0];
  if (code === undefined) throw new Error(`the mail has no code: ${mail}`);
  return code;
}
