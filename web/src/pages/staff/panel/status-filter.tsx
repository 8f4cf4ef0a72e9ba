// The filter of a list by the status of its records.

import { useTexts } from '../../../language/language';
import { Select } from '../../../look/controls';
import { oneOf, type ListAddress } from './address';
import { panel } from './texts';

interface StatusFilterProps<Status extends string> {
  address: ListAddress;
  statuses: Record<Status, string>;
}

export function StatusFilter<Status extends string>({ address, statuses }: StatusFilterProps<Status>) {
  const t = useTexts(panel);
  const names = Object.keys(statuses) as Status[];
  return (
    <Select<Status | ''>
      label={t.state}
      value={oneOf(address.filter('status'), names) ?? ''}
      choices={[['', t.all], ...names.map((status) => [status, statuses[status]] as const)]}
      onValue={(status) => address.change({ status })}
    />
  );
}
