// Payments of this browser that can still be paid.

import { useQueries } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { Icon } from '../../look/icon';
import { Coins, Money, Time } from '../../look/values';
import { href } from '../../routes';
import type { AccountId, PaymentState, PaymentStatus } from '../../sdk';
import { paymentFindOptions } from '../../sdk/@tanstack/preact-query.gen';
import { forgetPayment, rememberPayment, useRememberedPayments } from './remembered';
import { coins } from './texts';

const CAN_BE_PAID = new Set<PaymentStatus>(['created', 'pending']);

/** Remembers a payment that is open, and forgets it when it is not. */
export function RememberPayment({ accountId, payment }: { accountId: AccountId; payment: PaymentState }) {
  const isOpen = CAN_BE_PAID.has(payment.status);
  useEffect(() => {
    if (isOpen) rememberPayment(accountId, payment.payment_id);
    else forgetPayment(accountId, payment.payment_id);
  }, [accountId, payment.payment_id, isOpen]);
  return null;
}

export function OpenPayments({ accountId }: { accountId: AccountId }) {
  const t = useTexts(coins);
  const remembered = useRememberedPayments(accountId);
  const payments = useQueries({ queries: remembered.map(({ id }) => paymentFindOptions({ path: { id } })) });
  const open = payments.flatMap(({ data }) => (data && CAN_BE_PAID.has(data.status) ? [data] : []));
  if (open.length === 0) return null;
  return (
    <section class="sheet">
      <h2>{t.openPayments}</h2>
      <ul class="plain-list open-payments">
        {open.map((payment) => (
          <li key={payment.payment_id} class="row">
            <Icon name="clock" />
            <span>
              <Coins count={payment.coins} /> · <Money value={payment.amount} />
            </span>
            <span class="faint">
              {t.payUntil} <Time at={payment.expires_at} />
            </span>
            <Link class="button quiet small end" href={href('payment', { id: payment.payment_id })}>
              {t.continuePayment}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
