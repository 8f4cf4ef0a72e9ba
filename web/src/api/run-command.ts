// Sends a command until its outcome is known.

import { operationFind } from '../sdk';
import type { Problem } from '../sdk';
import { answerOf, retryAfter, type Answer } from './answer';
import { pause } from './pause';
import { forgetCommand, pendingCommand, startCommand, type PendingCommand } from './pending';
import { isTemporaryStatus, problemOf } from './problem';
import { tokenAccount } from './token';

/** The state of a command, as a page shows it. */
export type CommandState<Result> =
  | { step: 'idle' }
  | { step: 'sending' }
  /** The server did not respond, or it is overloaded. The same request is sent again. */
  | { step: 'repeating' }
  /** The server has stored the command on disk. It has no outcome yet. */
  | { step: 'waiting' }
  | { step: 'done'; result: Result | undefined }
  | { step: 'refused'; problem: Problem }
  /**
   * There were too many requests. `retryAt`: when the server accepts the next one, in milliseconds since 1970. The limited
   * request has taken no effect; `mayHaveArrived` says whether an earlier one may have done so.
   */
  | { step: 'limited'; problem: Problem; retryAt: number | undefined; mayHaveArrived: boolean }
  /** An earlier command of this name, with another body, has no outcome yet. The new one is not sent. */
  | { step: 'earlier' }
  /** There is no response, or no outcome, after ten minutes, or the session has ended. The command may have taken effect. */
  | { step: 'unknown' };

/** The operation of a command, as the API returns it. */
interface Operation<Result> {
  operation_id: string;
  status: string;
  result?: Result;
  problem?: Problem;
}

export interface CommandRequest<Body> {
  /** Identifies the command and its target in this tab: `guild.invite/5`. */
  name: string;
  send: (body: Body, headers: { 'Idempotency-Key': string }) => Promise<unknown>;
  /** The body is a secret: it is not stored, so the command is not continued after a reload. */
  isSecret?: boolean;
  /** Two bodies with the same identity are the same command. Without it, the whole body is compared. */
  identity?: (body: Body) => unknown;
  /** The caller keeps the command with its key, so it is not stored. */
  kept?: (body: Body) => KeptCommand;
}

interface KeptCommand extends Pick<PendingCommand, 'key' | 'accountId'> {
  /** Whether an earlier request with this key may have arrived. */
  mayHaveArrived: boolean;
}

/** So long a command is sent again while the server does not respond. */
const REPEATED_MS = 10 * 60 * 1000;
const LONGEST_PAUSE_MS = 5_000;
/** A longer pause that the server asks for is shortened to this. */
const LONGEST_RETRY_AFTER_MS = 60_000;
/** A command that is stored on disk is certain to get an outcome. After this time the page no longer waits for it. */
const OUTCOME_MS = 10 * 60 * 1000;

/**
 * Sends the command. If an earlier one of this name has no outcome, the same command has its key, and another one is not sent: both
 * could take effect otherwise. If another account has logged in meanwhile, nothing more is sent.
 */
export async function runCommand<Body, Result>(
  request: CommandRequest<Body>,
  body: Body,
  show: (state: CommandState<Result>) => void,
): Promise<CommandState<Result>> {
  if (request.kept) {
    const command = request.kept(body);
    return outcomeOf(request, { ...command, body }, command.mayHaveArrived, show);
  }
  const pending = pendingCommand(request.name);
  if (pending) {
    const isSame = identityOf(request, pending.body as Body) === identityOf(request, body);
    return isSame ? outcomeOf(request, { ...pending, body }, true, show) : { step: 'earlier' };
  }
  const command = startCommand(request.name, body, request.isSecret ?? false);
  return outcomeOf(request, command, false, show);
}

function identityOf<Body>({ identity }: CommandRequest<Body>, body: Body): string {
  return JSON.stringify(identity ? identity(body) : body);
}

async function outcomeOf<Body, Result>(
  { name, send }: CommandRequest<Body>,
  { key, body, accountId }: Pick<PendingCommand, 'key' | 'body' | 'accountId'>,
  hasBeenSent: boolean,
  show: (state: CommandState<Result>) => void,
): Promise<CommandState<Result>> {
  show({ step: 'sending' });
  const end = Date.now() + REPEATED_MS;
  let mayHaveArrived = hasBeenSent;
  for (let delay = 500; Date.now() < end; delay = Math.min(delay * 2, LONGEST_PAUSE_MS)) {
    if (isOfOther(accountId)) return { step: 'idle' };
    const answer = await answerOf(send(body as Body, { 'Idempotency-Key': key }) as Promise<Answer<Operation<Result>>>);
    if (answer.data?.status === 'pending') {
      show({ step: 'waiting' });
      return storedOutcome(name, accountId, answer.data.operation_id);
    }
    if (answer.data) return forgotten(name, { step: 'done', result: answer.data.result });
    // A request that is refused by a limit, or without a session, takes no effect. But one before it may have done so: then
    // its key is kept.
    const limited = limitIn(answer, mayHaveArrived);
    if (limited) return mayHaveArrived ? limited : forgotten(name, limited);
    const problem = refusalIn(answer);
    if (problem?.status === 401 && mayHaveArrived) return { step: 'unknown' };
    if (problem) return forgotten(name, { step: 'refused', problem });
    mayHaveArrived = true;
    show({ step: 'repeating' });
    const wanted = Math.min(retryAfter(answer) ?? 0, LONGEST_RETRY_AFTER_MS);
    await pause(Math.max(wanted, delay));
  }
  return { step: 'unknown' };
}

/** Reads the outcome of a command that the server has stored. */
async function storedOutcome<Result>(
  name: string,
  accountId: number | undefined,
  operationId: string,
): Promise<CommandState<Result>> {
  const end = Date.now() + OUTCOME_MS;
  for (let delay = 500; Date.now() < end; delay = Math.min(delay * 1.5, LONGEST_PAUSE_MS)) {
    await pause(delay);
    if (isOfOther(accountId)) return { step: 'idle' };
    const answer = await answerOf(operationFind({ path: { id: operationId } }) as Promise<Answer<Operation<Result>>>);
    if (answer.data?.status === 'applied') return forgotten(name, { step: 'done', result: answer.data.result });
    const problem = answer.data?.problem;
    if (problem) return forgotten(name, { step: 'refused', problem });
    if (refusalIn(answer)) break; // of the read: it says nothing about the command
  }
  return { step: 'unknown' };
}

/** Whether the account of a command is no longer logged in. A guest may log in while a command without an account runs. */
function isOfOther(accountId: number | undefined): boolean {
  return accountId !== undefined && accountId !== tokenAccount();
}

function forgotten<State>(name: string, outcome: State): State {
  forgetCommand(name);
  return outcome;
}

/** The problem of a request that would be refused again. */
function refusalIn({ error, response }: Answer<unknown>): Problem | undefined {
  return response && !isTemporaryStatus(response.status) ? problemOf(error) : undefined;
}

function limitIn(
  answer: Answer<unknown>,
  mayHaveArrived: boolean,
): Extract<CommandState<never>, { step: 'limited' }> | undefined {
  const problem = answer.response?.status === 429 ? problemOf(answer.error) : undefined;
  const wait = retryAfter(answer);
  const retryAt = wait === undefined ? undefined : Date.now() + wait;
  return problem && { step: 'limited', problem, retryAt, mayHaveArrived };
}
