// Returns what axe finds on a page, by the rules of WCAG 2.2 AA, as lines with rule and element.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const COLOURS = ['color-contrast', 'link-in-text-block'];

/** `colours`: only rules that depend on the colour scheme, for the second scheme of a page. */
export async function violationsOf(page: Page, about: 'everything' | 'colours' = 'everything'): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (about === 'colours' ? axe.withRules(COLOURS) : axe.withTags(RULES)).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}

const PHONE = { width: 360, height: 740 };

/** Expects no violations in either scheme, and no overflow on a phone. */
export async function looksRight(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violationsOf(page, 'colours')).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  const before = page.viewportSize();
  await page.setViewportSize(PHONE);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
  if (before !== null) await page.setViewportSize(before);
}
