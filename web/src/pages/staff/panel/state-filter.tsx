// The filter of a list by the state of its records.

import { useTexts } from '../../../language/language';
import { Select } from '../../../look/controls';
import { oneOf, type ListAddress } from './address';
import { panel } from './texts';

interface StateFilterProps<State extends string> {
  address: ListAddress;
  states: Record<State, string>;
  /** The name in the address. */
  name?: string;
}

export function StateFilter<State extends string>({ address, states, name = 'state' }: StateFilterProps<State>) {
  const t = useTexts(panel);
  const names = Object.keys(states) as State[];
  return (
    <Select<State | ''>
      label={t.state}
      value={oneOf(address.filter(name), names) ?? ''}
      choices={[['', t.all], ...names.map((state) => [state, states[state]] as const)]}
      onValue={(state) => address.change({ [name]: state })}
    />
  );
}
