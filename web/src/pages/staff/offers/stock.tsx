// Changes the stock of an offer so that no sale is lost: by a difference, or only if the stock is still the one on the page.

import { useState } from 'preact/hooks';
import { plural, useLanguage, useTexts } from '../../../language/language';
import { Select, TextField } from '../../../look/controls';
import { shopOfferChangeStock, type NewStock, type Offer, type StockChanged } from '../../../sdk';
import { Action } from '../panel/action';
import { offers } from './texts';

type Way = 'add' | 'remove' | 'set' | 'unlimited';

export function CurrentStock({ offer }: { offer: Offer }) {
  const t = useTexts(offers);
  const { language } = useLanguage();
  return <p>{offer.stock === undefined ? t.unlimited : plural(language, offer.stock, t.pieces)}</p>;
}

export function StockAction({ offer }: { offer: Offer }) {
  const t = useTexts(offers);
  const { language } = useLanguage();
  const isUnlimited = offer.stock === undefined;
  const [chosen, setWay] = useState<Way>('add');
  const way = isUnlimited ? 'set' : chosen;
  const [typed, setTyped] = useState('');
  const ways: Way[] = isUnlimited ? ['set'] : ['add', 'remove', 'set', 'unlimited'];
  const pieces = /^\d{1,7}$/.test(typed) ? Number(typed) : undefined;
  const expected = isUnlimited ? { expected_unlimited: true } : { expected_stock: offer.stock };
  const body = (): NewStock | undefined => {
    const offer_id = offer.offer_id;
    if (way === 'unlimited') return { offer_id, unlimited: true, ...expected };
    if (pieces === undefined) return undefined;
    if (way === 'set') return { offer_id, set: pieces, ...expected };
    return { offer_id, change: way === 'add' ? pieces : -pieces };
  };
  return (
    <Action<NewStock, StockChanged>
      name={`offer.stock/${offer.offer_id}`}
      send={(sent, headers) => shopOfferChangeStock({ body: sent, headers })}
      label={t.changeStock}
      labelOf={offer.name}
      title={t.stockOf(offer.name)}
      text={
        <>
          <CurrentStock offer={offer} />
          <p class="faint">{t.wayMeanings[way]}</p>
        </>
      }
      confirm={t.changeStock}
      body={body}
      done={(result) =>
        t.stockChanged(offer.name, result?.stock === undefined ? t.unlimited : plural(language, result.stock, t.pieces))
      }
      audit={{ action: 'shop.change_stock' }}
      onDone={() => setTyped('')}
    >
      <Select label={t.way} value={way} choices={ways.map((name) => [name, t.ways[name]] as const)} onValue={setWay} />
      {way !== 'unlimited' && (
        <TextField
          label={t.pieceCount}
          type="number"
          min={way === 'set' ? '0' : '1'}
          max="1000000"
          required
          value={typed}
          onValue={setTyped}
        />
      )}
    </Action>
  );
}
