// tsc reports type errors. ESLint reports likely mistakes, such as a promise without await.

import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig({ ignores: ['dist', 'generated', '*.mjs'] }, tseslint.configs.strictTypeChecked, {
  languageOptions: { parserOptions: { projectService: true } },
  rules: {
    // node:test awaits its tests.
    '@typescript-eslint/no-floating-promises': [
      'error',
      { allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: 'test' }] },
    ],
    // Numbers in templates are readable.
    '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
  },
});
