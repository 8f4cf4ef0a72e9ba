// Requests that are sent once: reads by a secret, and changes whose response holds a secret. They have no Idempotency-Key
// (docs/ARCHITECTURE.md), so a page never repeats them by itself.

import { useRef, useState } from 'preact/hooks';
import type { Problem } from '../sdk';
import { answerOf, retryAfter, type Answer } from './answer';
import { problemOf } from './problem';

export interface RequestFailure {
  step: 'failed';
  /** Missing if there is no response of the API: the request may have taken effect. */
  problem?: Problem | undefined;
  /** When the server accepts the next attempt, in milliseconds since 1970. */
  retryAt?: number | undefined;
}

export type RequestState<Data> = { step: 'idle' } | { step: 'sending' } | { step: 'done'; data: Data } | RequestFailure;

export interface SingleRequest<Body, Data> {
  state: RequestState<Data>;
  isBusy: boolean;
  /** Does nothing while an earlier request has no response. */
  send: (body: Body) => void;
  reset: () => void;
}

export function useRequest<Body, Data>(
  request: (body: Body) => Promise<Answer<Data>>,
  onEnd?: (outcome: RequestState<Data>) => void,
): SingleRequest<Body, Data> {
  const [state, setState] = useState<RequestState<Data>>({ step: 'idle' });
  const isRunning = useRef(false);
  const send = (body: Body): void => {
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ step: 'sending' });
    void answerOf(request(body)).then((answer) => {
      isRunning.current = false;
      const outcome: RequestState<Data> =
        answer.data === undefined ? failureOf(answer) : { step: 'done', data: answer.data };
      setState(outcome);
      onEnd?.(outcome);
    });
  };
  return { state, isBusy: state.step === 'sending', send, reset: () => setState({ step: 'idle' }) };
}

function failureOf(answer: Answer<unknown>): RequestFailure {
  const pause = retryAfter(answer);
  return {
    step: 'failed',
    problem: problemOf(answer.error),
    retryAt: pause === undefined ? undefined : Date.now() + pause,
  };
}
