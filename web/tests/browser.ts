// Chromium of the system, and visitors of the site in it.

import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { SITE } from './site';

export interface Visit {
  language?: string;
  theme?: 'light' | 'dark';
  width?: number;
  height?: number;
}

export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Errors of scripts, and violations of the Content-Security-Policy. */
  errors: string[];
}

/** A time limit for hangs. Nothing that is tested needs so long. */
const HANG_MS = Number(process.env['WEB_HANG_MS'] ?? 60_000);

let browser: Browser;

/** Starts the browser for the tests of a file. After a failed test, the open pages are in test-results/. */
export function useBrowser(): void {
  afterEach(async (context) => {
    if (!(context as { passed?: boolean }).passed) await keepPictures(context.name);
  });
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());
}

export function openBrowser(): Promise<Browser> {
  // The sandbox of Chromium does not work for root.
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

/** A person with a browser of their own: no cookies and no storage of others. */
export async function newVisitor(visit: Visit = {}, from: Browser = browser): Promise<Visitor> {
  const { language = 'en', theme = 'light', width = 1280, height = 900 } = visit;
  const context = await from.newContext({
    baseURL: SITE.url,
    locale: language,
    colorScheme: theme,
    viewport: { width, height },
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(HANG_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    // A response with an error status is an ordinary answer of the API, and a broken connection an event of an outage.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) errors.push(message.text());
  });
  return { context, page, errors };
}

/** Closes the browser of the visitor. Its scripts must have had no errors. */
export async function leave(visitor: Visitor): Promise<void> {
  await visitor.context.close();
  assert.deepEqual(visitor.errors, []);
}

/** Opens a page, and waits until it has a heading and shows no loading text. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.loading') === null);
}

/** Logs in by the form. */
export async function logIn(page: Page, name: string, password: string): Promise<void> {
  await open(page, '/log-in');
  await page.locator('input[autocomplete=username]').fill(name);
  await page.locator('input[autocomplete=current-password]').fill(password);
  await page.locator('form button[type=submit]').click();
  await page.locator('.menu').waitFor();
}

async function keepPictures(name: string): Promise<void> {
  const pages = browser.contexts().flatMap((context) => context.pages());
  for (const [number, page] of pages.entries()) {
    await page.screenshot({ path: `../test-results/${name.replace(/\W+/g, '-')}-${number}.png` });
  }
  await Promise.all(browser.contexts().map((context) => context.close()));
}
