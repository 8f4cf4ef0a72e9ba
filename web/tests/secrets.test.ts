// Secrets that the server shows only once.

import { test } from 'node:test';
import { leave, logIn, newVisitor, open, useBrowser } from './browser';
import { credentials } from './site';

useBrowser();

test('recovery codes are shown until they are stored', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  const { name, secret } = credentials('player');
  await logIn(page, name, secret);
  await open(page, '/account/security');
  // The account stays without a second factor, so that other tests can use it.
  await page.route('**/api/accounts/second-factor/start', (route) =>
    route.fulfill({ json: { enrolment: 'e', secret: 'JBSWY3DP', uri: 'otpauth://totp/e', qrcode_svg: '<svg/>' } }),
  );
  await page.route('**/api/accounts/second-factor/enable', (route) =>
    route.fulfill({ json: { recovery_codes: ['aaaa-bbbb', 'cccc-dddd'] } }),
  );
  await page.getByLabel('Your password').fill(secret);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.locator('input[autocomplete=one-time-code]').fill('123456');
  await page.getByRole('button', { name: 'Enable' }).click();
  const code = page.getByText('cccc-dddd');
  await code.waitFor();

  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('link', { name: 'Sessions' }).and(page.locator('[aria-current=page]')).waitFor();
  await code.waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Guilds' }).click();
  await page.getByRole('heading', { name: 'Guilds', level: 1 }).waitFor();
  await page.goBack();
  await code.waitFor();

  await page.getByLabel('I have stored them').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await code.waitFor({ state: 'detached' });
  await leave(visitor);
});
