// The cart: what is in it, its total, and the form that buys it.

import { Link } from 'wouter-preact';
import { useAccount } from '../../api/account';
import { useTexts } from '../../language/language';
import { Members, Page } from '../../look/page';
import { Empty } from '../../look/query';
import { href } from '../../routes';
import { CartLines } from './cart-lines';
import { useCart } from './cart-store';
import { Checkout } from './checkout';
import { useOffers } from './offers';
import { usePendingPurchase } from './pending-purchase';
import { shop } from './texts';

export function CartPage() {
  const t = useTexts(shop);
  const cart = useCart();
  const account = useAccount();
  const pending = usePendingPurchase(account?.account_id ?? 0);
  const offers = useOffers(cart.map(({ offerId }) => offerId));
  const toShop = (
    <Link class="button quiet" href={href('shop')}>
      {t.toShop}
    </Link>
  );
  return (
    <Page title={t.cart} aside={toShop}>
      {cart.length === 0 && !pending ? (
        <Empty>
          <p>{t.emptyCart}</p>
          <div class="row">
            <Link class="button" href={href('shop')}>
              {t.seeOffers}
            </Link>
            {account && (
              // A reload, or another tab, may have hidden the outcome of the purchase that has just emptied the cart.
              <Link class="button quiet" href={href('purchases')}>
                {t.toPurchases}
              </Link>
            )}
          </div>
        </Empty>
      ) : (
        <div class="columns">
          <CartLines cart={cart} offers={offers} isLocked={pending !== undefined} />
          <aside class="sheet">
            <h2>{t.checkout}</h2>
            <Members reason={t.buyerNeedsAccount}>
              {account && <Checkout key={account.account_id} account={account} cart={cart} offers={offers} />}
            </Members>
          </aside>
        </div>
      )}
    </Page>
  );
}
