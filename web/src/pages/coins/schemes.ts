// Payment schemes and their currencies.

import type { Currency, Scheme } from '../../sdk';

const SCHEMES: Partial<Record<Currency, Scheme>> = {
  BRL: 'pix',
  EUR: 'sepa',
  HKD: 'fps',
  SGD: 'paynow',
  THB: 'promptpay',
  VND: 'vietqr',
};

export function schemeOf(currency: Currency): Scheme | undefined {
  return SCHEMES[currency];
}
