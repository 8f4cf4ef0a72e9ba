// tsc says what cannot be; this says what is most likely a mistake, such as a promise that nobody awaits.

import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig({ ignores: ['dist', 'generated', '*.mjs'] }, tseslint.configs.strictTypeChecked, {
  languageOptions: { parserOptions: { projectService: true } },
  rules: {
    // node:test waits for its tests.
    '@typescript-eslint/no-floating-promises': [
      'error',
      { allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: 'test' }] },
    ],
    // `${status}` of a number reads well.
    '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
  },
});
