// Arithmetic with amounts of money, without rounding: an amount is a decimal number as a text.

import type { Language } from '../../language/language';
import type { Money } from '../../sdk';

/** `a - b`, not less than zero. Both have the same currency, so the same decimals. */
export function difference(a: Money, b: Money): Money {
  const decimals = a.amount.split('.')[1]?.length ?? 0;
  const left = minorUnits(a) - minorUnits(b);
  const digits = String(left > 0n ? left : 0n).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const amount = decimals === 0 ? digits : `${whole}.${digits.slice(-decimals)}`;
  return { amount, currency: a.currency };
}

function minorUnits({ amount }: Money): bigint {
  return BigInt(amount.replace('.', ''));
}

export function formatted({ amount, currency }: Money, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(Number(amount));
}
