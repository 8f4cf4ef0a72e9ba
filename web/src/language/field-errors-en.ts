// Sentences for the errors of single fields. The API names the broken rule by a code with parameters. A code without a sentence
// does not compile.

import type { FieldErrorCode, FieldErrorParameters, PasswordWeakness, ValueFormat, ValueType } from '../sdk';

/** A sentence for each code. The name of the field stands before it. */
export type FieldTexts = Record<FieldErrorCode, (parameters: FieldErrorParameters) => string>;

/** The forms of a text with a number of characters or items, or of a number. */
export interface RangeTexts {
  exactly: (count: number) => string;
  between: (minimum: number, maximum: number) => string;
  atLeast: (minimum: number) => string;
  atMost: (maximum: number) => string;
  unknown: string;
}

/** The sentence for the limits that the error has. */
export function rangeText(texts: RangeTexts, { minimum, maximum }: FieldErrorParameters): string {
  if (minimum === undefined) return maximum === undefined ? texts.unknown : texts.atMost(maximum);
  if (maximum === undefined) return texts.atLeast(minimum);
  return minimum === maximum ? texts.exactly(minimum) : texts.between(minimum, maximum);
}

const otherFormat = 'Has a form or characters that are not allowed here.';

const formats: Record<ValueFormat, string> = {
  json: otherFormat,
  date_time: 'Must be a date with a time.',
  uuid: otherFormat,
  base64: otherFormat,
  decimal: 'Must be an amount of digits with one decimal point at most.',
  picture: 'Must be a complete picture: PNG, JPEG or WebP.',
  cursor: 'Is no place in this list. Begin with its first page.',
};

const types: Record<ValueType, string> = {
  boolean: 'Must be yes or no.',
  integer: 'Must be a whole number.',
  number: 'Must be a number.',
  string: 'Must be a text.',
  array: 'Must be a list.',
  object: 'Must be an object.',
};

const weaknesses: Record<PasswordWeakness, string> = {
  common_password: 'Many people use it, or a similar one.',
  repetition: 'Repetitions help little.',
  sequence: 'Sequences help little.',
  date: 'Dates help little.',
  name: 'Names help little.',
  word: 'One word is not enough.',
};

const characters: RangeTexts = {
  exactly: (count) => `Must have ${count} characters.`,
  between: (minimum, maximum) => `Must have ${minimum} to ${maximum} characters.`,
  atLeast: (minimum) => `Must have ${minimum} characters or more.`,
  atMost: (maximum) => `Must have ${maximum} characters at most.`,
  unknown: 'Is too short or too long.',
};

const items: RangeTexts = {
  exactly: (count) => `Must have ${count} items.`,
  between: (minimum, maximum) => `Must have ${minimum} to ${maximum} items.`,
  atLeast: (minimum) => `Must have ${minimum} items or more.`,
  atMost: (maximum) => `Must have ${maximum} items at most.`,
  unknown: 'Has too few or too many items.',
};

const numbers: RangeTexts = {
  exactly: (count) => `Must be ${count}.`,
  between: (minimum, maximum) => `Must be from ${minimum} to ${maximum}.`,
  atLeast: (minimum) => `Must be ${minimum} or more.`,
  atMost: (maximum) => `Must be ${maximum} or less.`,
  unknown: 'Is too small or too large.',
};

export const fieldErrors: FieldTexts = {
  required: () => 'Is missing.',
  unknown_field: () => 'Is unknown here.',
  duplicate_field: () => 'Is there twice.',
  invalid_type: ({ expected }) => (expected ? types[expected] : otherFormat),
  invalid_choice: ({ choices = [] }) => `Must be one of these: ${choices.join(', ')}.`,
  invalid_format: ({ format }) => (format ? formats[format] : otherFormat),
  too_short: (parameters) => rangeText(characters, parameters),
  too_long: (parameters) => rangeText(characters, parameters),
  too_few_items: (parameters) => rangeText(items, parameters),
  too_many_items: (parameters) => rangeText(items, parameters),
  out_of_range: (parameters) => rangeText(numbers, parameters),
  not_positive: () => 'Must be more than zero.',
  too_many_decimals: ({ maximum = 0 }) => `Must have ${maximum} decimals at most.`,
  too_many_pixels: ({ maximum = 0 }) => `Has too many pixels: ${maximum} in total are allowed.`,
  too_deep: ({ maximum = 0 }) => `Must have ${maximum} levels at most.`,
  exactly_one_of: ({ fields = [] }) => `Exactly one of these is needed: ${fields.join(', ')}.`,
  at_most_one_of: ({ fields = [] }) => `Only one of these is allowed: ${fields.join(', ')}.`,
  easy_to_guess: ({ weakness }) =>
    ['Is easy to guess.', ...(weakness ? [weaknesses[weakness]] : []), 'Use several uncommon words.'].join(' '),
};
