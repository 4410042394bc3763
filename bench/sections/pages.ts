// Measures the time to the first page: the overviews in a real browser, on a slow machine and network, and the bytes that they load.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { type Browser, type BrowserContext, type CDPSession, chromium } from 'playwright-core';

import { median, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { startProgram } from '../support/processes.ts';
import type { Section } from '../support/report.ts';
import { COMMAND } from '../support/service.ts';

/** 4 times slower than this machine, 10 Mbit/s, 40 ms round trip. */
const CPU_SLOWDOWN = 4;
const BYTES_PER_SECOND = 10_000_000 / 8;
const LATENCY_MS = 40;

type Entrance = { readonly name: string; readonly address: string; readonly link: string };
type Visit = {
  readonly usableMs: number;
  readonly scriptsKb: number;
  readonly laterScriptsKb: number;
  readonly requests: number;
};

export async function measurePages({ directory, rounds, progress }: BenchOptions): Promise<Section> {
  const dataDir = mkdtempSync(join(directory, 'pages-'));
  const program = startProgram(COMMAND, ['serve'], { DATA_DIR: dataDir, PORT: '0', DEMO: 'on' });
  const link = async (name: string): Promise<string> =>
    (await program.line(new RegExp(`^${name} {2}`))).slice(name.length + 2).trim();
  const entrances: Entrance[] = [
    { name: 'partner', address: '/portal', link: await link('Portal') },
    { name: 'supplier', address: '/portal/supply', link: await link('Supplier portal') },
    { name: 'operator', address: '/console', link: await link('Console') },
  ];
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
  const visits = new Map<string, Visit[]>();
  for (const entrance of entrances) {
    const seen: Visit[] = [];
    for (let round = 0; round < rounds; round += 1) seen.push(await visit(browser, entrance));
    visits.set(entrance.name, seen);
    progress(`pages: ${entrance.name} usable after ${shown(median(seen.map(({ usableMs }) => usableMs)))} ms`);
  }
  await browser.close();
  await program.stop();
  rmSync(dataDir, { recursive: true, force: true });
  const row = (name: string, seen: readonly Visit[]): string[] => {
    const times = seen.map(({ usableMs }) => usableMs);
    const [first] = seen;
    return [
      name,
      shown(median(times)),
      shown(Math.max(...times)),
      shown(first?.scriptsKb ?? 0),
      shown(first?.laterScriptsKb ?? 0),
      String(first?.requests ?? 0),
    ];
  };
  return {
    name: 'pages',
    title: 'Pages',
    notes: [
      `The overview of each application in headless Chromium with an empty cache and a session: the processor ${CPU_SLOWDOWN} times slower, 10 Mbit/s, ${LATENCY_MS} ms.`,
      'Usable: the heading and the figures are there and nothing above the charts is still loading. Scripts: compressed, until usable, and afterwards (charts).',
      'Targets: usable within 2,000 ms, scripts of the first load at most 230 KB.',
    ],
    tables: [
      {
        title: 'First load',
        columns: ['', 'usable, median ms', 'longest ms', 'scripts KB', 'later KB', 'requests'],
        rows: [...visits].map(([name, seen]) => row(name, seen)),
      },
    ],
    data: Object.fromEntries(visits),
  };
}

async function visit(browser: Browser, { address, link }: Entrance): Promise<Visit> {
  const url = new URL(link);
  const cookies = await signedInCookies(browser, link);
  const context = await browser.newContext({ baseURL: url.origin, reducedMotion: 'reduce' });
  await context.addCookies(cookies);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const loaded = await throttle(devtools);
  const began = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator('main h1').waitFor();
  await page.locator('main dl, main [data-figure]').first().waitFor();
  const usableMs = performance.now() - began;
  const first = { scriptsKb: loaded.scriptBytes() / 1000, requests: loaded.requests() };
  await page.waitForTimeout(3000);
  await context.close();
  return { usableMs, ...first, laterScriptsKb: loaded.scriptBytes() / 1000 - first.scriptsKb };
}

async function signedInCookies(
  browser: Browser,
  link: string,
): Promise<Awaited<ReturnType<BrowserContext['cookies']>>> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.locator('main h1').waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

type Loaded = { readonly scriptBytes: () => number; readonly requests: () => number };

async function throttle(devtools: CDPSession): Promise<Loaded> {
  const scripts = new Set<string>();
  let [bytes, requests] = [0, 0];
  devtools.on('Network.responseReceived', ({ requestId, type }) => {
    requests += 1;
    if (type === 'Script') scripts.add(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return { scriptBytes: () => bytes, requests: () => requests };
}
