// Errors of requests. The API describes each with a problem (RFC 9457); a broken connection has none.

import type { Problem } from '../sdk';

/** The problem in what a request of the SDK threw or returned as its error. Undefined without a response of the API. */
export function problemOf(error: unknown): Problem | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && 'detail' in error
    ? (error as Problem)
    : undefined;
}

/** Statuses of a server or proxy that cannot respond at the moment. The same request may succeed later. */
export function isTemporaryStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Whether a read that failed with this error may succeed later. */
export function isTemporary(error: unknown): boolean {
  const problem = problemOf(error);
  return !problem || isTemporaryStatus(problem.status);
}
