// Tasks of users in a browser, each by keyboard and by pointer and in at most so many steps.
import type { Browser, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { visit } from './chromium.ts';
import { type Hand, handOf, hands } from './hand.ts';

export type Task<Of> = {
  readonly name: string;
  /** Clicks, fields and keys from the page where the task starts. */
  readonly most: number;
  /** The path where the task starts, signed in; null before the sign-in. */
  readonly at: string | null | ((of: Of) => Promise<string>);
  readonly run: (hand: Hand, of: Of) => Promise<void>;
};

/** Declares a test for each task and hand. `make` prepares what a single run needs. */
export function testTasks<Of>(
  tasks: ReadonlyArray<Task<Of>>,
  world: {
    readonly browser: () => Browser;
    readonly url: () => string;
    readonly make: (run: { readonly person: string }) => Promise<Of>;
    readonly signIn: (page: Page, of: Of, path: string) => Promise<void>;
  },
): void {
  let runs = 0;
  describe.each(hands)('by %s', (kind) => {
    it.each(tasks)('$name in at most $most steps', async ({ name, most, at, run }) => {
      runs += 1;
      const of = await world.make({ person: `${kind === 'keyboard' ? 'Kim' : 'Pat'} Number${runs}` });
      const visitor = await visit(world.browser(), world.url());
      const { page, context, faults } = visitor;
      if (at !== null) {
        await world.signIn(page, of, typeof at === 'string' ? at : await at(of));
        await page.locator('main h1').waitFor();
      }
      const hand = handOf(kind, page);
      await run(hand, of);
      const steps = hand.steps();
      expect({ name, steps, isShort: steps <= most }).toEqual({ name, steps, isShort: true });
      expect(faults()).toEqual([]);
      await context.close();
    });
  });
}

/** Opens a page from the menu: one step. */
export async function followMenuBy(hand: Hand, entry: string): Promise<void> {
  const link = hand.page
    .getByRole('navigation', { name: 'Pages', exact: true })
    .getByRole('link', { name: entry, exact: true });
  await hand.press(link);
  await link.and(hand.page.locator('[aria-current="page"]')).waitFor();
}

export function buttonOf({ page }: Hand, name: string | RegExp): Locator {
  return page.getByRole('button', { name, exact: true });
}

/** The button of the open dialog. */
export function answerOf({ page }: Hand, name: string): Locator {
  return page.getByRole('dialog').getByRole('button', { name, exact: true });
}

/** Saves what the list shows as a view, removes the filter by its button, and opens the view: seven steps. */
export async function saveAndOpenView(hand: Hand, name: string, filter: string): Promise<void> {
  const { page } = hand;
  const item = (text: string): Locator => page.getByRole('menuitem', { name: text, exact: true });
  const removal = page.getByRole('button', { name: filter, exact: true });
  await removal.waitFor();
  await hand.press(buttonOf(hand, 'Views'));
  await hand.press(item('Save view …'));
  await hand.type(page.getByRole('dialog').getByLabel('Name'), name);
  await hand.press(answerOf(hand, 'Save view'));
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await hand.press(removal);
  await removal.waitFor({ state: 'detached' });
  await hand.press(buttonOf(hand, 'Views'));
  await hand.press(item(name));
  await removal.waitFor();
}

export async function headingOf({ page }: Hand, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** A section of the page by its heading. */
export function sectionOf({ page }: Hand, title: string): Locator {
  return page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) });
}

export function rowOf({ page }: Hand, ...words: readonly string[]): Locator {
  return words.reduce((rows, text) => rows.filter({ hasText: text }), page.locator('#main').getByRole('row'));
}
