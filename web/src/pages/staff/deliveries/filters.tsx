// The filters of the deliveries. The API filters by an account or by a character, not by both.

import { useEffect, useState } from 'preact/hooks';
import { useTexts } from '../../../language/language';
import { Button, TextField } from '../../../look/controls';
import type { ListAddress } from '../panel/address';
import { IdField } from '../panel/id-field';
import { StateFilter } from '../panel/state-filter';
import { panel } from '../panel/texts';
import { deliveries } from './texts';

export function DeliveryFilters({ address }: { address: ListAddress }) {
  const t = useTexts(deliveries);
  const p = useTexts(panel);
  const given = { character: address.filter('character') ?? '', account: address.filter('account_id') ?? '' };
  const [character, setCharacter] = useState(given.character);
  const [account, setAccount] = useState(given.account);
  useEffect(() => {
    setCharacter(given.character);
    setAccount(given.account);
  }, [given.character, given.account]);
  const apply = (event: SubmitEvent): void => {
    event.preventDefault();
    address.change({ character, account_id: character === '' ? account : undefined });
  };
  return (
    <form class="filters" onSubmit={apply}>
      <StateFilter address={address} states={t.states} />
      <TextField
        label={p.character}
        value={character}
        onValue={(value) => {
          setCharacter(value);
          setAccount('');
        }}
      />
      <IdField
        label={t.accountNumber}
        value={account}
        onValue={(value) => {
          setAccount(value);
          setCharacter('');
        }}
      />
      <div class="row">
        <Button type="submit" icon="search">
          {p.filter}
        </Button>
        {(given.character !== '' || given.account !== '') && (
          <Button look="quiet" onClick={() => address.change({ character: undefined, account_id: undefined })}>
            {p.noFilters}
          </Button>
        )}
      </div>
    </form>
  );
}
