// Commands: requests that change something. Each is sent until its outcome is known.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../sdk';
import { continuesByItself, forgetCommand, pendingCommand, type PendingCommand } from './pending';
import { queries } from './queries';
import { runCommand, type CommandRequest, type CommandState } from './run-command';

interface CommandOptions<Body, Result> extends CommandRequest<Body> {
  /** Called once with the outcome, before the page shows it. */
  onDone?: (result: Result | undefined, body: Body) => void;
  /** Called once if it is certain that the command takes no effect, before the page shows it. */
  onRefused?: (problem: Problem, body: Body) => void;
}

export interface Command<Body, Result> {
  state: CommandState<Result>;
  /** Why the command was refused, if it was. */
  problem: Problem | undefined;
  isBusy: boolean;
  /** Sends the command. Does nothing while an earlier one has no outcome. */
  send: (body: Body) => void;
  /** Forgets the outcome that is shown. Does nothing while the command is sent. An earlier one without an outcome is shown again. */
  reset: () => void;
  /** The command of this name that has no outcome, while the state says so. */
  earlier: EarlierCommand | undefined;
}

/** A command that may have taken effect. */
export interface EarlierCommand {
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Sends it again to learn its outcome. It takes effect only once. */
  repeat: () => void;
  /** Forgets it. It may have taken effect nevertheless. */
  discard: () => void;
}

/**
 * A command of a page. If the page was reloaded before the outcome was known, the command continues by itself. After ten
 * minutes it does so only when the reader sends it again.
 */
export function useCommand<Body, Result = unknown>(options: CommandOptions<Body, Result>): Command<Body, Result> {
  const [state, setState] = useState<CommandState<Result>>({ step: 'idle' });
  const current = useRef(options);
  current.current = options;
  const isRunning = useRef(false);

  const send = (body: Body): void => {
    if (isRunning.current) return;
    isRunning.current = true;
    void runCommand<Body, Result>(current.current, body, setState).then((outcome) => {
      isRunning.current = false;
      if (outcome.step === 'done') current.current.onDone?.(outcome.result, body);
      if (outcome.step === 'refused' || (outcome.step === 'limited' && !outcome.mayHaveArrived)) {
        current.current.onRefused?.(outcome.problem, body);
      }
      if (outcome.step === 'done') void queries.invalidateQueries();
      setState(outcome);
    });
  };

  useEffect(() => {
    const pending = options.isSecret || options.kept ? undefined : pendingCommand(options.name);
    if (!pending) setState({ step: 'idle' });
    else if (continuesByItself(pending)) send(pending.body as Body);
    else setState({ step: 'unknown' });
  }, [options.name]);

  const isBusy = state.step === 'sending' || state.step === 'repeating' || state.step === 'waiting';
  const problem = state.step === 'refused' ? state.problem : undefined;
  const findEarlier = (): PendingCommand | undefined => (options.kept ? undefined : pendingCommand(options.name));
  const reset = (): void => {
    if (!isRunning.current) setState({ step: findEarlier() ? 'unknown' : 'idle' });
  };
  const withoutOutcome = state.step === 'unknown' || state.step === 'earlier' ? findEarlier() : undefined;
  const earlier = withoutOutcome && {
    startedAt: withoutOutcome.startedAt,
    repeat: () => send(withoutOutcome.body as Body),
    discard: () => {
      forgetCommand(options.name);
      setState({ step: 'idle' });
    },
  };
  return { state, problem, isBusy, send, reset, earlier };
}
