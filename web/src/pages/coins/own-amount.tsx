// Coins in another number than a package has.

import { useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { CommandNotice } from '../../look/command';
import { Button, TextField } from '../../look/controls';
import type { Scheme } from '../../sdk';
import type { StartPayment } from './start-payment';
import { coins } from './texts';

const MOST_COINS = 1_000_000_000;

interface OwnAmountProps {
  payment: StartPayment;
  /** Undefined: the default scheme of the site. */
  scheme: Scheme | undefined;
}

export function OwnAmount({ payment, scheme }: OwnAmountProps) {
  const t = useTexts(coins);
  const [search] = useSearchParams();
  const [count, setCount] = useState(search.get('coins') ?? '');
  const isStarted = payment.started?.coins !== undefined;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    payment.send({ coins: Number(count), ...(scheme && { scheme }) });
  };
  return (
    <section class="sheet">
      <h2>{t.ownAmount}</h2>
      <form class="own-amount" onSubmit={submit}>
        <TextField
          label={t.coinCount}
          hint={t.ownAmountHint}
          type="number"
          inputMode="numeric"
          min={1}
          max={MOST_COINS}
          step={1}
          required
          value={count}
          onValue={setCount}
        />
        <Button type="submit" look="quiet" isBusy={payment.isBusy}>
          {isStarted && payment.isBusy ? t.starting : t.toPayment}
        </Button>
      </form>
      {isStarted && <CommandNotice command={payment} />}
    </section>
  );
}
