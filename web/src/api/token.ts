// The access token of this page. It exists only in memory: a script that an attacker injects into storage finds nothing.

interface Token {
  value: string;
  accountId: number;
  /** Milliseconds since 1970, by the clock of this browser. */
  expiresAt: number;
}

/** A token that expires sooner than this is renewed before it is used. */
const RENEW_BEFORE_MS = 30_000;

let token: Token | undefined;
let renew: (() => Promise<boolean>) | undefined;

export function setToken(value: string, expiresInSeconds: number, accountId: number): void {
  token = { value, accountId, expiresAt: Date.now() + expiresInSeconds * 1000 };
}

/** The account whose token this page has. Undefined for a guest. */
export function tokenAccount(): number | undefined {
  return token?.accountId;
}

export function forgetToken(): void {
  token = undefined;
}

/** `session.ts` says how a token is renewed. Without this indirection, the two files would import each other. */
export function onRenewal(renewToken: () => Promise<boolean>): void {
  renew = renewToken;
}

/** The token for a request, renewed if it expires soon. Undefined for a guest. */
export async function accessToken(): Promise<string | undefined> {
  const accountId = tokenAccount();
  if (token && token.expiresAt - Date.now() < RENEW_BEFORE_MS) await renew?.();
  return tokenOf(accountId);
}

/**
 * Gets a new token of the account after the server has refused `refused`. Undefined if the session has ended.
 * Throws an error if the session goes on but the server cannot renew the token at the moment: the caller has no response then.
 */
export async function replaceToken(refused: string, accountId: number | undefined): Promise<string | undefined> {
  if (token && token.value !== refused) return tokenOf(accountId); // another request has replaced it already
  const isRenewed = await renew?.();
  if (token && !isRenewed) throw new Error('The token is not renewed, because the server does not respond.');
  return tokenOf(accountId);
}

/** A renewal uses the cookie of the browser, which may be another account's by now. Its token is not for this request. */
function tokenOf(accountId: number | undefined): string | undefined {
  if (token && token.accountId !== accountId) throw new Error('Another account has logged in.');
  return token?.value;
}
