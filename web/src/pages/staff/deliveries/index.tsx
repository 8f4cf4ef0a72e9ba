// The deliveries of purchases to the game.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useTexts } from '../../../language/language';
import { Page } from '../../../look/page';
import { adminDeliveriesOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { idOf, oneOf, useListAddress } from '../panel/address';
import { Paged } from '../panel/paged';
import { DeliveryFilters } from './filters';
import { ResendMany } from './resend-many';
import { DeliveryTable, STATUSES } from './table';
import { deliveries } from './texts';

export function Section() {
  const t = useTexts(deliveries);
  const address = useListAddress();
  const status = oneOf(address.filter('status'), STATUSES);
  const character = address.filter('character');
  const purchase_id = character === undefined ? idOf(address.filter('purchase_id')) : undefined;
  const isOfAccount = character === undefined && purchase_id === undefined;
  const account_id = isOfAccount ? idOf(address.filter('account_id')) : undefined;
  const list = useQuery({
    ...adminDeliveriesOptions({ query: { status, account_id, character, purchase_id, ...address.paging } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={t.title} aside={<ResendMany />}>
      <p class="faint">{t.intro}</p>
      <DeliveryFilters address={address} />
      <Paged query={list} address={address} empty={<p>{status === 'parked' ? t.noneParked : t.none}</p>}>
        {(items) => <DeliveryTable items={items} />}
      </Paged>
    </Page>
  );
}
