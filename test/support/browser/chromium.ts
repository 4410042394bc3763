// Starts Debian's Chromium once for each worker of the tests; errors of a page are faults of the test.
import { existsSync } from 'node:fs';

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

import { ROOM } from '../room.ts';
import { holdChromium } from './held-chromium.ts';

const PROGRAM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

// It must talk to loopback only, run as root in containers, and look the same everywhere.
const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
];

/** For `describe.skipIf`: true with a printed reason if Chromium is missing, but never in continuous integration. */
export function hasNoChromium(): boolean {
  if (existsSync(PROGRAM)) return false;
  if (process.env['CI']) throw new Error(`${PROGRAM} is missing, and CI is set: the browser tests must run there`);
  console.log(`The browser tests are skipped: there is no ${PROGRAM} (CHROMIUM may name another).`);
  return true;
}

let running: Promise<Browser> | null = null;

/** The worker's own; `vitest.environment.ts` closes it when the worker ends. */
export async function startChromium(): Promise<Browser> {
  const before = await running?.catch(() => null);
  if (before?.isConnected() === true) return before;
  const launched = chromium.launch({ executablePath: PROGRAM, args: SWITCHES, timeout: WAIT_MS });
  running = launched;
  holdChromium(launched);
  return launched;
}

/** For the end of a test file: a failed test leaves its windows open. */
export async function closeWindows(): Promise<void> {
  const browser = await running?.catch(() => null);
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

export type Visitor = {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What went wrong so far, and forgets it: faults of scripts, violations of the policy, requests to other hosts. */
  readonly faults: () => string[];
};

export type VisitorOptions = {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly timezoneId?: string;
};

// Generous: a busy machine must not fail a test, and a missing result fails it in any case.
const WAIT_MS = 300_000 * ROOM;

/** A user with a separate browser window without a session. */
export async function visit(browser: Browser, url: string, options: VisitorOptions = {}): Promise<Visitor> {
  const { width = 1280, height = 900, colorScheme = 'light', timezoneId = 'America/New_York' } = options;
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme,
    timezoneId,
    locale: 'en-US',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  context.setDefaultTimeout(WAIT_MS);
  context.setDefaultNavigationTimeout(WAIT_MS);
  let faults: string[] = [];
  const origin = new URL(url).origin;
  context.on('request', (request) => {
    const asked = new URL(request.url());
    if (/^https?:$/.test(asked.protocol) && asked.origin !== origin) faults.push(`asked another host: ${asked.origin}`);
  });
  context.on('weberror', (error) => faults.push(`script: ${String(error.error())}`));
  context.on('console', (message) => {
    if (message.type() === 'error' && !isResponse(message.text())) faults.push(`console: ${message.text()}`);
  });
  const page = await context.newPage();
  return {
    context,
    page,
    faults() {
      const seen = faults;
      faults = [];
      return seen;
    },
  };
}

/** The browser logs every error response of the service, and many stories contain some. */
function isResponse(text: string): boolean {
  return text.startsWith('Failed to load resource: the server responded with a status of 4');
}
