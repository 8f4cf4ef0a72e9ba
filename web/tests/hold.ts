// Responses that a test holds back until something has happened on the page.

import type { Page, Route } from 'playwright-core';

/** Holds the requests for this address back. Returns what lets them go on. */
export async function hold(
  page: Page,
  address: string,
  goOn: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => void> {
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    await isReleased;
    await goOn(route);
  });
  return release;
}
