// The form of a coin package.

import { useTexts } from '../../../language/language';
import { useFieldError } from '../../../language/problems';
import { Select, TextField } from '../../../look/controls';
import type { AdminCoinPackage, ChangedCoinPackage, Currency, NewCoinPackage } from '../../../sdk';
import { moneyOf, typedMinorUnits } from '../payments/money';
import type { ConflictField } from '../versions/conflict';
import { DraftForm, type RecordFormProps } from '../versions/draft-form';
import { CURRENCIES } from './currencies';
import { packages } from './texts';

/** Numbers are texts while they are typed. */
export interface PackageValues {
  name: string;
  amount: string;
  currency: Currency;
  coins: string;
  position: string;
}

type StoredPackage = AdminCoinPackage | ChangedCoinPackage | NewCoinPackage;

export const NEW_PACKAGE: PackageValues = { name: '', amount: '', currency: 'BRL', coins: '', position: '10' };

export function valuesOf({ name, price, coins, position }: StoredPackage): PackageValues {
  return { name, amount: price.amount, currency: price.currency, coins: String(coins), position: String(position) };
}

/** Undefined: the price is no amount of the currency. */
export function fieldsOf({ name, amount, currency, coins, position }: PackageValues): NewCoinPackage | undefined {
  const minorUnits = typedMinorUnits(amount, currency);
  if (minorUnits === undefined || minorUnits === 0) return undefined;
  return {
    name: name.trim(),
    price: moneyOf(minorUnits, currency),
    coins: Number(coins),
    position: Number(position),
  };
}

/** The values as the API writes them: the price `12` is `12.00`. */
export function normalised(values: PackageValues): PackageValues {
  const fields = fieldsOf(values);
  return fields ? valuesOf(fields) : values;
}

export function usePackageFields(): ConflictField<PackageValues>[] {
  const t = useTexts(packages);
  return [
    { name: 'name', label: t.name, show: (values) => values.name },
    { name: 'amount', label: t.price, show: (values) => values.amount },
    { name: 'currency', label: t.currency, show: (values) => values.currency },
    { name: 'coins', label: t.coins, show: (values) => values.coins },
    { name: 'position', label: t.position, show: (values) => values.position },
  ];
}

export function PackageForm<Body, Result>({ draft, command, body }: RecordFormProps<PackageValues, Body, Result>) {
  const t = useTexts(packages);
  const errorOf = useFieldError();
  const { problem } = command;
  const { values } = draft.draft;
  const isPrice = (typedMinorUnits(values.amount, values.currency) ?? 0) > 0;
  return (
    <DraftForm draft={draft} command={command} body={body} create={t.createIt}>
      <TextField
        label={t.name}
        error={errorOf(problem, '/name')}
        required
        maxLength={60}
        value={values.name}
        onValue={(name) => draft.change({ name })}
      />
      <div class="fields">
        <TextField
          label={t.priceIn(values.currency)}
          hint={t.priceHint}
          error={values.amount !== '' && !isPrice ? t.noPrice : errorOf(problem, '/price')}
          inputMode="decimal"
          required
          value={values.amount}
          onValue={(amount) => draft.change({ amount })}
        />
        <Select
          label={t.currency}
          hint={t.currencyHint}
          value={values.currency}
          choices={CURRENCIES.map((currency) => [currency, currency] as const)}
          onValue={(currency) => draft.change({ currency })}
        />
        <TextField
          label={t.coins}
          error={errorOf(problem, '/coins')}
          type="number"
          min="1"
          max="1000000000"
          required
          value={values.coins}
          onValue={(coins) => draft.change({ coins })}
        />
        <TextField
          label={t.position}
          hint={t.positionHint}
          type="number"
          min="0"
          max="1000000"
          required
          value={values.position}
          onValue={(position) => draft.change({ position })}
        />
      </div>
    </DraftForm>
  );
}
