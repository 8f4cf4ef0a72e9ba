// tsc reports type errors. ESLint reports likely mistakes, such as a promise without await.

import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig({ ignores: ['dist', 'src/sdk', 'public', '*.mjs'] }, tseslint.configs.strictTypeChecked, {
  languageOptions: { parserOptions: { projectService: true } },
  rules: {
    // node:test awaits its tests.
    '@typescript-eslint/no-floating-promises': [
      'error',
      { allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: 'test' }] },
    ],
    // Numbers in templates are readable.
    '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    // An event handler may be an async function: its errors are states of the page.
    '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    // `type Props = {}` and `void` results of handlers are usual in components.
    '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  },
});
