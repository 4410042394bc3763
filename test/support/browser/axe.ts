// Returns what axe finds on a page, by the rules of WCAG 2.2 AA, as lines with rule and element.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

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
