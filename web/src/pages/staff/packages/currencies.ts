import type { Currency } from '../../../sdk';

/** The currencies that the API knows. */
export const CURRENCIES: readonly Currency[] = ['BRL', 'CNY', 'EUR', 'HKD', 'SGD', 'THB', 'USD', 'VND'];
