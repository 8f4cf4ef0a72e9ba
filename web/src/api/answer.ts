// The answer of an operation of the SDK.

/** Without a response, the connection broke: the request may have taken effect. */
export interface Answer<Data> {
  data?: Data | undefined;
  error?: unknown;
  response?: Response | undefined;
}

/** The answer of a request. If the connection breaks inside a body, the SDK throws an error: then there is no response. */
export async function answerOf<Data>(request: Promise<Answer<Data>>): Promise<Answer<Data>> {
  try {
    return await request;
  } catch (error) {
    return { error };
  }
}

/** The pause that the server asks for (`Retry-After`), in milliseconds. */
export function retryAfter({ response }: Answer<unknown>): number | undefined {
  const seconds = Number(response?.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}
