// The form that buys the cart.

import { useEffect } from 'preact/hooks';
import { useCommand } from '../../api/command';
import { continuesByItself } from '../../api/pending';
import { queries } from '../../api/queries';
import { useTexts } from '../../language/language';
import { CommandForm, CommandNotice } from '../../look/command';
import { Button, Notice } from '../../look/controls';
import { useNavigateFromHere } from '../../look/navigation';
import { Coins, Time } from '../../look/values';
import { href } from '../../routes';
import { shopPurchase, type Account, type NewPurchase, type OffersPurchased } from '../../sdk';
import { removeBought, type CartLine } from './cart-store';
import { problemOfLine, type Offers } from './offers';
import {
  endPurchase,
  endUnsentPurchase,
  startPurchase,
  usePendingPurchase,
  type PendingPurchase,
} from './pending-purchase';
import { ReceiverFields, useReceiver } from './receiver';
import { BuyCoinsLink, NextStep, StepLink } from './refusal';
import { shop } from './texts';

interface CheckoutProps {
  account: Account;
  cart: CartLine[];
  offers: Offers;
}

export function Checkout({ account, cart, offers }: CheckoutProps) {
  const t = useTexts(shop);
  const receiver = useReceiver();
  const { command, pending, isUndecided, buy, discard } = usePurchase(account);
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
      {pending && isUndecided ? <Undecided purchase={pending} /> : <Sums total={total} balance={account.coins} />}
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
            button={isUndecided ? t.sendAgain : t.buy}
            icon="check"
            after={
              isUndecided && (
                <Button look="quiet" icon="trash" onClick={discard}>
                  {t.discardPurchase}
                </Button>
              )
            }
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
  const accountId = account.account_id;
  const pending = usePendingPurchase(accountId);
  const navigate = useNavigateFromHere();

  const command = useCommand<PendingPurchase, OffersPurchased>({
    name: `shop.purchase/${accountId}`,
    kept: ({ key, isRepeated = false }) => ({ key, accountId, mayHaveArrived: isRepeated }),
    send: ({ body }, headers) => shopPurchase({ body, headers }),
    onDone: (result, { key, body }) => {
      if (endPurchase(accountId, key)) removeBought(body.lines);
      if (result) navigate(`${href('purchases')}?bought=${result.purchase_id}`);
    },
    onRefused: ({ status }, { key }) => {
      // A limit, or the end of the session, has refused only the request.
      if (status === 429 || status === 401) {
        endUnsentPurchase(accountId, key);
        return;
      }
      endPurchase(accountId, key);
      void queries.invalidateQueries(); // a price, a stock or the balance is not what the page shows
    },
  });
  const buy = (body: NewPurchase): void => command.send(startPurchase(accountId, body));
  const discard = (): void => {
    if (pending) endPurchase(accountId, pending.key);
    command.reset();
    document.querySelector('h1')?.focus(); // the button disappears, and the focus with it
  };

  // Continues a purchase that another tab, or an earlier visit, has left without an outcome. After some minutes the reader
  // decides: they may have bought the same on another device.
  const isContinued = pending !== undefined && command.state.step === 'idle' && continuesByItself(pending);
  useEffect(() => {
    if (isContinued) buy(pending.body);
  }, [pending?.key]);

  const isUndecided = pending !== undefined && !command.isBusy && !isContinued;
  return { command, pending, isUndecided, buy, discard };
}

/** A purchase that is sent again only by a click. */
function Undecided({ purchase }: { purchase: PendingPurchase }) {
  const t = useTexts(shop);
  const total = purchase.body.lines.reduce((sum, line) => sum + (line.expected_price ?? 0) * line.quantity, 0);
  return (
    <>
      <Notice look="warning">{t.pendingPurchase}</Notice>
      <dl class="facts sums">
        <dt>{t.sentAt}</dt>
        <dd>
          <Time at={new Date(purchase.startedAt).toISOString()} />
        </dd>
        <dt>{t.total}</dt>
        <dd class="sum">
          <Coins count={total} />
        </dd>
      </dl>
      <StepLink to={href('purchases')} text={t.toPurchases} />
    </>
  );
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
