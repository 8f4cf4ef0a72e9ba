// The filters of the audit log. They are applied together.

import { useEffect, useState } from 'preact/hooks';
import { useTexts } from '../../../language/language';
import { Button, Select } from '../../../look/controls';
import type { ListAddress } from '../panel/address';
import { IdField } from '../panel/id-field';
import { InstantField, instantOf, localTime } from '../panel/instant';
import { panel } from '../panel/texts';
import { actions as actionTexts } from './actions';
import { audit } from './texts';

const NAMES = ['action', 'account_id', 'about_account_id', 'since', 'until'] as const;

type Filters = Record<(typeof NAMES)[number], string>;

function filtersOf(address: ListAddress): Filters {
  return {
    action: address.filter('action') ?? '',
    account_id: address.filter('account_id') ?? '',
    about_account_id: address.filter('about_account_id') ?? '',
    since: localTime(address.filter('since')),
    until: localTime(address.filter('until')),
  };
}

export function AuditFilters({ address }: { address: ListAddress }) {
  const t = useTexts(audit);
  const p = useTexts(panel);
  const current = filtersOf(address);
  const [filters, setFilters] = useState(current);
  const set = (changed: Partial<Filters>): void => setFilters({ ...filters, ...changed });
  const text = JSON.stringify(current);
  useEffect(() => setFilters(current), [text]);
  const apply = (event: SubmitEvent): void => {
    event.preventDefault();
    address.change({ ...filters, since: instantOf(filters.since), until: instantOf(filters.until) });
  };
  const names = useTexts(actionTexts);
  const actions = Object.entries(names).sort(([, a], [, b]) => a.localeCompare(b));
  // An action that this page does not know has a link from nowhere, but the address may name it.
  const unknown =
    filters.action !== '' && !(filters.action in names) ? [[filters.action, filters.action] as const] : [];
  const isFiltered = NAMES.some((name) => current[name] !== '');
  return (
    <form class="filters" onSubmit={apply}>
      <Select
        label={t.action}
        value={filters.action}
        choices={[['', p.all], ...actions, ...unknown]}
        onValue={(action) => set({ action })}
      />
      <IdField label={t.by} value={filters.account_id} onValue={(account_id) => set({ account_id })} />
      <IdField
        label={t.about}
        value={filters.about_account_id}
        onValue={(about_account_id) => set({ about_account_id })}
      />
      <InstantField label={t.since} value={filters.since} onValue={(since) => set({ since })} />
      <InstantField label={t.until} value={filters.until} onValue={(until) => set({ until })} />
      <div class="row">
        <Button type="submit" icon="search">
          {p.filter}
        </Button>
        {isFiltered && (
          <Button
            look="quiet"
            onClick={() => address.change(Object.fromEntries(NAMES.map((name) => [name, undefined])))}
          >
            {p.noFilters}
          </Button>
        )}
      </div>
    </form>
  );
}
