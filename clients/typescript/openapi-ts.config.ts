import { defineConfig } from '@hey-api/openapi-ts';

export default defineConfig({
  input: '../openapi.json', // `./dev sdk` prints it there
  output: 'generated', // emptied each time
  logs: { file: false }, // a failure is told here, not in a file beside the code
  plugins: [
    '@hey-api/typescript', // types only: nothing of them is left at run time
    '@hey-api/client-fetch', // fetch is in Node and in browsers
    // Without a client that all share, each call names the account that makes it, and forgetting that does not compile.
    { name: '@hey-api/sdk', client: false },
  ],
});
