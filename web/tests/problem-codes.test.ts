// Each code of the OpenAPI document has a sentence in each other language. This needs no browser and no site.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { problems as spanish } from '../src/language/problems-es';
import { problems as portuguese } from '../src/language/problems-pt';

const DOCUMENT = new URL('../../docs/openapi.json', import.meta.url);

void test('each code of the OpenAPI document has a sentence in each language', () => {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { paths: unknown };
  const codes = new Set(Array.from(JSON.stringify(paths).matchAll(/- `([a-z_]+)`: /g), ([, code]) => code ?? ''));
  assert.ok(codes.size > 90, `the document names ${codes.size} codes`);
  for (const { sentences } of [portuguese, spanish]) {
    const missing = [...codes].filter((code) => sentences[code] === undefined);
    assert.deepEqual(missing, []);
  }
});

void test('both languages have sentences for the same codes', () => {
  assert.deepEqual(Object.keys(portuguese.sentences).sort(), Object.keys(spanish.sentences).sort());
});
