// One payment with everything that is recorded about it.

import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useTexts } from '../../../language/language';
import { Notice } from '../../../look/controls';
import { Page } from '../../../look/page';
import { Loaded } from '../../../look/query';
import { Coins, Money, Time } from '../../../look/values';
import { href } from '../../../routes';
import type { PaymentDetails, PaymentStatus } from '../../../sdk';
import { adminPaymentOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { AccountLink, Facts } from '../panel/links';
import { panel } from '../panel/texts';
import { RefundAction } from './refund';
import { StatusTag } from './status';
import { statusTexts } from './status-texts';
import { Story } from './story';
import { payments } from './texts';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const REFRESH_MS = 3_000;

const WAITING = new Set<PaymentStatus | undefined>(['created', 'pending', 'refund_pending']);

export function PaymentDetail({ id }: { id: string }) {
  const t = useTexts(payments);
  const isId = ID.test(id);
  const details = useQuery({
    ...adminPaymentOptions({ path: { id } }),
    enabled: isId,
    // The bank decides about these soon.
    refetchInterval: ({ state }) => (WAITING.has(state.data?.payment.status) ? REFRESH_MS : false),
  });
  const back = <Link href={href('staffPage', { page: 'payments' })}>{t.back}</Link>;
  return (
    <Page title={t.payment} below={<code class="faint">{id}</code>} aside={back}>
      {isId ? (
        <Loaded query={details}>{(data) => <Details details={data} />}</Loaded>
      ) : (
        <Notice look="bad">{t.noPayment}</Notice>
      )}
    </Page>
  );
}

function Details({ details }: { details: PaymentDetails }) {
  const t = useTexts(payments);
  const p = useTexts(panel);
  const s = useTexts(statusTexts);
  const { payment, receipts } = details;
  const held = receipts.filter(({ held_because }) => held_because !== undefined);
  return (
    <>
      <section class="sheet">
        <div class="row spread">
          <StatusTag status={payment.status} />
          <RefundAction details={details} />
        </div>
        <p>{s.meanings[payment.status]}</p>
        {payment.failure !== undefined && <Notice look="bad">{t.failure(payment.failure)}</Notice>}
        {held.map((receipt) => (
          <Notice key={receipt.receipt_id} look="warning">
            {t.held(receipt.held_because ?? '')}
          </Notice>
        ))}
        <Facts
          facts={[
            [p.account, <AccountLink key="account" id={payment.account_id} name={payment.account_name} />],
            [t.amount, <Money key="amount" value={payment.amount} />],
            [t.coins, <Coins key="coins" count={payment.coins} />],
            [t.scheme, payment.scheme.toUpperCase()],
            [t.provider, payment.provider],
            [t.reference, <code key="reference">{payment.reference}</code>],
            [p.created, <Time key="created" at={payment.created_at} />],
          ]}
        />
      </section>
      <section class="sheet">
        <h2>{t.story}</h2>
        <Story details={details} />
      </section>
    </>
  );
}
