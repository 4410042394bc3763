// Declares a test for each page of one application of the demo: no WCAG 2.2 AA violations and no faint text in either color scheme, no overflow
// on a phone, a tablet and desks, no errors. One page in three, drawn by the commit, gets all checks; the others those of the most value.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createDemoDatabase, type DemoDatabase } from '../demo-database.ts';
import { drawnTurn, isDrawn } from '../drawn.ts';
import { killServers, type ServerProcess, startServer } from '../server-process.ts';
import { show, violationsOf } from './axe.ts';
import { closeWindows, startChromium, visit, type Visitor } from './chromium.ts';
import { faintTexts } from './contrast.ts';

/** A usual desk. Axe and the colors are checked at this width. */
export const DESK = { width: 1280, height: 900 };
const PHONE = 360;
/** A tablet, and the two usual desks. */
const WIDER = [768, 1280, 1440];
const HEIGHT = 740;
const TURNS = 3;

type Application = {
  /** The line that the server prints with its link. */
  readonly link: 'Portal' | 'Supplier portal' | 'Console';
  readonly base: '/portal' | '/console';
  /** Where the files of its pages are, each page in a folder named like the first part of its address. */
  readonly folder: string;
  /** Addresses below `base`. */
  readonly plain: readonly string[];
  /** Pages with an id, which is that of the first row of a list: the list's path below `base`, the member with the id, the page's address. */
  readonly about: ReadonlyArray<readonly [list: string, member: string, address: string]>;
};

export type Demo = {
  readonly database: DemoDatabase;
  readonly server: ServerProcess;
  readonly linkOf: (name: Application['link']) => string;
  /** A window of its own, signed in by the printed link. */
  readonly visitBy: (name: Application['link']) => Promise<Visitor>;
};

/** A server with the demo for the tests of the file; call it in `describe`. */
export function useDemo(): () => Demo {
  let demo: Demo | null = null;
  beforeAll(async () => {
    const database = await createDemoDatabase();
    const [server, browser] = await Promise.all([
      startServer({ DATABASE_URL: database.url, DEMO: 'on' }),
      startChromium(),
    ]);
    const linkOf: Demo['linkOf'] = (name) => database.printed(name, server.url);
    const visitBy: Demo['visitBy'] = async (name) => {
      const visitor = await visit(browser, server.url, DESK);
      await visitor.page.goto(linkOf(name));
      await visitor.page.getByRole('navigation', { name: 'Pages' }).waitFor();
      return visitor;
    };
    demo = { database, server, linkOf, visitBy };
  });
  afterAll(async () => {
    await closeWindows();
    await killServers();
    await demo?.database.drop();
  });
  return () => {
    if (demo === null) throw new Error('the demo is there from beforeAll on');
    return demo;
  };
}

type Address = { readonly title: string; readonly find: (visitor: Visitor) => Promise<string> };

export function testPages({ link, base, folder, plain, about }: Application, demo: () => Demo): void {
  const addresses: readonly Address[] = [
    ...plain.map((address) => ({ title: address, find: async () => Promise.resolve(address) })),
    ...about.map(([list, member, address]) => ({
      title: `${address}:id`,
      find: async (visitor: Visitor) => address + (await firstOf(visitor, base + list, member)),
    })),
  ];
  const pages = addresses.map(({ title, find }, index) => {
    const [, part = ''] = /^\/?([\w-]*)/.exec(title) ?? [];
    return {
      ...{ title: base + title, find },
      isInFull: isDrawn(`pages${base}${title}`, TURNS, `${folder}/${part === '' ? 'overview' : part}`),
      width: WIDER[(index + drawnTurn('widths', WIDER.length)) % WIDER.length] ?? 0,
    };
  });

  describe('the pages of the demo', () => {
    let visitor: Visitor;
    // After a failure the document may be in any state.
    let isSound = true;

    beforeAll(async () => {
      visitor = await demo().visitBy(link);
    });

    it('sign in by a link whose secret stays neither in the address nor in the history', () => {
      expect(visitor.page.url()).not.toContain('#');
    });

    for (const { title, find, isInFull, width } of pages) {
      it(`${title} is accessible, fits all widths and shows no errors`, async () => {
        const address = base + (await find(visitor));
        await visitor.page.setViewportSize(DESK);
        await show(visitor.page, 'light');
        await (isInFull || !isSound ? load(visitor.page, address) : moveTo(visitor.page, base, address));
        isSound = false;
        expect(await faultsOf(visitor, isInFull ? {} : { width })).toEqual([]);
        isSound = true;
      });
    }
  });
}

/** Opens the address as a reload does. */
async function load(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('main h1').waitFor();
}

const NOWHERE = '/nowhere';
const NOT_FOUND = 'Page not found';

/** Opens a page as its links do, within the same document. By way of a page that shows when it is left: two pages may look the same. */
async function moveTo(page: Page, base: string, address: string): Promise<void> {
  const headings = page.locator('main h1');
  const follow = (to: string): Promise<void> => page.evaluate((path) => history.pushState(null, '', path), to);
  await follow(base + NOWHERE);
  await headings.filter({ hasText: NOT_FOUND }).waitFor();
  if (address === base + NOWHERE) return;
  await follow(address);
  await headings.filter({ hasNotText: NOT_FOUND }).first().waitFor();
}

/**
 * What is wrong with the page that the visitor sees, and what went wrong on the way to it. With a `width` only that one and a phone's, in the
 * dark only what differs from light, and the contrast of texts by our own check: faster than axe's and, as `faint-text.test.ts` shows, no less.
 */
export async function faultsOf(visitor: Visitor, { width }: { readonly width?: number } = {}): Promise<string[]> {
  const { page } = visitor;
  const found: string[] = visitor.faults();
  for (const scheme of ['light', 'dark'] as const) {
    await show(page, scheme);
    const rules = width === undefined ? 'everything' : scheme === 'light' ? 'uncoloured' : 'links';
    const violations = await violationsOf(page, rules);
    found.push(...[...violations, ...(await faintTexts(page))].map((one) => `${scheme}: ${one}`));
  }
  for (const one of [PHONE, ...(width === undefined ? WIDER : [width])]) {
    await page.setViewportSize({ width: one, height: HEIGHT });
    const shown = await page.evaluate(() => document.documentElement.scrollWidth);
    if (shown > one) found.push(`${shown} px wide in a window of ${one}`);
  }
  return found;
}

async function firstOf({ context, page }: Visitor, path: string, member: string): Promise<string> {
  const response = await context.request.get(new URL(path, page.url()).href, {
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  const { data } = (await response.json()) as { data: Record<string, string>[] };
  const id = data[0]?.[member];
  if (id === undefined) throw new Error(`${path} has no ${member}: ${JSON.stringify(data[0])}`);
  return id;
}
