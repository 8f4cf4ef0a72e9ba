// Names for what the API sends. A missing one is shown as the API writes it, so the compiler finds none. This needs no browser
// and no site.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { exportTexts } from '../src/pages/mail-links/export-texts';
import { actions } from '../src/pages/staff/audit/actions';
import { fields } from '../src/pages/staff/audit/fields';

const WORKERS = new URL('../../workers/src/', import.meta.url);

test('actions and fields of the audit log have names in the same languages', () => {
  for (const names of [actions, fields]) {
    for (const language of ['pt', 'es'] as const) {
      assert.deepEqual(Object.keys(names[language]).sort(), Object.keys(names.en).sort(), language);
    }
  }
});

test('each detail of an audit entry has a name', () => {
  const entry = /Entry::new\(\s*[^,]+,\s*(?:serde_json::)?json!\(\{([^}]*)\}\)/g;
  const written = rustFiles().flatMap((file) =>
    Array.from(sourceOf(file).matchAll(entry)).flatMap(([, details = '']) => keysIn(details)),
  );
  assert.ok(written.includes('package_id'));
  // These are written by other functions.
  for (const field of [...written, 'owner_id', 'queue', 'command', 'died_at']) {
    assert.ok(fields.en[field], `${field} has no name`);
  }
});

test('each list of an export has a name in each language', () => {
  const lists = Array.from(sourceOf('account/export.sql').matchAll(/^ {4}'(\w+)', \($/gm), ([, list = '']) => list);
  assert.ok(lists.includes('sessions'));
  for (const { parts } of Object.values(exportTexts)) {
    assert.deepEqual(
      lists.filter((list) => list !== 'account' && parts[list] === undefined),
      [],
    );
  }
});

function rustFiles(): string[] {
  return readdirSync(WORKERS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.rs'));
}

function sourceOf(file: string): string {
  return readFileSync(new URL(file, WORKERS), 'utf8');
}

function keysIn(body: string): string[] {
  return Array.from(body.matchAll(/"(\w+)":/g), ([, key = '']) => key);
}
