import { defineConfig } from '@hey-api/openapi-ts';

export default defineConfig({
  input: '../../docs/openapi.json',
  output: 'generated', // deleted and created each time
  logs: { file: false }, // errors go to the terminal, not to a file
  plugins: [
    '@hey-api/typescript', // only types, no code at run time
    '@hey-api/client-fetch', // Node and browsers have fetch
    // Without a shared client, each call must name its client; a call without one does not compile.
    { name: '@hey-api/sdk', client: false },
  ],
});
