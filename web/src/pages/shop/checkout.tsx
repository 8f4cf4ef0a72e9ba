// The form that buys the cart.

import { useEffect } from 'preact/hooks';
import { useCommand } from '../../api/command';
import { queries } from '../../api/queries';
import { useTexts } from '../../language/language';
import { CommandForm, CommandNotice } from '../../look/command';
import { Notice } from '../../look/controls';
import { useNavigateFromHere } from '../../look/navigation';
import { Coins } from '../../look/values';
import { href } from '../../routes';
import { shopPurchase, type Account, type NewPurchase, type OffersPurchased } from '../../sdk';
import { removeBought, type CartLine } from './cart-store';
import { problemOfLine, type Offers } from './offers';
import { endPurchase, startPurchase, usePendingPurchase, type PendingPurchase } from './pending-purchase';
import { ReceiverFields, useReceiver } from './receiver';
import { BuyCoinsLink, NextStep } from './refusal';
import { shop } from './texts';

interface CheckoutProps {
  account: Account;
  cart: CartLine[];
  offers: Offers;
}

export function Checkout({ account, cart, offers }: CheckoutProps) {
  const t = useTexts(shop);
  const receiver = useReceiver();
  const { command, pending, buy } = usePurchase(account);
  const total = cart.reduce((sum, line) => sum + line.price * line.quantity, 0);
  const missing = Math.max(0, total - account.coins);
  const isBlocked = cart.some((line) => problemOfLine(line, offers.get(line.offerId)) !== undefined);
  const body = (): NewPurchase | undefined => {
    const lines = cart.map((line) => ({
      offer_id: line.offerId,
      quantity: line.quantity,
      expected_price: line.price,
    }));
    const to = receiver.value();
    return to && { ...to, lines };
  };
  // CommandForm sends what `body` returns. A pending purchase is sent as it is, with its own key.
  const form = { ...command, send: (next: NewPurchase) => buy(next) };
  // A refusal is about the cart as it was sent.
  useEffect(() => {
    if (command.state.step === 'refused') command.reset();
  }, [JSON.stringify(cart)]);

  const step = command.state.step === 'refused' && <NextStep problem={command.state.problem} />;
  return (
    <>
      <Sums total={total} balance={account.coins} />
      {pending && command.state.step === 'unknown' && <Notice look="warning">{t.pendingPurchase}</Notice>}
      {missing > 0 && !pending ? (
        <Notice look="warning">
          {account.coins < 0 ? t.owed : t.notEnough}
          <BuyCoinsLink />
        </Notice>
      ) : isBlocked && !pending ? (
        <>
          {step ? <CommandNotice command={command} /> : <Notice look="warning">{t.linesNeedAttention}</Notice>}
          {step}
        </>
      ) : (
        <>
          <CommandForm
            command={form}
            body={() => pending?.body ?? body()}
            button={pending ? t.sendAgain : t.buy}
            icon="check"
          >
            {!pending && <ReceiverFields receiver={receiver} />}
          </CommandForm>
          {step}
        </>
      )}
    </>
  );
}

/** The purchase of the account: started once, and sent with the same key until its outcome is known. */
function usePurchase(account: Account) {
  const pending = usePendingPurchase(account.account_id);
  const navigate = useNavigateFromHere();

  const command = useCommand<PendingPurchase, OffersPurchased>({
    name: `shop.purchase/${account.account_id}`,
    send: ({ key, body }) => shopPurchase({ body, headers: { 'Idempotency-Key': key } }),
    onDone: (result, { key, body }) => {
      if (endPurchase(account.account_id, key)) removeBought(body.lines);
      if (result) navigate(`${href('purchases')}?bought=${result.purchase_id}`);
    },
  });

  // Continues a purchase that another tab, or an earlier visit, has left without an outcome.
  useEffect(() => {
    if (pending && command.state.step === 'idle' && !command.isBusy) command.send(pending);
  }, [pending?.key]);

  useEffect(() => {
    if (command.state.step !== 'refused') return;
    // After an expired session, the outcome of the purchase is still unknown.
    if (pending && command.state.problem.status !== 401) endPurchase(account.account_id, pending.key);
    void queries.invalidateQueries(); // a price, a stock or the balance is not what the page shows
  }, [command.state]);

  return { command, pending, buy: (body: NewPurchase) => command.send(startPurchase(account.account_id, body)) };
}

function Sums({ total, balance }: { total: number; balance: number }) {
  const t = useTexts(shop);
  return (
    <dl class="facts sums">
      <dt>{t.total}</dt>
      <dd>
        <Coins count={total} />
      </dd>
      <dt>{t.balance}</dt>
      <dd>
        <Coins count={balance} />
      </dd>
      <dt>{balance >= total ? t.afterwards : t.missing}</dt>
      <dd class="sum">
        <Coins count={Math.abs(balance - total)} />
      </dd>
    </dl>
  );
}
