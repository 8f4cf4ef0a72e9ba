// Each error of a field has a sentence in each language, with its parameters. This needs no browser and no site.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { problems as english } from '../src/language/problems-en';
import { problems as spanish } from '../src/language/problems-es';
import { problems as portuguese } from '../src/language/problems-pt';
import type { FieldErrorCode, FieldErrorParameters, PasswordWeakness, ValueFormat, ValueType } from '../src/sdk';

interface Document {
  components: { schemas: Record<string, { enum?: string[] }> };
}

const LANGUAGES = { english, spanish, portuguese };
const { components } = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Document;

function valuesOf<T extends string>(schema: string): T[] {
  const values = components.schemas[schema]?.enum ?? [];
  assert.ok(values.length > 0, `the document has no values of ${schema}`);
  return values as T[];
}

/** The sentences about one error: one in each language, and no two are equal. */
function assertTranslated(code: FieldErrorCode, parameters: FieldErrorParameters, contained: string[] = []) {
  const sentences = Object.values(LANGUAGES).map(({ fields }) => fields[code](parameters));
  for (const sentence of sentences) {
    assert.match(sentence, /^\p{Lu}.*\.$/u, code);
    assert.doesNotMatch(sentence, /undefined|null|NaN/, code);
    for (const text of contained) assert.ok(sentence.includes(text), `${sentence} does not show ${text}`);
  }
  assert.equal(new Set(sentences).size, sentences.length, sentences.join(' '));
}

void test('each code of the document has a sentence in each language', () => {
  for (const code of valuesOf<FieldErrorCode>('FieldErrorCode')) assertTranslated(code, {});
});

void test('the sentences show the parameters', () => {
  for (const code of ['too_short', 'too_long', 'too_few_items', 'too_many_items', 'out_of_range'] as const) {
    assertTranslated(code, { minimum: 3, maximum: 30 }, ['3', '30']);
    assertTranslated(code, { minimum: 7, maximum: 7 }, ['7']);
    assertTranslated(code, { minimum: 5 }, ['5']);
    assertTranslated(code, { maximum: 9 }, ['9']);
  }
  for (const code of ['too_many_decimals', 'too_many_pixels', 'too_deep'] as const) {
    assertTranslated(code, { maximum: 64 }, ['64']);
  }
  assertTranslated('invalid_choice', { choices: ['name', 'newest'] }, ['name', 'newest']);
  for (const code of ['exactly_one_of', 'at_most_one_of'] as const) {
    assertTranslated(code, { fields: ['stock', 'unlimited'] }, ['stock', 'unlimited']);
  }
});

void test('each format, type and weakness of the document has a sentence in each language', () => {
  for (const format of valuesOf<ValueFormat>('ValueFormat')) assertTranslated('invalid_format', { format });
  for (const expected of valuesOf<ValueType>('ValueType')) assertTranslated('invalid_type', { expected });
  for (const weakness of valuesOf<PasswordWeakness>('PasswordWeakness')) {
    assertTranslated('easy_to_guess', { weakness });
  }
});
