// The cache of reads.

import { QueryClient } from '@tanstack/preact-query';
import { isTemporary } from './problem';

/** The longest pause before a failed read is repeated. */
const LONGEST_PAUSE_MS = 5_000;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A page that is open while the server is away shows its data again as soon as the server is back.
      retry: (_, error) => isTemporary(error),
      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, LONGEST_PAUSE_MS),
    },
  },
});
