// The rules of axe-core, on the page that is open.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What violates WCAG 2.2 AA or a best practice: one line for each element. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(source); // by the debugger: the policy of the site allows no scripts of others
  const results = await page.evaluate<AxeResults>('axe.run()');
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 120)}: ${node.failureSummary?.split('\n')[1]?.trim() ?? ''}`),
  );
}

/** Elements that stick out of the page to the right. The page must not scroll sideways; a table in a frame may. */
export async function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const inner = Array.from(document.querySelectorAll('body *')).filter((element) => {
      if (element.getBoundingClientRect().right <= width + 1) return false;
      for (let parent = element.parentElement; parent; parent = parent.parentElement) {
        if (getComputedStyle(parent).overflowX !== 'visible') return false;
      }
      return true;
    });
    return inner.slice(-3).map((element) => element.outerHTML.slice(0, 120));
  });
}
