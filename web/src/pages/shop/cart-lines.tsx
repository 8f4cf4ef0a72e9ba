// The lines of the cart.

import { useLanguage, useTexts } from '../../language/language';
import { Button, Notice } from '../../look/controls';
import { Coins } from '../../look/values';
import { acceptPrice, mostPieces, setQuantity, type CartLine } from './cart-store';
import { OfferPicture } from './offer-picture';
import { problemOfLine, type FoundOffer, type Offers } from './offers';
import { shop } from './texts';

interface CartLinesProps {
  cart: CartLine[];
  offers: Offers;
  /** A purchase of these lines was sent, and its outcome is not known. */
  isLocked: boolean;
}

export function CartLines({ cart, offers, isLocked }: CartLinesProps) {
  return (
    <ul class="sheet plain-list cart-lines">
      {cart.map((line) => (
        <Line key={line.offerId} line={line} offer={offers.get(line.offerId)} isLocked={isLocked} />
      ))}
    </ul>
  );
}

/** Changes the cart by a button that disappears. The focus moves to the heading: without it, it would be lost. */
function corrected(change: () => void): void {
  change();
  document.querySelector('h1')?.focus();
}

interface LineProps {
  line: CartLine;
  offer: FoundOffer;
  isLocked: boolean;
}

function Line({ line, offer, isLocked }: LineProps) {
  const t = useTexts(shop);
  const { language } = useLanguage();
  const known = offer === 'gone' ? undefined : offer;
  const name = known?.name ?? (offer === 'gone' ? t.goneOffer : t.loadingOffer);
  return (
    <li class="cart-line">
      <OfferPicture picture={known?.picture ?? ''} grants={known?.grants ?? []} isSmall />
      <div class="cart-name">
        <h2>{name}</h2>
        <p class="faint">{t.each(new Intl.NumberFormat(language).format(line.price))}</p>
      </div>
      {isLocked ? (
        <span class="cart-quantity number">{line.quantity} ×</span>
      ) : (
        <Quantity line={line} name={name} most={known ? mostPieces(known) : line.quantity} />
      )}
      <p class="cart-total">
        <Coins count={line.price * line.quantity} />
      </p>
      {!isLocked && (
        <Button
          look="quiet"
          small
          icon="trash"
          aria-label={t.removeOffer(name)}
          onClick={() => corrected(() => setQuantity(line.offerId, 0))}
        />
      )}
      {!isLocked && <LineNotice line={line} offer={offer} />}
    </li>
  );
}

function Quantity({ line, name, most }: { line: CartLine; name: string; most: number }) {
  const t = useTexts(shop);
  const allowed = (quantity: number): number => Math.max(1, Math.min(quantity, most));
  const change = (quantity: number): void => setQuantity(line.offerId, allowed(quantity));
  return (
    <div class="cart-quantity" role="group" aria-label={t.quantityOf(name)}>
      <button
        type="button"
        class="step"
        aria-label={t.fewer}
        aria-disabled={line.quantity <= 1}
        onClick={() => change(line.quantity - 1)}
      >
        −
      </button>
      <input
        class="input number"
        type="number"
        inputMode="numeric"
        aria-label={t.quantityOf(name)}
        min={1}
        max={most}
        value={line.quantity}
        onChange={(event) => {
          const typed = allowed(Math.trunc(event.currentTarget.valueAsNumber) || 1);
          // The cart may have this quantity already. Then nothing is drawn again, and the input would keep what was typed.
          event.currentTarget.value = String(typed);
          change(typed);
        }}
      />
      <button
        type="button"
        class="step"
        aria-label={t.more}
        aria-disabled={line.quantity >= most}
        onClick={() => change(line.quantity + 1)}
      >
        +
      </button>
    </div>
  );
}

/** Says what keeps the line from being bought, with a button that corrects it. */
function LineNotice({ line, offer }: { line: CartLine; offer: FoundOffer }) {
  const t = useTexts(shop);
  const { language } = useLanguage();
  const number = new Intl.NumberFormat(language);
  const problem = problemOfLine(line, offer);
  if (problem === undefined || offer === undefined) return null;
  const remove = (
    <Button look="quiet" small onClick={() => corrected(() => setQuantity(line.offerId, 0))}>
      {t.remove}
    </Button>
  );
  if (offer === 'gone') {
    return (
      <Notice look="warning">
        {t.goneLine} {remove}
      </Notice>
    );
  }
  if (problem === 'soldOut') {
    return (
      <Notice look="warning">
        {t.soldOutLine} {remove}
      </Notice>
    );
  }
  if (problem === 'tooMany') {
    const most = mostPieces(offer);
    return (
      <Notice look="warning">
        {t.tooMany(number.format(most))}
        <Button look="quiet" small onClick={() => corrected(() => setQuantity(line.offerId, most))}>
          {t.take(number.format(most))}
        </Button>
      </Notice>
    );
  }
  return (
    <Notice look="warning">
      {t.priceChanged(number.format(line.price), number.format(offer.price))}
      <Button look="quiet" small onClick={() => corrected(() => acceptPrice(line.offerId, offer.price))}>
        {t.acceptPrice}
      </Button>
    </Notice>
  );
}
