// A field for the number of a record.

import { TextField } from '../../../look/controls';
import { ID_PATTERN } from './address';

interface IdFieldProps {
  label: string;
  hint?: string;
  value: string;
  onValue: (value: string) => void;
}

export function IdField({ label, hint, value, onValue }: IdFieldProps) {
  return (
    <TextField
      label={label}
      hint={hint}
      inputMode="numeric"
      pattern={ID_PATTERN}
      placeholder="12"
      value={value}
      onValue={(typed) => onValue(typed.trim())}
    />
  );
}
