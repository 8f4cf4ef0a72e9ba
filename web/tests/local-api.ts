// A server in place of the api, for tests that need no browser and no site.

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from '../src/api/answer';
import { createClientConfig } from '../src/api/client';
import { createClient, createConfig } from '../src/sdk/client';

/** Sends a body with the token of the page. */
export type Post = (body: unknown, headers?: Record<string, string>, signal?: AbortSignal) => Promise<Answer<unknown>>;

/** Runs `action` with a client of a server that replies in this way. */
export async function withLocalApi<Result>(
  reply: RequestListener,
  action: (post: Post) => Promise<Result>,
): Promise<Result> {
  const server = createServer(reply).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({ ...createClientConfig(createConfig()), baseUrl });
  try {
    return await action((body, headers = {}, signal) =>
      client.post({
        url: '/',
        body,
        headers,
        ...(signal && { signal }),
        security: [{ scheme: 'bearer', type: 'http' }],
      }),
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
