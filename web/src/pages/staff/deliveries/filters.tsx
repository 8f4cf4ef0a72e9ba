// The filters of the deliveries. The API filters by one of an account, a character and a purchase.

import { useEffect, useState } from 'preact/hooks';
import { useTexts } from '../../../language/language';
import { Button, TextField } from '../../../look/controls';
import type { ListAddress } from '../panel/address';
import { IdField } from '../panel/id-field';
import { StatusFilter } from '../panel/status-filter';
import { panel } from '../panel/texts';
import { deliveries } from './texts';

const NOTHING = { character: '', account_id: '', purchase_id: '' };

export function DeliveryFilters({ address }: { address: ListAddress }) {
  const t = useTexts(deliveries);
  const p = useTexts(panel);
  const given = {
    character: address.filter('character') ?? '',
    account_id: address.filter('account_id') ?? '',
    purchase_id: address.filter('purchase_id') ?? '',
  };
  const [entered, setEntered] = useState(given);
  useEffect(() => {
    setEntered(given);
  }, [given.character, given.account_id, given.purchase_id]);
  const enter =
    (field: keyof typeof given) =>
    (value: string): void =>
      setEntered({ ...NOTHING, [field]: value });
  const apply = (event: SubmitEvent): void => {
    event.preventDefault();
    address.change(entered);
  };
  return (
    <form class="filters" onSubmit={apply}>
      <StatusFilter address={address} statuses={t.statuses} />
      <TextField label={p.character} value={entered.character} onValue={enter('character')} />
      <IdField label={t.accountNumber} value={entered.account_id} onValue={enter('account_id')} />
      <IdField label={t.purchaseField} value={entered.purchase_id} onValue={enter('purchase_id')} />
      <div class="row">
        <Button type="submit" icon="search">
          {p.filter}
        </Button>
        {Object.values(given).some((value) => value !== '') && (
          <Button look="quiet" onClick={() => address.change(NOTHING)}>
            {p.noFilters}
          </Button>
        )}
      </div>
    </form>
  );
}
