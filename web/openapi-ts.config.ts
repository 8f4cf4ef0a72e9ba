import { defineConfig } from '@hey-api/openapi-ts';

export default defineConfig({
  input: '../docs/openapi.json',
  output: 'src/sdk', // deleted and created each time
  logs: { file: false },
  plugins: [
    '@hey-api/typescript',
    { name: '@hey-api/client-fetch', runtimeConfigPath: '../api/client' },
    '@hey-api/sdk',
    {
      name: '@tanstack/preact-query',
      queryKeys: true,
      queryOptions: true,
      mutationOptions: false,
      infiniteQueryOptions: false,
    },
  ],
});
