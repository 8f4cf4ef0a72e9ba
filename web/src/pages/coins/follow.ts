// The live state of a payment: the event stream, and reads as a net below it.

import { paymentEvents, type PaymentId, type PaymentState } from '../../sdk';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Reads the event stream of a payment until the returned function is called. The stream can end: the server ends it after
 * 15 minutes, a phone sleeps, a network changes. A new one then starts, at once when the page is visible or online again.
 */
export function followPayment(id: PaymentId, show: (state: PaymentState) => void): () => void {
  let isStopped = false;
  let failures = 0;
  let connection = new AbortController();
  let endPause: () => void = () => undefined;

  const readStream = async (): Promise<void> => {
    connection = new AbortController();
    const options = { path: { id }, signal: connection.signal, sseMaxRetryAttempts: 1 };
    const { stream } = await paymentEvents(options);
    for await (const state of stream) {
      if (connection.signal.aborted) return;
      show(state);
    }
  };

  const run = async (): Promise<void> => {
    while (!isStopped) {
      const startedAt = Date.now();
      await readStream().catch(() => undefined); // the page shows an outage by the reads, which fail too
      if (Date.now() - startedAt > LONGEST_PAUSE_MS) failures = 0;
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures++, LONGEST_PAUSE_MS);
      await new Promise<void>((resolve) => {
        endPause = resolve;
        setTimeout(resolve, pause);
      });
    }
  };

  const restart = (): void => {
    failures = 0;
    connection.abort();
    endPause();
  };
  const restartIfVisible = (): void => {
    if (document.visibilityState === 'visible') restart();
  };
  addEventListener('online', restart);
  document.addEventListener('visibilitychange', restartIfVisible);
  void run();
  return () => {
    isStopped = true;
    removeEventListener('online', restart);
    document.removeEventListener('visibilitychange', restartIfVisible);
    restart();
  };
}
