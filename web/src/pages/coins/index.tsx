import './coins.css';
import { CoinsPage } from './coins';
import { CoinHistoryPage } from './history';
import { PaymentPage } from './payment';
import { PaymentsPage } from './payments';

export const pages = { coins: CoinsPage, coinHistory: CoinHistoryPage, payments: PaymentsPage, payment: PaymentPage };
