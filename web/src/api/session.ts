// The session of this browser. The refresh token is in a cookie that no script can read; the access token is in `token.ts`.

import { useEffect, useState } from 'preact/hooks';
import { authCookieLogIn, authCookieLogOut, authCookieRefresh, authCookieSecondFactor } from '../sdk';
import type { BrowserSession, CodeAfterPassword, Credentials } from '../sdk';
import { answerOf, type Answer } from './answer';
import { pause } from './pause';
import { problemOf } from './problem';
import { forgetPendingCommands } from './pending';
import { queries } from './queries';
import { refresh } from './refresh';
import { forgetToken, onRenewal, setToken } from './token';

/** `unknown`: the page has just been opened and asks the server. It is away if the first request had no response. */
export type Session =
  { state: 'unknown'; isAway: boolean } | { state: 'guest' } | { state: 'member'; accountId: number };

/** Whether this browser has had a session. Without this mark, the first page of a guest needs no request about it. */
const MARK = 'guildhall.session';

let session: Session = localStorage.getItem(MARK) === null ? { state: 'guest' } : { state: 'unknown', isAway: false };
const listeners = new Set<() => void>();
/** Tells the other tabs of this browser which account has logged in, or that the session has ended. */
const otherTabs = new BroadcastChannel(MARK);

otherTabs.onmessage = ({ data }: MessageEvent<number | 'ended'>) => {
  if (session.state === 'member' && session.accountId === data) return;
  if (session.state !== 'guest') end();
  if (data === 'ended') {
    forgetPendingCommands();
  } else {
    localStorage.setItem(MARK, String(data));
    change({ state: 'unknown', isAway: false });
    void openSession();
  }
};

function change(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

export function useSession(): Session {
  const [current, setCurrent] = useState(session);
  useEffect(() => {
    const update = (): void => setCurrent(session);
    listeners.add(update);
    update();
    return () => listeners.delete(update);
  }, []);
  return current;
}

function start(tokens: BrowserSession): void {
  if (session.state === 'member' && session.accountId !== tokens.account_id) end(); // another tab has logged in
  setToken(tokens.access_token, tokens.expires_in, tokens.account_id);
  localStorage.setItem(MARK, String(tokens.account_id));
  change({ state: 'member', accountId: tokens.account_id });
}

/** Ends the session on this page. Commands without an outcome stay, because their account may log in again. */
function end(): void {
  forgetToken();
  localStorage.removeItem(MARK);
  change({ state: 'guest' });
  queries.clear();
}

export async function logIn(body: Credentials, captcha?: string): Promise<Answer<BrowserSession>> {
  return started(
    await answerOf(
      authCookieLogIn({
        body,
        headers: captcha === undefined ? {} : { Captcha: captcha },
      }),
    ),
  );
}

export async function completeLogIn(body: CodeAfterPassword): Promise<Answer<BrowserSession>> {
  return started(await answerOf(authCookieSecondFactor({ body })));
}

function started(answer: Answer<BrowserSession>): Answer<BrowserSession> {
  if (answer.data) {
    queries.clear(); // reads of a guest may differ from those of the account
    start(answer.data);
    otherTabs.postMessage(answer.data.account_id);
  }
  return answer;
}

let renewal: Promise<boolean> | undefined;

/**
 * Gets a new access token. Requests that need it at the same time share one renewal. The tabs of this browser renew one after
 * the other: a slow request of one tab with an old cookie would end the session of all.
 */
function renewOnce(): Promise<boolean> {
  renewal ??= navigator.locks.request(MARK, renew).finally(() => (renewal = undefined));
  return renewal;
}

async function renew(): Promise<boolean> {
  const answer = await refresh((signal) => authCookieRefresh({ signal }));
  if (answer.data) start(answer.data);
  else if (isRefused(answer)) end();
  return answer.data !== undefined;
}

/** Whether the API says that there is no session. A status of a proxy, such as a firewall's, says nothing about it. */
function isRefused({ error, response }: Answer<unknown>): boolean {
  return (response?.status === 401 || response?.status === 403) && problemOf(error) !== undefined;
}

onRenewal(renewOnce);

/** Shows that the server is away, unless it has said that there is no session. */
function markAway(): void {
  if (session.state === 'unknown') change({ state: 'unknown', isAway: true });
}

/** Continues the session of this browser after its page was opened. It tries until the server responds. */
export async function openSession(): Promise<void> {
  while (session.state === 'unknown' && !(await renewOnce())) {
    markAway();
    await pause(2_000);
  }
}

/**
 * Ends the session at the server and in all tabs of this browser. False if the server has not ended it: the session goes on.
 * A renewal ends first: its response would start the session again.
 */
export async function logOut(): Promise<boolean> {
  const { response } = await answerOf<unknown>(navigator.locks.request(MARK, () => authCookieLogOut()));
  if (!response?.ok && response?.status !== 401) return false;
  end();
  forgetPendingCommands();
  otherTabs.postMessage('ended');
  return true;
}
