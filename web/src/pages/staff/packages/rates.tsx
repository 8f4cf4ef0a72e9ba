// The rates: how many coins an amount is worth outside of packages.

import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useTexts } from '../../../language/language';
import { Select, TextField } from '../../../look/controls';
import { Loaded } from '../../../look/query';
import { Coins, Money } from '../../../look/values';
import { adminSetCoinRate, type CoinRate, type Currency, type NewCoinRate } from '../../../sdk';
import { adminCoinRatesOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { Action } from '../panel/action';
import { moneyOf, typedMinorUnits } from '../payments/money';
import { CURRENCIES } from './currencies';
import { packages } from './texts';

export function Rates() {
  const t = useTexts(packages);
  const rates = useQuery(adminCoinRatesOptions());
  return (
    <section class="sheet">
      <h2>{t.rates}</h2>
      <p class="faint">{t.ratesText}</p>
      <Loaded query={rates}>
        {({ rates: list }) => {
          const missing = CURRENCIES.filter((currency) => !list.some(({ price }) => price.currency === currency));
          return (
            <ul class="lines">
              {list.map((rate) => (
                <li key={rate.price.currency}>
                  <strong>{rate.price.currency}</strong>
                  <span>
                    <Money value={rate.price} /> = <Coins count={rate.coins} />
                  </span>
                  <span class="end">
                    <SetRate rate={rate} currencies={[rate.price.currency]} />
                  </span>
                </li>
              ))}
              {missing.length > 0 && (
                <li>
                  <SetRate currencies={missing} />
                </li>
              )}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}

function SetRate({ rate, currencies }: { rate?: CoinRate; currencies: Currency[] }) {
  const t = useTexts(packages);
  const [chosen, setCurrency] = useState<Currency>();
  const currency = rate?.price.currency ?? chosen ?? currencies[0] ?? 'BRL';
  const [typedPrice, setPrice] = useState<string>();
  const [typedCoins, setCoins] = useState<string>();
  const price = typedPrice ?? rate?.price.amount ?? '';
  const coins = typedCoins ?? String(rate?.coins ?? '');
  const minorUnits = typedMinorUnits(price, currency);
  const isPrice = minorUnits !== undefined && minorUnits > 0;
  return (
    <Action<NewCoinRate>
      name={`rate.set/${rate ? currency : 'new'}`}
      send={(body, headers) => adminSetCoinRate({ body, headers })}
      label={rate ? t.changeRate : t.newRate}
      {...(rate && { labelOf: currency })}
      title={rate ? t.rateTitle(currency) : t.newRate}
      text={t.rateText}
      confirm={t.setRate}
      body={() =>
        isPrice && /^\d{1,10}$/.test(coins)
          ? {
              price: moneyOf(minorUnits, currency),
              coins: Number(coins),
              ...(rate && { expected_version: rate.version }),
            }
          : undefined
      }
      done={() => t.rateSet(currency)}
      audit={{ action: 'coins.rate' }}
      onDone={() => {
        setPrice(undefined);
        setCoins(undefined);
      }}
    >
      {!rate && (
        <Select
          label={t.currency}
          value={currency}
          choices={currencies.map((name) => [name, name] as const)}
          onValue={setCurrency}
        />
      )}
      <TextField
        label={t.priceIn(currency)}
        error={price !== '' && !isPrice ? t.noPrice : undefined}
        inputMode="decimal"
        required
        value={price}
        onValue={setPrice}
      />
      <TextField label={t.coins} type="number" min="1" max="1000000000" required value={coins} onValue={setCoins} />
    </Action>
  );
}
