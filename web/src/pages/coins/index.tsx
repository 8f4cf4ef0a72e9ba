import './coins.css';
import { CoinsPage } from './coins';
import { PaymentPage } from './payment';

export const pages = { coins: CoinsPage, payment: PaymentPage };
