// Commands: requests that change something. Each is sent until its outcome is known.

import { useEffect, useRef, useState } from 'preact/hooks';
import { operationFind } from '../sdk';
import type { Problem } from '../sdk';
import { answerOf, retryAfter, type Answer } from './answer';
import { pause } from './pause';
import { forgetCommand, pendingCommand, startCommand } from './pending';
import { isTemporaryStatus, problemOf } from './problem';
import { queries } from './queries';

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
  /** There is no response, or no outcome, after ten minutes. The command may have taken effect. */
  | { step: 'unknown' };

/** The operation of a command, as the API returns it. */
interface Operation<Result> {
  operation_id: string;
  status: string;
  result?: Result;
  problem?: Problem;
}

interface CommandOptions<Body, Result> {
  /** Identifies the command and its target in this tab: `guild.invite/5`. */
  name: string;
  send: (body: Body, headers: { 'Idempotency-Key': string }) => Promise<unknown>;
  /** The body is a secret: it is not stored, so the command is not continued after a reload. */
  isSecret?: boolean;
  /** Called once with the outcome, before the page shows it. */
  onDone?: (result: Result | undefined, body: Body) => void;
}

export interface Command<Body, Result> {
  state: CommandState<Result>;
  /** Why the command was refused, if it was. */
  problem: Problem | undefined;
  isBusy: boolean;
  /** Sends the command. Does nothing while an earlier one has no outcome. */
  send: (body: Body) => void;
  /** Forgets the outcome that is shown. */
  reset: () => void;
}

/** So long a command is sent again while the server does not respond. */
const REPEATED_MS = 10 * 60 * 1000;
const LONGEST_PAUSE_MS = 5_000;
/** A longer pause that the server asks for is shortened to this. */
const LONGEST_RETRY_AFTER_MS = 60_000;
/** A command that is stored on disk is certain to get an outcome. After this time the page no longer waits for it. */
const OUTCOME_MS = 10 * 60 * 1000;

/** A command of a page. If the page was reloaded before the outcome was known, the command continues by itself. */
export function useCommand<Body, Result = unknown>(options: CommandOptions<Body, Result>): Command<Body, Result> {
  const [state, setState] = useState<CommandState<Result>>({ step: 'idle' });
  const current = useRef(options);
  current.current = options;
  const isRunning = useRef(false);

  const send = (body: Body): void => {
    if (isRunning.current) return;
    isRunning.current = true;
    void run(current.current, body, setState).then((outcome) => {
      isRunning.current = false;
      if (outcome.step === 'done') {
        current.current.onDone?.(outcome.result, body);
        void queries.invalidateQueries();
      }
      setState(outcome);
    });
  };

  useEffect(() => {
    const pending = options.isSecret ? undefined : pendingCommand(options.name);
    if (pending) send(pending.body as Body);
    else setState({ step: 'idle' });
  }, [options.name]);

  const isBusy = state.step === 'sending' || state.step === 'repeating' || state.step === 'waiting';
  const problem = state.step === 'refused' ? state.problem : undefined;
  return { state, problem, isBusy, send, reset: () => setState({ step: 'idle' }) };
}

async function run<Body, Result>(
  { name, send, isSecret }: CommandOptions<Body, Result>,
  body: Body,
  show: (state: CommandState<Result>) => void,
): Promise<CommandState<Result>> {
  // A secret has a key for its attempts, but the key does not survive the page.
  const key = isSecret ? crypto.randomUUID() : startCommand(name, body);
  show({ step: 'sending' });
  const end = Date.now() + REPEATED_MS;
  for (let delay = 500; Date.now() < end; delay = Math.min(delay * 2, LONGEST_PAUSE_MS)) {
    const answer = await answerOf(send(body, { 'Idempotency-Key': key }) as Promise<Answer<Operation<Result>>>);
    if (answer.data?.status === 'pending') {
      show({ step: 'waiting' });
      return outcomeOf(name, answer.data.operation_id);
    }
    if (answer.data) return forgotten(name, { step: 'done', result: answer.data.result });
    const problem = refusalIn(answer);
    if (problem) return forgotten(name, { step: 'refused', problem });
    show({ step: 'repeating' });
    const wanted = Math.min(retryAfter(answer) ?? 0, LONGEST_RETRY_AFTER_MS);
    await pause(Math.max(wanted, delay));
  }
  return { step: 'unknown' };
}

/** Reads the outcome of a command that the server has stored. */
async function outcomeOf<Result>(name: string, operationId: string): Promise<CommandState<Result>> {
  const end = Date.now() + OUTCOME_MS;
  for (let delay = 500; Date.now() < end; delay = Math.min(delay * 1.5, LONGEST_PAUSE_MS)) {
    await pause(delay);
    const answer = await answerOf(operationFind({ path: { id: operationId } }) as Promise<Answer<Operation<Result>>>);
    if (answer.data?.status === 'applied') return forgotten(name, { step: 'done', result: answer.data.result });
    const problem = answer.data?.problem ?? refusalIn(answer);
    if (problem) return forgotten(name, { step: 'refused', problem });
  }
  return { step: 'unknown' };
}

function forgotten<State>(name: string, outcome: State): State {
  forgetCommand(name);
  return outcome;
}

/** The problem of a request that would be refused again. */
function refusalIn({ error, response }: Answer<unknown>): Problem | undefined {
  return response && !isTemporaryStatus(response.status) ? problemOf(error) : undefined;
}
