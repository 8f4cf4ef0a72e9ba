// What has become of a payment, and the next step.

import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { queries } from '../../api/queries';
import { useLanguage, useTexts } from '../../language/language';
import type { NoticeLook } from '../../look/controls';
import { Icon, type IconName } from '../../look/icon';
import { Coins } from '../../look/values';
import { href } from '../../routes';
import type { PaymentState, PaymentStatus } from '../../sdk';
import { accountMeOptions, accountMeQueryKey } from '../../sdk/@tanstack/preact-query.gen';
import { useCart } from '../shop/cart-store';
import { difference, formatted } from './money';
import { coins } from './texts';

export const STATUS_LOOKS: Record<PaymentStatus, [NoticeLook, IconName]> = {
  created: ['plain', 'clock'],
  pending: ['plain', 'clock'],
  paid: ['good', 'check'],
  paid_late: ['good', 'check'],
  underpaid: ['warning', 'warning'],
  overpaid: ['good', 'check'],
  expired: ['plain', 'clock'],
  cancelled: ['plain', 'cross'],
  failed: ['bad', 'warning'],
  review: ['warning', 'search'],
  refund_pending: ['plain', 'clock'],
  partially_refunded: ['plain', 'check'],
  refunded: ['plain', 'check'],
  reversed: ['bad', 'warning'],
};

export function Outcome({ payment }: { payment: PaymentState }) {
  const t = useTexts(coins);
  const { language } = useLanguage();
  const number = new Intl.NumberFormat(language);
  const [look, icon] = STATUS_LOOKS[payment.status];
  const [title, text] = t.outcomes[payment.status]({
    amount: formatted(payment.amount, language),
    received: formatted(payment.received, language),
    rest: formatted(difference(payment.amount, payment.received), language),
    coins: number.format(payment.coins),
    credited: number.format(payment.credited),
  });
  return (
    <section class={`sheet outcome ${look}`}>
      <div role="status" class="outcome-text">
        <span class="emblem">
          <Icon name={icon} size={28} />
        </span>
        <div class="stack">
          <h2>{title}</h2>
          <p>{text}</p>
        </div>
      </div>
      {payment.credited > 0 && <Balance credited={payment.credited} />}
      <NextSteps payment={payment} />
    </section>
  );
}

/** The balance, as it is since the coins were credited. */
function Balance({ credited }: { credited: number }) {
  const t = useTexts(coins);
  const { data: account, dataUpdatedAt } = useQuery(accountMeOptions());
  const [since, setSince] = useState(Infinity);
  useEffect(() => {
    setSince(Date.now());
    void queries.invalidateQueries({ queryKey: accountMeQueryKey() });
  }, [credited]);
  if (!account || dataUpdatedAt < since) return null;
  return (
    <p class="balance">
      {t.newBalance}{' '}
      <strong>
        <Coins count={account.coins} />
      </strong>
    </p>
  );
}

function NextSteps({ payment }: { payment: PaymentState }) {
  const t = useTexts(coins);
  const again = (text: string, coinCount?: number): ComponentChildren => (
    <Link class="button" href={coinCount ? `${href('coins')}?coins=${coinCount}` : href('coins')}>
      <Icon name="coins" />
      {text}
    </Link>
  );
  const isCartEmpty = useCart().length === 0;
  const toShop = (
    <Link class="button" href={href(isCartEmpty ? 'shop' : 'cart')}>
      {isCartEmpty ? t.toShop : t.toCart}
    </Link>
  );
  switch (payment.status) {
    case 'paid':
    case 'paid_late':
    case 'overpaid':
      return <div class="row">{toShop}</div>;
    case 'underpaid':
      return <div class="row">{again(t.buyRest, Math.max(1, payment.coins - payment.credited))}</div>;
    case 'expired':
    case 'cancelled':
    case 'failed':
    case 'refunded':
      return <div class="row">{again(t.newPayment)}</div>;
    default:
      return null;
  }
}
