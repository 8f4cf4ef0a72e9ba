import type { Credentials } from './generated';

/** The addresses and credentials of the scenario. */
export interface Site {
  url: string;
  bankUrl: string;
  editor: Credentials;
  merchant: Credentials;
  gameToken: string;
}

/** Reads the site from environment variables. */
export function siteOf(environment: Record<string, string | undefined>): Site {
  const read = (name: string, otherwise?: string): string => {
    const value = environment[name] || otherwise;
    if (value === undefined) throw new Error(`${name} is not set; \`./dev sdk typescript story\` sets it`);
    return value;
  };
  return {
    url: read('GUILDHALL_URL', 'http://127.0.0.1:8080'),
    bankUrl: read('GUILDHALL_BANK_URL', 'http://127.0.0.1:8082'),
    editor: { login: read('GUILDHALL_EDITOR'), password: read('GUILDHALL_EDITOR_PASSWORD') },
    merchant: { login: read('GUILDHALL_MERCHANT'), password: read('GUILDHALL_MERCHANT_PASSWORD') },
    gameToken: read('GUILDHALL_GAME_TOKEN'),
  };
}

// The following functions replace the player's bank and mailbox. They are not part of the SDK: the fake bank of a site for
// tests also catches its mails.

/** Pays as the player does in the bank's app. */
export async function payInBankApp(bankUrl: string, payload: string): Promise<void> {
  const paid = await askFakeBank(`${bankUrl}/sandbox/pay`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ payload }),
  });
  if (paid.status !== 201) throw new Error(`the bank responds ${paid.status}: ${await paid.text()}`);
}

/** Waits for a mail to the address, for 20 s at most, and returns the token in its link. */
export async function tokenOfMail(bankUrl: string, email: string): Promise<string> {
  const response = await askFakeBank(`${bankUrl}/sandbox/mails?to=${encodeURIComponent(email)}&wait=20`);
  if (!response.ok) throw new Error(`the mail catcher responds ${response.status}: ${await response.text()}`);
  const { mails } = (await response.json()) as { mails: { text: string | null }[] };
  const token = /#token=([\w-]{43})/.exec(mails[0]?.text ?? '')?.[1];
  if (token === undefined) throw new Error(`no mail to ${email} has a link with a token`);
  return token;
}

async function askFakeBank(url: string, request: RequestInit = {}): Promise<Response> {
  return fetch(url, request).catch((cause: unknown) => {
    throw new Error(`${request.method ?? 'GET'} ${url} gets no response; is the fake bank running?`, { cause });
  });
}

/** The code that an authenticator app shows now (TOTP, RFC 6238). */
export async function codeOfApp(secret: string): Promise<string> {
  const bits = Array.from(secret, (letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2));
  const bytes =
    bits
      .map((five) => five.padStart(5, '0'))
      .join('')
      .match(/.{8}/g) ?? [];
  const keyBytes = Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
  const key = await crypto.subtle.importKey('raw', keyBytes, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
  const step = new DataView(new ArrayBuffer(8));
  step.setBigUint64(0, BigInt(Math.floor(Date.now() / 30_000)));
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, step));
  const number = mac.getUint32(mac.getUint8(19) & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}
