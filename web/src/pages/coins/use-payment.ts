// A payment as the page shows it. Its state comes from the API alone.

import { useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { queries } from '../../api/queries';
import { paymentFind, type PaymentId, type PaymentStatus } from '../../sdk';
import { accountMeQueryKey, paymentFindOptions } from '../../sdk/@tanstack/preact-query.gen';
import { followPayment } from './follow';
import { noteServerTime } from './server-clock';

const POLL_MS = 10_000;

/** Statuses that money or the provider can change soon. Expired and cancelled payments still accept money. */
const OPEN = new Set<PaymentStatus>([
  'created',
  'pending',
  'underpaid',
  'expired',
  'cancelled',
  'review',
  'refund_pending',
]);

export function usePayment(id: PaymentId) {
  const options = paymentFindOptions({ path: { id } });
  const query = useQuery({
    ...options,
    queryFn: async ({ signal }) => {
      const sentAt = Date.now();
      const { data, response } = await paymentFind({ path: { id }, signal, throwOnError: true });
      noteServerTime(response, sentAt);
      return data;
    },
    // The stream is faster. A read finds what a stream that has ended unnoticed does not tell.
    refetchInterval: ({ state }) => (state.data && OPEN.has(state.data.status) ? POLL_MS : false),
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  });

  const status = query.data?.status;
  const isOpen = status !== undefined && OPEN.has(status);
  useEffect(() => {
    if (!isOpen) return undefined;
    return followPayment(id, (state) => {
      // A read that was sent earlier must not replace a later state.
      void queries
        .cancelQueries({ queryKey: options.queryKey })
        .then(() => queries.setQueryData(options.queryKey, state));
    });
  }, [id, isOpen]);

  const credited = query.data?.credited;
  useEffect(() => {
    if (credited !== undefined) void queries.invalidateQueries({ queryKey: accountMeQueryKey() });
  }, [credited]);

  return query;
}
