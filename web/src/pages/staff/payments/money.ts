// Amounts of money: the API has minor units (cents) in records of banks, and decimal numbers as texts elsewhere.

import type { Language } from '../../../language/language';
import type { Money, PaymentDetails } from '../../../sdk';

function format(language: Language, currency: string): Intl.NumberFormat {
  return new Intl.NumberFormat(language, { style: 'currency', currency });
}

/** The number of decimals of a currency, such as 2 for BRL and 0 for VND. */
export function decimals(currency: string): number {
  return format('en', currency).resolvedOptions().maximumFractionDigits ?? 2;
}

export function minorText(minorUnits: number, currency: string, language: Language): string {
  return format(language, currency).format(minorUnits / 10 ** decimals(currency));
}

/** A decimal number as the API writes it: `12.30`. */
export function amountOf(minorUnits: number, currency: string): string {
  return (minorUnits / 10 ** decimals(currency)).toFixed(decimals(currency));
}

/** What a person typed, as minor units: `12,3` and `12.30` are the same. Undefined: this is no amount of the currency. */
export function typedMinorUnits(text: string, currency: string): number | undefined {
  const match = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim());
  const [, whole = '', fraction = ''] = match ?? [];
  if (!match || fraction.length > decimals(currency)) return undefined;
  return Number(whole + fraction.padEnd(decimals(currency), '0'));
}

/** The money of a payment that can be sent back, in minor units of its currency. */
export function refundable({ payment, receipts, refunds }: PaymentDetails): number {
  const own = receipts.filter(({ currency }) => currency === payment.amount.currency);
  const ids = new Set(own.map(({ receipt_id }) => receipt_id));
  const returned = refunds.filter(({ receipt_id, state }) => ids.has(receipt_id) && state !== 'failed');
  const sum = (list: { minor_units: number }[]): number =>
    list.reduce((total, { minor_units }) => total + minor_units, 0);
  return sum(own) - sum(returned);
}

export function moneyOf(minorUnits: number, currency: Money['currency']): Money {
  return { amount: amountOf(minorUnits, currency), currency };
}
