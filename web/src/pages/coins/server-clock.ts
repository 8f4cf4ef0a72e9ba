// The time of the server. The clock of a player's device may be wrong, and a countdown must not follow it.

let offset = 0;

/** Learns the time from a response. `sentAt` is when its request was sent, by this device's clock. */
export function noteServerTime(response: Response, sentAt: number): void {
  const date = Date.parse(response.headers.get('Date') ?? '');
  // The header has whole seconds. The middle of that second, and of the request, is the best estimate.
  if (!Number.isNaN(date)) offset = date + 500 - (sentAt + Date.now()) / 2;
}

/** Milliseconds since 1970, by the server's clock. */
export function serverNow(): number {
  return Date.now() + offset;
}
