// Makes the pictures of the pages in docs/images from a fresh demo: `npm run screenshots [-- --only NAME,… --out FOLDER]`. Needs Chromium
// (CHROMIUM may name it).
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { type Browser, chromium, type Page } from 'playwright-core';

const ROOT = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { only: { type: 'string' }, out: { type: 'string', default: join(import.meta.dirname, 'images') } },
});
const IMAGES = resolve(values.out);
const chosen = values.only?.split(',');

type Shot = {
  readonly name: string;
  readonly address: string;
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
};

const folder = mkdtempSync(join(tmpdir(), 'leadmarket-screenshots-'));
// The database may run as another user, who has to get through here.
chmodSync(folder, 0o755);
mkdirSync(IMAGES, { recursive: true });
const service = spawn(join(ROOT, 'bin/leadmarket'), ['serve'], {
  env: { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'error' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((done) => service.once('exit', done));
try {
  const links = await greeting();
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
  await takeAll(browser, links);
  await browser.close();
} finally {
  service.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

/** The addresses and keys that the started service prints, by their names. */
async function greeting(): Promise<ReadonlyMap<string, string>> {
  const said = new Map<string, string>();
  for await (const line of createInterface({ input: service.stdout })) {
    const found = /^(?<name>[A-Z][A-Za-z ]+) {2}(?<value>\S+)$/.exec(line)?.groups;
    if (found !== undefined) said.set(found['name'] ?? '', found['value'] ?? '');
    if (line.startsWith('curl ')) return said;
  }
  throw new Error('the service ended before it was ready');
}

async function takeAll(browser: Browser, links: ReadonlyMap<string, string>): Promise<void> {
  const url = links.get('URL') ?? '';
  const key = links.get('Supplier key') ?? '';
  const leadId = await postLeads(url, key);
  const bearer = { authorization: `Bearer ${links.get('Buyer token') ?? ''}` };
  const page = await (await fetch(`${url}/api/v1/buyer/leads?pageSize=50`, { headers: bearer })).json();
  const { data } = page as { data: { deliveryId: string; claim: { id: string } | null }[] };
  const delivery = data.find(({ claim }) => claim !== null);
  const returns = (await (await fetch(`${url}/api/v1/buyer/returns`, { headers: bearer })).json()) as {
    data: { returnId: string; status: string }[];
  };
  const open = returns.data.find(({ status }) => status === 'submitted')?.returnId ?? '';
  await take(browser, links.get('Portal') ?? '', [
    { name: 'partner-overview', address: '/portal' },
    { name: 'partner-deliveries', address: '/portal/deliveries' },
    { name: 'partner-delivery', address: `/portal/deliveries/${delivery?.deliveryId ?? ''}`, height: 1500 },
    {
      name: 'partner-report',
      address: '/portal/reports?by=offer&measures=deliveries,revenue,returnRate&compare=previous',
      height: 1100,
    },
    { name: 'partner-billing', address: '/portal/billing', height: 1100 },
    { name: 'partner-settings', address: '/portal/settings', height: 1300 },
    { name: 'partner-phone', address: '/portal/deliveries', scheme: 'dark', width: 390, height: 844 },
  ]);
  await take(browser, links.get('Supplier portal') ?? '', [
    { name: 'supplier-overview', address: '/portal/supply' },
    { name: 'supplier-earnings', address: '/portal/supply/earnings', height: 1000 },
    { name: 'supplier-specification', address: '/portal/supply/specification' },
  ]);
  await take(browser, links.get('Console') ?? '', [
    { name: 'console-overview', address: '/console', height: 1300 },
    { name: 'console-health', address: '/console/health', height: 1100 },
    {
      name: 'console-report',
      address: '/console/reports?by=supplier&measures=margin,revenue,cost,sold&compare=previous',
      height: 1500,
    },
    { name: 'console-map', address: '/console/where-and-when', height: 1300 },
    { name: 'console-messages', address: '/console/messages' },
    { name: 'console-payouts', address: '/console/payouts' },
    { name: 'console-notices', address: '/console/notices', height: 1100 },
    { name: 'console-trace', address: `/console/leads/${leadId}`, height: 1300 },
    { name: 'console-claim', address: `/console/claims/${open}`, height: 1100 },
    { name: 'console-offer', address: '/console/partners/summit/offers/summit-west' },
    { name: 'console-dark', address: '/console', scheme: 'dark' },
  ]);
}

/** So that the live figures show something; answers the id of the last one. */
async function postLeads(url: string, key: string): Promise<string> {
  const states = ['CA', 'TX', 'NY', 'CO', 'FL', 'OH', 'HI', 'WA'];
  let leadId = '';
  for (const [index, state] of states.entries()) {
    const lead = {
      external_id: `picture-${index}`,
      full_name: 'Robin Ferrante',
      email: `robin.ferrante.${index}@example.com`,
      phone: `+1555555${String(1100 + index)}`,
      state,
      debt_amount: '24500',
      consent_timestamp: new Date(Date.now() - 60_000).toISOString(),
      source_form_url: 'https://forms.example.com/debt-relief?utm_source=search',
    };
    const response = await fetch(`${url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(lead),
    });
    const { lead_id: id } = (await response.json()) as { lead_id: string };
    if (index === 0) leadId = id;
  }
  return leadId;
}

async function take(browser: Browser, link: string, all: readonly Shot[]): Promise<void> {
  const shots = all.filter(({ name }) => chosen?.includes(name) ?? true);
  if (shots.length === 0) return;
  const context = await browser.newContext({
    timezoneId: 'America/New_York',
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
  for (const { name, address, scheme = 'light', width = 1280, height = 860 } of shots) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height });
    await page.goto(new URL(address, link).href);
    await settle(page);
    await page.screenshot({ path: join(IMAGES, `${name}.png`) });
    console.log(join(IMAGES, `${name}.png`));
  }
  await context.close();
}

/** Nothing is loading any more, charts included, and the live connection stands. */
async function settle(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  await page.getByText('Live', { exact: true }).or(page.locator('header')).first().waitFor();
  await page.waitForLoadState('load');
  await page.waitForTimeout(1500);
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
}
