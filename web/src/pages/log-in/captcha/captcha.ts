// The captcha of a form. It is solved while the reader fills in the form, if the site needs one for this request.

import { useEffect, useRef, useState } from 'preact/hooks';
import { answerOf } from '../../../api/answer';
import { captchaView } from '../../../sdk';
import type { Captcha as CaptchaView, CaptchaPlace } from '../../../sdk';
import type { Work, WorkMessage } from './work';

export type CaptchaState =
  | { step: 'idle' }
  | { step: 'solving'; progress: number }
  | { step: 'solved' }
  | { step: 'provider' }
  | { step: 'failed' };

export interface Captcha {
  state: CaptchaState;
  /** Starts to solve, at the first touch of the form. */
  begin: () => void;
  /** The solution for one request, undefined if the site needs none. The next request gets another one. */
  take: () => Promise<string | undefined>;
}

/** A solution is valid for ten minutes. An older one than this is not sent. */
const FRESH_MS = 8 * 60 * 1000;

export function useCaptcha(place: CaptchaPlace): Captcha {
  const [state, setState] = useState<CaptchaState>({ step: 'idle' });
  const solving = useRef<{ solution: Promise<string | undefined>; startedAt: number } | null>(null);
  const isNeeded = useRef(true);
  const cancel = useRef(new AbortController());
  useEffect(() => () => cancel.current.abort(), []);

  const solution = async (): Promise<string | undefined> => {
    const { data } = await answerOf<CaptchaView>(captchaView());
    // Without a response, the request itself says whether it needs a captcha.
    isNeeded.current = data?.required_at.includes(place) ?? true;
    if (!data || !isNeeded.current) return undefined;
    if (!isWork(data)) {
      setState({ step: data.kind === 'siteverify' ? 'provider' : 'failed' });
      return undefined;
    }
    const solved = await solveInWorker(data, cancel.current.signal, (progress) =>
      setState({ step: 'solving', progress }),
    );
    setState({ step: solved === undefined ? 'failed' : 'solved' });
    return solved;
  };
  const begin = (): void => {
    if (!isNeeded.current) return;
    if (solving.current && Date.now() - solving.current.startedAt < FRESH_MS) return;
    solving.current = { solution: solution(), startedAt: Date.now() };
  };
  const take = async (): Promise<string | undefined> => {
    begin();
    const taken = await solving.current?.solution;
    solving.current = null;
    return taken;
  };
  return { state, begin, take };
}

function isWork(view: CaptchaView): view is CaptchaView & Work {
  return view.kind === 'altcha' && view.challenge !== undefined && view.maxnumber !== undefined;
}

/** The solution for the header `Captcha`. Undefined if there is none. */
function solveInWorker(
  work: Work,
  cancelled: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    const end = (solution?: string): void => {
      worker.terminate();
      resolve(solution);
    };
    cancelled.addEventListener('abort', () => end());
    worker.onerror = () => end();
    worker.onmessage = ({ data }: MessageEvent<WorkMessage>) => {
      if ('progress' in data) onProgress(data.progress);
      else end('solution' in data ? data.solution : undefined);
    };
    onProgress(0);
    worker.postMessage(work);
  });
}
