// The configuration of the generated SDK: where the API is, and which token a request has.

import type { CreateClientConfig } from '../sdk/client.gen';
import { accessToken, replaceToken, tokenAccount } from './token';

/** The prefix of the API on the site's own origin. The proxy removes it. */
export const API = '/api';

const BEARER = 'Bearer ';

export const createClientConfig: CreateClientConfig = (config) => ({
  ...config,
  baseUrl: API,
  credentials: 'same-origin',
  auth: ({ scheme }) => (scheme === 'bearer' ? accessToken() : undefined),
  fetch: sendWithToken,
});

/** Sends a request. If its token has expired, it is sent once more with a new token. */
async function sendWithToken(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const accountId = tokenAccount();
  const request = new Request(input, init);
  const authorization = request.headers.get('Authorization');
  if (!authorization?.startsWith(BEARER)) return fetch(request);
  const repeated = request.clone();
  const response = await fetch(request);
  if (response.status !== 401) return response;
  const token = await replaceToken(authorization.slice(BEARER.length), accountId);
  if (token === undefined) return response;
  repeated.headers.set('Authorization', BEARER + token);
  return fetch(repeated);
}
