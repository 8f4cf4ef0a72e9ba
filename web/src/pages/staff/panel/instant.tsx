// A field for a time. It shows local time with the zone, the API has instants.

import { useLanguage, useTexts } from '../../../language/language';
import { TextField } from '../../../look/controls';
import { panel } from './texts';

interface InstantFieldProps {
  label: string;
  hint?: string;
  /** Local time as the control has it: `2026-11-25T09:30`. */
  value: string;
  onValue: (value: string) => void;
  required?: boolean;
  min?: string;
}

export function InstantField({ label, hint, value, onValue, ...rest }: InstantFieldProps) {
  const t = useTexts(panel);
  const { language } = useLanguage();
  const zone = t.zone(zoneName(language, instantOf(value)));
  return (
    <TextField
      {...rest}
      type="datetime-local"
      label={label}
      hint={hint === undefined ? zone : `${hint} ${zone}`}
      value={value}
      onValue={onValue}
    />
  );
}

/** The zone of this device at that time, such as `America/Sao_Paulo, GMT-3`. */
function zoneName(language: string, instant: string | undefined): string {
  const format = new Intl.DateTimeFormat(language, { timeZoneName: 'shortOffset' });
  const parts = format.formatToParts(instant === undefined ? new Date() : new Date(instant));
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const { timeZone } = format.resolvedOptions();
  return timeZone === offset ? timeZone : `${timeZone}, ${offset}`;
}

/** The instant of a local time. Undefined: the control is empty. */
export function instantOf(local: string): string | undefined {
  const time = new Date(local);
  return local === '' || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** The local time of an instant, without seconds. */
export function localTime(instant: string | undefined): string {
  if (instant === undefined) return '';
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return '';
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
