// Commands whose outcome is not known yet. They survive a reload of this tab, so that a repeated command has the same
// Idempotency-Key and takes effect once. A command with a secret is only in the memory of this page.

import { tokenAccount } from './token';

export interface PendingCommand {
  key: string;
  body: unknown;
  /** The account that has started it. Missing for a guest. */
  accountId?: number | undefined;
  /** Milliseconds since 1970. */
  startedAt: number;
}

const PREFIX = 'guildhall.command.';
/** The server keeps outcomes and their keys for at least a day. Later, the same command would take effect a second time. */
const KEPT_MS = 23 * 60 * 60 * 1000;
/** After this time a command is sent again only by a click: the reader may have done the same in another way. */
const CONTINUED_MS = 10 * 60 * 1000;

interface Started {
  startedAt: number;
}

export function isKept({ startedAt }: Started): boolean {
  return Date.now() - startedAt < KEPT_MS;
}

/** Whether a command without an outcome continues by itself after its page was opened again. */
export function continuesByItself({ startedAt }: Started): boolean {
  return Date.now() - startedAt < CONTINUED_MS;
}

const secrets = new Map<string, PendingCommand>();

/** The command of this name that has no known outcome. A command of another account is none. */
export function pendingCommand(name: string): PendingCommand | undefined {
  const stored = sessionStorage.getItem(PREFIX + name);
  const command = stored === null ? secrets.get(name) : (JSON.parse(stored) as PendingCommand);
  if (command === undefined || command.accountId !== tokenAccount()) return undefined;
  return isKept(command) ? command : undefined;
}

export function startCommand(name: string, body: unknown, isSecret: boolean): PendingCommand {
  const command = { key: crypto.randomUUID(), body, accountId: tokenAccount(), startedAt: Date.now() };
  if (isSecret) secrets.set(name, command);
  else sessionStorage.setItem(PREFIX + name, JSON.stringify(command));
  return command;
}

export function forgetCommand(name: string): void {
  secrets.delete(name);
  sessionStorage.removeItem(PREFIX + name);
}

export function forgetPendingCommands(): void {
  secrets.clear();
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }
}
