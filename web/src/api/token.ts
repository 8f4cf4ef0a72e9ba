// The access token of this page. It exists only in memory: a script that an attacker injects into storage finds nothing.

interface Token {
  value: string;
  /** Milliseconds since 1970, by the clock of this browser. */
  expiresAt: number;
}

/** A token that expires sooner than this is renewed before it is used. */
const RENEW_BEFORE_MS = 30_000;

let token: Token | undefined;
let renew: (() => Promise<boolean>) | undefined;

export function setToken(value: string, expiresInSeconds: number): void {
  token = { value, expiresAt: Date.now() + expiresInSeconds * 1000 };
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
  if (token && token.expiresAt - Date.now() < RENEW_BEFORE_MS) await renew?.();
  return token?.value;
}

/**
 * Gets a new token after the server has refused `refused`. Undefined if the session has ended.
 * Throws an error if the session goes on but the server cannot renew the token at the moment: the caller has no response then.
 */
export async function replaceToken(refused: string): Promise<string | undefined> {
  if (token && token.value !== refused) return token.value; // another request has replaced it already
  const isRenewed = await renew?.();
  if (token && !isRenewed) throw new Error('The token is not renewed, because the server does not respond.');
  return token?.value;
}
