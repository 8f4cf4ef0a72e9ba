import './shop.css';
import { CartPage } from './cart';
import { PurchasesPage } from './purchases';
import { ShopPage } from './shop';

export const pages = { shop: ShopPage, cart: CartPage, purchases: PurchasesPage };
