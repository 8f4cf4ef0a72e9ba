// Sentences for the errors of single fields in Portuguese.

import type { PasswordWeakness, ValueFormat, ValueType } from '../sdk';
import { rangeText, type FieldTexts, type RangeTexts } from './field-errors-en';

const otherFormat = 'Tem uma forma ou caracteres que não são permitidos aqui.';

const formats: Record<ValueFormat, string> = {
  json: otherFormat,
  date_time: 'Precisa ser uma data com hora.',
  uuid: otherFormat,
  base64: otherFormat,
  decimal: 'Precisa ser um valor em algarismos com no máximo um ponto decimal.',
  picture: 'Precisa ser uma imagem completa: PNG, JPEG ou WebP.',
  cursor: 'Não é um lugar desta lista. Comece pela primeira página.',
};

const types: Record<ValueType, string> = {
  boolean: 'Precisa ser sim ou não.',
  integer: 'Precisa ser um número inteiro.',
  number: 'Precisa ser um número.',
  string: 'Precisa ser um texto.',
  array: 'Precisa ser uma lista.',
  object: 'Precisa ser um objeto.',
};

const weaknesses: Record<PasswordWeakness, string> = {
  common_password: 'parece uma senha muito usada',
  repetition: 'repetições ajudam pouco',
  sequence: 'sequências ajudam pouco',
  date: 'datas ajudam pouco',
  name: 'nomes ajudam pouco',
  word: 'uma só palavra não basta',
};

const characters: RangeTexts = {
  exactly: (count) => `Precisa ter ${count} caracteres.`,
  between: (minimum, maximum) => `Precisa ter de ${minimum} a ${maximum} caracteres.`,
  atLeast: (minimum) => `Precisa ter no mínimo ${minimum} caracteres.`,
  atMost: (maximum) => `Pode ter no máximo ${maximum} caracteres.`,
  unknown: 'É curto demais ou longo demais.',
};

const items: RangeTexts = {
  exactly: (count) => `Precisa ter ${count} itens.`,
  between: (minimum, maximum) => `Precisa ter de ${minimum} a ${maximum} itens.`,
  atLeast: (minimum) => `Precisa ter no mínimo ${minimum} itens.`,
  atMost: (maximum) => `Pode ter no máximo ${maximum} itens.`,
  unknown: 'Tem poucos itens ou itens demais.',
};

const numbers: RangeTexts = {
  exactly: (count) => `Precisa ser ${count}.`,
  between: (minimum, maximum) => `Precisa estar entre ${minimum} e ${maximum}.`,
  atLeast: (minimum) => `Precisa ser no mínimo ${minimum}.`,
  atMost: (maximum) => `Precisa ser no máximo ${maximum}.`,
  unknown: 'É pequeno demais ou grande demais.',
};

export const fieldErrors: FieldTexts = {
  required: () => 'Está faltando.',
  unknown_field: () => 'Não é conhecido aqui.',
  duplicate_field: () => 'Está duas vezes.',
  invalid_type: ({ expected }) => (expected ? types[expected] : otherFormat),
  invalid_choice: ({ choices = [] }) => `Precisa ser um destes valores: ${choices.join(', ')}.`,
  invalid_format: ({ format }) => (format ? formats[format] : otherFormat),
  too_short: (parameters) => rangeText(characters, parameters),
  too_long: (parameters) => rangeText(characters, parameters),
  too_few_items: (parameters) => rangeText(items, parameters),
  too_many_items: (parameters) => rangeText(items, parameters),
  out_of_range: (parameters) => rangeText(numbers, parameters),
  not_positive: () => 'Precisa ser mais que zero.',
  too_many_decimals: ({ maximum = 0 }) => `Pode ter no máximo ${maximum} casas decimais.`,
  too_many_pixels: ({ maximum = 0 }) => `Tem pixels demais: são permitidos ${maximum} no total.`,
  too_deep: ({ maximum = 0 }) => `Pode ter no máximo ${maximum} níveis.`,
  exactly_one_of: ({ fields = [] }) => `É preciso exatamente um destes: ${fields.join(', ')}.`,
  at_most_one_of: ({ fields = [] }) => `Só é permitido um destes: ${fields.join(', ')}.`,
  easy_to_guess: ({ weakness }) =>
    `É fácil de adivinhar${weakness ? `: ${weaknesses[weakness]}` : ''}. Use várias palavras incomuns.`,
};
