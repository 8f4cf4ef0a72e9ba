// The request that renews the tokens of a session.

import { answerOf, type Answer } from './answer';

/** The server responds within 20 s. */
const RESPONSE_MS = 22_000;

/**
 * Sends the request, and once more immediately if there is no response. The server accepts a used refresh token for 30 s after its
 * first use. Later, it takes the repeated request for a theft and ends the session.
 */
export async function refresh<Data>(
  send: (signal: AbortSignal) => Promise<Answer<Data>>,
  responseMs = RESPONSE_MS,
): Promise<Answer<Data>> {
  const answer = await answerOf(send(AbortSignal.timeout(responseMs)));
  return answer.response ? answer : answerOf(send(AbortSignal.timeout(responseMs)));
}
