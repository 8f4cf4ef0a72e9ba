// A payment: how to pay it, and what has become of it.

import { Link, useParams } from 'wouter-preact';
import { useAccount } from '../../api/account';
import { useLanguage, useTexts } from '../../language/language';
import { Members, Page } from '../../look/page';
import { Empty, Loaded } from '../../look/query';
import { Coins, Money, Time } from '../../look/values';
import { href } from '../../routes';
import type { PaymentState } from '../../sdk';
import { CancelPayment } from './cancel';
import { Countdown } from './countdown';
import { Outcome } from './outcome';
import { Payload } from './payload';
import { QrCode } from './qr-code';
import { RememberPayment } from './open-payments';
import { coins } from './texts';
import { usePayment } from './use-payment';

/** The form of an id of the API. Another address was mistyped. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function PaymentPage() {
  const t = useTexts(coins);
  const { id = '' } = useParams();
  const toCoins = (
    <Link class="button quiet" href={href('coins')}>
      {t.allCoins}
    </Link>
  );
  return (
    <Page title={t.payment} aside={toCoins}>
      <Members>{UUID.test(id) ? <Payment key={id} id={id} /> : <Empty>{t.noSuchPayment}</Empty>}</Members>
    </Page>
  );
}

function Payment({ id }: { id: string }) {
  const account = useAccount();
  const payment = usePayment(id);
  const refetch = (): void => void payment.refetch();
  return (
    <Loaded query={payment}>
      {(state) => (
        <>
          {account && <RememberPayment accountId={account.account_id} payment={state} />}
          {state.status === 'pending' && state.payload !== undefined ? (
            <ToPay payment={state} payload={state.payload} onEnd={refetch} />
          ) : (
            <Outcome payment={state} />
          )}
          <Facts payment={state} />
        </>
      )}
    </Loaded>
  );
}

interface ToPayProps {
  payment: PaymentState;
  payload: string;
  onEnd: () => void;
}

function ToPay({ payment, payload, onEnd }: ToPayProps) {
  const t = useTexts(coins);
  return (
    <section class="sheet to-pay">
      <div class="stack">
        <div>
          <p class="amount">
            <Money value={payment.amount} />
          </p>
          <p>
            {t.forCoins} <Coins count={payment.coins} />
          </p>
        </div>
        <Countdown end={payment.expires_at} onEnd={onEnd} />
        <ol class="steps">
          {t.steps[payment.scheme === 'sepa' ? 'transfer' : 'app'].map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </div>
      <Payload text={payload} />
      <QrCode id={payment.payment_id} />
      <div class="to-pay-end">
        <p class="waiting" role="status">
          <span class="pulse" />
          {t.pending}
        </p>
        <CancelPayment id={payment.payment_id} />
      </div>
    </section>
  );
}

function Facts({ payment }: { payment: PaymentState }) {
  const t = useTexts(coins);
  const { language } = useLanguage();
  const names = new Intl.DisplayNames(language, { type: 'currency' });
  return (
    <dl class="facts faint">
      <dt>{t.paymentNumber}</dt>
      <dd>{payment.payment_id}</dd>
      <dt>{t.scheme}</dt>
      <dd>
        {t.schemes[payment.scheme]} ({names.of(payment.amount.currency)})
      </dd>
      <dt>{t.createdAt}</dt>
      <dd>
        <Time at={payment.created_at} />
      </dd>
    </dl>
  );
}
