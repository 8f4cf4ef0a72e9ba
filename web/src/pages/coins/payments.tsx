// The payments of the account.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { paymentStatuses } from '../../look/payment-statuses';
import { Coins, Money, Time } from '../../look/values';
import { href } from '../../routes';
import type { PaymentState, PaymentStatus } from '../../sdk';
import { paymentListOptions } from '../../sdk/@tanstack/preact-query.gen';
import { historyTexts } from './history-texts';
import { STATUS_LOOKS } from './outcome';
import { ITEMS, OwnList, OwnListPage, useListPage } from './own-list';

const POLL_MS = 10_000;

/** Statuses that the player or the bank is expected to change soon. */
const WAITING = new Set<PaymentStatus>(['created', 'pending', 'refund_pending']);

export function PaymentsPage() {
  return (
    <OwnListPage name="payments">
      <Payments />
    </OwnListPage>
  );
}

function Payments() {
  const t = useTexts(historyTexts);
  const { page, after } = useListPage();
  const payments = useQuery({
    ...paymentListOptions({ path: { page, limit: ITEMS }, query: after === undefined ? {} : { after } }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => WAITING.has(status)) ? POLL_MS : false),
  });
  return (
    <OwnList name="payments" query={payments} empty={t.noPayments}>
      {(payment) => <Payment key={payment.payment_id} payment={payment} />}
    </OwnList>
  );
}

function Payment({ payment }: { payment: PaymentState }) {
  const t = useTexts(historyTexts);
  const statuses = useTexts(paymentStatuses);
  const { status, coins, credited } = payment;
  const [look] = STATUS_LOOKS[status];
  return (
    <li class="own-list-item">
      <div>
        <p class="own-list-title">
          <Link href={href('payment', { id: payment.payment_id })}>
            <Coins count={coins} /> · <Money value={payment.amount} />
          </Link>
        </p>
        <p class="row faint">
          <Time at={payment.created_at} />
          {credited > 0 && credited !== coins && (
            <span>
              {t.credited} <Coins count={credited} />
            </span>
          )}
        </p>
      </div>
      <span class={`tag ${look}`}>{statuses[status]}</span>
    </li>
  );
}
