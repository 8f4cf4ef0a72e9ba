// An offer of the shop.

import { Link } from 'wouter-preact';
import { useLanguage, useTexts } from '../../language/language';
import { Button } from '../../look/controls';
import { Coins } from '../../look/values';
import { href } from '../../routes';
import type { Offer } from '../../sdk';
import { addToCart, mostPieces, MOST_LINES, useCart } from './cart-store';
import { Grants } from './grants';
import { OfferPicture } from './offer-picture';
import { shop } from './texts';

export function OfferCard({ offer }: { offer: Offer }) {
  const t = useTexts(shop);
  const cart = useCart();
  const quantity = cart.find(({ offerId }) => offerId === offer.offer_id)?.quantity ?? 0;
  return (
    <li class="sheet offer">
      <div class="offer-head">
        <OfferPicture picture={offer.picture} grants={offer.grants} />
        <div>
          <h2>{offer.name}</h2>
          <p class="faint">{offer.category_name}</p>
        </div>
      </div>
      {offer.description !== '' && <p>{offer.description}</p>}
      <div>
        <h3 class="offer-label">{t.contains}</h3>
        <Grants grants={offer.grants} />
      </div>
      <Limits offer={offer} />
      <div class="card-foot offer-foot">
        <div>
          <p class="price">
            <Coins count={offer.price} />
          </p>
          {quantity > 0 && <p class="in-cart">{t.inCart(quantity)}</p>}
        </div>
        <AddButton offer={offer} quantity={quantity} isCartFull={quantity === 0 && cart.length >= MOST_LINES} />
      </div>
    </li>
  );
}

function Limits({ offer: { stock, account_limit: limit } }: { offer: Offer }) {
  const { language } = useLanguage();
  const t = useTexts(shop);
  const number = new Intl.NumberFormat(language);
  if (stock === undefined && limit === undefined) return null;
  return (
    <p class="row">
      {stock === 0 && <span class="tag bad">{t.soldOut}</span>}
      {stock !== undefined && stock > 0 && (
        <span class={`tag ${stock <= 5 ? 'warning' : ''}`}>{t.left(stock, number.format(stock))}</span>
      )}
      {limit !== undefined && <span class="tag">{t.perAccount(number.format(limit))}</span>}
    </p>
  );
}

interface AddButtonProps {
  offer: Offer;
  /** The pieces that are in the cart. */
  quantity: number;
  isCartFull: boolean;
}

function AddButton({ offer, quantity, isCartFull }: AddButtonProps) {
  const t = useTexts(shop);
  if (offer.stock === 0) return null;
  if (isCartFull || quantity >= mostPieces(offer)) {
    return (
      <Link class="button quiet" href={href('cart')}>
        {isCartFull ? t.cartFull : t.toCart}
      </Link>
    );
  }
  const text = quantity === 0 ? t.add : t.addAnother;
  return (
    <Button icon="cart" aria-label={t.addOffer(text, offer.name)} onClick={() => addToCart(offer)}>
      {text}
    </Button>
  );
}
