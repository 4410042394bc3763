// The samples of docs/api.md that look at an invoice, on the demo: with nothing but what it prints, as a reader of the page has it.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { seedDemo } from '../../src/demo/seed-demo.ts';
import { greeting } from '../../src/entry/greeting.ts';
import { getAsBuyer } from '../support/api-client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { samplesIn } from './markdown-samples.ts';
import { missingForSample, runSample } from './run-sample.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8');
const [first, ...further] = samplesIn(page);
const ofInvoice = further.filter(({ code }) => code.includes('INVOICE'));

let home: TestDatabase;
let market: TestMarketplace;
/** What a server prints that has loaded the demo. */
let output: string;
let folder: string;

beforeAll(async () => {
  home = await createTestDatabase();
  const now = new Date();
  const secrets = await seedDemo(home.database, 'http://127.0.0.1:3000', now);
  market = await startTestMarketplace({ yaml: 'marketplace: {}', on: home, role: 'api', mayDemo: true });
  const { hostname: host, port } = new URL(market.url);
  const demo = { secrets, notLoaded: null };
  output = greeting({ host, port: Number(port), role: 'api', demo, statusUrl: null }, now);
  folder = await mkdtemp(join(tmpdir(), 'leadmarket-demo-'));
});
afterAll(async () => {
  await market?.close();
  await home?.drop();
  await rm(folder, { recursive: true, force: true });
});

function printed(name: string): string {
  const value = new RegExp(`^${name} {2}(\\S+)$`, 'm').exec(output)?.[1];
  if (value === undefined) throw new Error(`nothing printed is called ${name}`);
  return value;
}

const environment = (): Record<string, string> => ({
  BASE: market.url,
  KEY: printed('Supplier key'),
  TOKEN: printed('Buyer token'),
});

describe('The samples with an invoice', () => {
  it('find an invoice of a past month with charges in the demo', async () => {
    const { json } = await getAsBuyer(market.url, printed('Buyer token'), '/api/v1/buyer/billing');
    const [invoice] = json.invoices;
    expect(json.invoices).toHaveLength(1);
    expect(invoice).toMatchObject({ number: expect.stringMatching(/^INV-\d{4}-\d{6}$/) as string });
    expect(invoice.subtotal).toBeGreaterThan(0);
    expect(Date.parse(invoice.periodEnd)).toBeLessThanOrEqual(Date.parse(invoice.issuedAt));
    expect(Date.parse(invoice.issuedAt)).toBeLessThanOrEqual(Date.now());
  });

  it.for(ofInvoice.map((sample) => ({ name: `line ${sample.line}, ${sample.language}`, sample })))(
    'print the documented output, $name',
    async ({ sample }, { skip }) => {
      const missing = missingForSample(sample);
      if (missing !== null) skip(`there is no ${missing} here`);
      if (first === undefined) throw new Error('the page has no sample');
      // In a shell the first sample finds the invoice; the others get it from there.
      const isShell = sample.language === 'sh';
      const setting = { ...first, code: `${first.code}\n${isShell ? sample.code : 'echo "$INVOICE"\n'}` };
      const { stdout, ...end } = await runSample(setting, { folder, env: environment() });
      expect(end).toEqual({ exitCode: 0, stderr: '' });
      const [ready, ...lines] = stdout.split('\n');
      expect(ready).toBe('ready');
      if (isShell) return expect(lines.join('\n')).toMatch(sample.prints);
      const env = { ...environment(), INVOICE: lines[0] ?? '' };
      expect(await runSample(sample, { folder, env })).toEqual({
        exitCode: 0,
        stdout: expect.stringMatching(sample.prints) as string,
        stderr: '',
      });
    },
  );
});
