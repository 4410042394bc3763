// Returns what axe finds on a page, by the rules of WCAG 2.2 AA, as lines with rule and element.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { faintTexts } from './contrast.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules that depend on the color scheme. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** The one of them that `faintTexts` does not check, and the one that it checks in a tenth of the time. */
const LINKS = ['link-in-text-block'];
const CONTRAST = 'color-contrast';

/**
 * `colours`, `links`: only rules that depend on the color scheme, for the second scheme of a page. `uncoloured`: all but the contrast of texts.
 * It names only violations in full: describing thousands of elements that pass takes longer than checking them.
 */
export async function violationsOf(
  page: Page,
  about: 'everything' | 'uncoloured' | 'colours' | 'links' = 'everything',
): Promise<string[]> {
  await finishChanges(page);
  // Our pages have none, and what is in one would not be checked here.
  if (page.frames().length > 1) throw new Error('axe is not loaded into frames');
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const options: axe.RunOptions = {
    runOnly:
      about === 'everything' || about === 'uncoloured'
        ? { type: 'tag', values: RULES }
        : { type: 'rule', values: about === 'links' ? LINKS : COLOURS },
    rules: about === 'uncoloured' ? { [CONTRAST]: { enabled: false } } : {},
    resultTypes: ['violations'],
  };
  return page.evaluate(async (given) => {
    const loaded = (globalThis as unknown as { axe: typeof axe }).axe;
    const { violations } = await loaded.run(document, given);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
    );
  }, options);
}

/** Shows the page in a color scheme, and waits until its own styles know it. */
export async function show(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.waitForFunction((name) => {
    const own = document.documentElement.dataset['mantineColorScheme'];
    return own === undefined || own === name;
  }, scheme);
}

/** Waits for what is loading, and for the transitions that show it: what is greyed out meanwhile has less contrast. */
async function finishChanges(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy="true"]') === null &&
      document.getAnimations().every((one) => !(one instanceof CSSTransition) || one.playState === 'finished'),
  );
}

const PHONE = { width: 360, height: 740 };

/** Expects no violations and no faint text in the dark, no violations in the light, and no overflow on a phone. */
export async function looksRight(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  await show(page, 'dark');
  expect([...(await violationsOf(page, 'links')), ...(await faintTexts(page))]).toEqual([]);
  await show(page, 'light');
  const before = page.viewportSize();
  await page.setViewportSize(PHONE);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
  if (before !== null) await page.setViewportSize(before);
}
