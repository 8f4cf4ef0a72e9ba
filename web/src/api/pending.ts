// Commands of this tab whose outcome is not known yet. They survive a reload, so that a repeated command has the same
// Idempotency-Key and takes effect once.

interface PendingCommand {
  key: string;
  body: unknown;
  /** Milliseconds since 1970. */
  startedAt: number;
}

const PREFIX = 'guildhall.command.';
/** The server keeps outcomes for 30 days by default. Nobody waits for an outcome that long. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** The command of this name that has no known outcome. */
export function pendingCommand(name: string): PendingCommand | undefined {
  const stored = sessionStorage.getItem(PREFIX + name);
  if (stored === null) return undefined;
  const command = JSON.parse(stored) as PendingCommand;
  return Date.now() - command.startedAt < KEPT_MS ? command : undefined;
}

/** The key for a command with this body: that of the pending one if it has the same body. */
export function startCommand(name: string, body: unknown): string {
  const pending = pendingCommand(name);
  if (pending && JSON.stringify(pending.body) === JSON.stringify(body)) return pending.key;
  const command: PendingCommand = { key: crypto.randomUUID(), body, startedAt: Date.now() };
  sessionStorage.setItem(PREFIX + name, JSON.stringify(command));
  return command.key;
}

export function forgetCommand(name: string): void {
  sessionStorage.removeItem(PREFIX + name);
}

export function forgetPendingCommands(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }
}
