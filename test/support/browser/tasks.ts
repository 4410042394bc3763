// Tasks of users in a browser, each by keyboard and one in three, drawn by the commit, by pointer too, in at most so many steps.
import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';

import { isDrawn } from '../drawn.ts';
import { visit, type Visitor } from './chromium.ts';
import { type Hand, handOf, hands } from './hand.ts';

/** What a single run needs: a name that no other run has. */
export type Run = { readonly person: string };

export type Task = {
  readonly name: string;
  /** Clicks, fields and keys from the page where the task starts. */
  readonly most: number;
  /** The path where the task starts, signed in; null before the sign-in. */
  readonly at: string | null | ((run: Run) => Promise<string>);
  readonly run: (hand: Hand, run: Run) => Promise<void>;
};

const TURNS = 3;

/** Declares a test for each task and hand. They share one sign-in and one window, and each loads its document anew. */
export function testTasks(
  tasks: readonly Task[],
  world: {
    /** Whose tasks they are: `an operator`. */
    readonly who: string;
    readonly browser: () => Browser;
    readonly url: () => string;
    /** The path that the tasks' paths begin with. */
    readonly base: string;
    readonly signIn: (page: Page) => Promise<void>;
  },
): void {
  let runs = 0;
  let signedIn: Visitor;

  beforeAll(async () => {
    signedIn = await visit(world.browser(), world.url());
    await world.signIn(signedIn.page);
  });

  const open = async (at: string | null): Promise<Visitor> => {
    if (at === null) return visit(world.browser(), world.url());
    const { page, faults } = signedIn;
    // Rows under the pointer are held, and the task before has left it somewhere.
    await page.mouse.move(0, 0);
    // To load the address that is open already is a reload, which keeps what the history knows: the search of a list.
    await page.goto('about:blank');
    await page.goto(world.base + at);
    await page.locator('main h1').waitFor();
    // Those of a task that has failed.
    faults();
    return signedIn;
  };

  for (const kind of hands) {
    // By pointer only lists, radio buttons and rows are operated in another way.
    const drawn = tasks.filter(
      ({ name }) => kind === 'keyboard' || isDrawn(`tasks/${world.who}: ${name} by pointer`, TURNS),
    );
    for (const { name, most, at, run } of drawn) {
      it(`${name} by ${kind} in at most ${most} steps`, async () => {
        runs += 1;
        const of = { person: `${kind === 'keyboard' ? 'Kim' : 'Pat'} Number${runs}` };
        const visitor = await open(typeof at === 'function' ? await at(of) : at);
        const hand = handOf(kind, visitor.page);
        await run(hand, of);
        const steps = hand.steps();
        expect({ name, steps, isShort: steps <= most }).toEqual({ name, steps, isShort: true });
        expect(visitor.faults()).toEqual([]);
        if (visitor !== signedIn) await visitor.context.close();
      });
    }
  }
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
