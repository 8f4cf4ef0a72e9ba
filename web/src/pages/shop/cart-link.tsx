// The link to the cart, with the number of pieces in it.

import { Link } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { Icon } from '../../look/icon';
import { href } from '../../routes';
import { useCart } from './cart-store';
import { shop } from './texts';

export function CartLink() {
  const t = useTexts(shop);
  const pieces = useCart().reduce((sum, line) => sum + line.quantity, 0);
  return (
    <Link class="button quiet" href={href('cart')}>
      <Icon name="cart" />
      {t.cart} {pieces > 0 && <span class="badge number">{pieces}</span>}
    </Link>
  );
}
