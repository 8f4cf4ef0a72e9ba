// Sentences for the errors of single fields in Spanish.

import type { PasswordWeakness, ValueFormat, ValueType } from '../sdk';
import { rangeText, type FieldTexts, type RangeTexts } from './field-errors-en';

const otherFormat = 'Tiene una forma o caracteres que no se permiten aquí.';

const formats: Record<ValueFormat, string> = {
  json: otherFormat,
  date_time: 'Debe ser una fecha con hora.',
  uuid: otherFormat,
  base64: otherFormat,
  decimal: 'Debe ser un importe en cifras con un punto decimal como máximo.',
  picture: 'Debe ser una imagen completa: PNG, JPEG o WebP.',
  cursor: 'No es un lugar de esta lista. Empieza por su primera página.',
};

const types: Record<ValueType, string> = {
  boolean: 'Debe ser sí o no.',
  integer: 'Debe ser un número entero.',
  number: 'Debe ser un número.',
  string: 'Debe ser un texto.',
  array: 'Debe ser una lista.',
  object: 'Debe ser un objeto.',
};

const weaknesses: Record<PasswordWeakness, string> = {
  common_password: 'se parece a una contraseña muy usada',
  repetition: 'las repeticiones ayudan poco',
  sequence: 'las secuencias ayudan poco',
  date: 'las fechas ayudan poco',
  name: 'los nombres ayudan poco',
  word: 'una sola palabra no basta',
};

const characters: RangeTexts = {
  exactly: (count) => `Debe tener ${count} caracteres.`,
  between: (minimum, maximum) => `Debe tener de ${minimum} a ${maximum} caracteres.`,
  atLeast: (minimum) => `Debe tener ${minimum} caracteres como mínimo.`,
  atMost: (maximum) => `Puede tener como máximo ${maximum} caracteres.`,
  unknown: 'Es demasiado corto o demasiado largo.',
};

const items: RangeTexts = {
  exactly: (count) => `Debe tener ${count} elementos.`,
  between: (minimum, maximum) => `Debe tener de ${minimum} a ${maximum} elementos.`,
  atLeast: (minimum) => `Debe tener ${minimum} elementos como mínimo.`,
  atMost: (maximum) => `Puede tener como máximo ${maximum} elementos.`,
  unknown: 'Tiene muy pocos o demasiados elementos.',
};

const numbers: RangeTexts = {
  exactly: (count) => `Debe ser ${count}.`,
  between: (minimum, maximum) => `Debe estar entre ${minimum} y ${maximum}.`,
  atLeast: (minimum) => `Debe ser ${minimum} como mínimo.`,
  atMost: (maximum) => `Debe ser ${maximum} como máximo.`,
  unknown: 'Es demasiado pequeño o demasiado grande.',
};

export const fieldErrors: FieldTexts = {
  required: () => 'Falta.',
  unknown_field: () => 'No se conoce aquí.',
  duplicate_field: () => 'Está dos veces.',
  invalid_type: ({ expected }) => (expected ? types[expected] : otherFormat),
  invalid_choice: ({ choices = [] }) => `Debe ser uno de estos valores: ${choices.join(', ')}.`,
  invalid_format: ({ format }) => (format ? formats[format] : otherFormat),
  too_short: (parameters) => rangeText(characters, parameters),
  too_long: (parameters) => rangeText(characters, parameters),
  too_few_items: (parameters) => rangeText(items, parameters),
  too_many_items: (parameters) => rangeText(items, parameters),
  out_of_range: (parameters) => rangeText(numbers, parameters),
  not_positive: () => 'Debe ser más que cero.',
  too_many_decimals: ({ maximum = 0 }) => `Puede tener como máximo ${maximum} decimales.`,
  too_many_pixels: ({ maximum = 0 }) => `Tiene demasiados píxeles: se permiten ${maximum} en total.`,
  too_deep: ({ maximum = 0 }) => `Puede tener como máximo ${maximum} niveles.`,
  exactly_one_of: ({ fields = [] }) => `Hace falta exactamente uno de estos: ${fields.join(', ')}.`,
  at_most_one_of: ({ fields = [] }) => `Solo se permite uno de estos: ${fields.join(', ')}.`,
  easy_to_guess: ({ weakness }) =>
    `Es fácil de adivinar${weakness ? `: ${weaknesses[weakness]}` : ''}. Usa varias palabras poco comunes.`,
};
