import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { registerInvoicesCommands } from '../../src/invoices/invoices.cli.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import { captureCommand, type Captured, contextOf } from '../support/captured-command.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';

const yaml = `
marketplace: { name: Leads & Sons <Ltd>, currency: EUR }
partners:
  - { key: east, name: East, timeZone: America/New_York, channels: [], billing: { mode: postpaid, creditLimit: 5000 } }
  - { key: west, name: "West <b>&amp;</b>", timeZone: America/Los_Angeles, channels: [], billing: { mode: prepaid } }
  - { key: idle, name: Idle, timeZone: UTC, channels: [] }
`;

const clock = handClock('2026-11-02T12:00:00.000Z');
let market: TestMarketplace;
let folder: string;
let sales = 0;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml, role: 'api' });
  folder = mkdtempSync(join(tmpdir(), 'invoices-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await market.close();
});
beforeEach(() => clock.set('2026-11-02T12:00:00.000Z'));

function run(...argv: string[]): Promise<Captured & { readonly json: Json }> {
  return captureCommand(['invoices', ...argv], (program, out) =>
    registerInvoicesCommands(program.command('invoices'), contextOf(market.database, clock, out)),
  );
}

async function charge(buyerKey: string, amountCents: number, at: string): Promise<void> {
  sales += 1;
  const description = `Lead Sale LS-${100_000 + sales}`;
  const transfer = { businessKey: `sale:${sales}`, type: 'charge', buyerKey, amountCents, description } as const;
  await market.database.tx((tx) => postTransfers(tx, [transfer], new Date(at)));
}

describe('invoices run', () => {
  it('previews, issues, and does not change existing invoices when repeated', async () => {
    await charge('east', 4500, '2026-10-05T12:00:00Z');
    await charge('west', 4000, '2026-10-05T12:00:00Z');
    const seen = await run('run', '--month', '2026-10', '--dry-run', '--json');
    expect([seen.exitCode, seen.json]).toEqual([
      0,
      {
        month: '2026-10',
        dryRun: true,
        data: [
          { outcome: 'due', partner: 'east', subtotal: 45, credits: 0, total: 45 },
          { outcome: 'due', partner: 'west', subtotal: 40, credits: 0, total: 40 },
        ],
      },
    ]);
    expect((await run('list', '--json')).json).toEqual({ data: [] });
    const issued = await run('run', '--month', '2026-10', '--json');
    expect(issued.json.data).toEqual([
      {
        outcome: 'issued',
        invoiceId: expect.stringMatching(/^inv_[0-9a-z]{26}$/),
        number: 'INV-2026-000001',
        partner: 'east',
        month: '2026-10',
        timeZone: 'America/New_York',
        periodStart: '2026-10-01T04:00:00.000Z',
        periodEnd: '2026-11-01T04:00:00.000Z',
        status: 'issued',
        subtotal: 45,
        credits: 0,
        carriedIn: 0,
        carriedOut: 0,
        net: 45,
        taxPercent: 0,
        tax: 0,
        total: 45,
        amountDue: 45,
        issuedAt: '2026-11-02T12:00:00.000Z',
        dueAt: '2026-11-16T12:00:00.000Z',
        currency: 'EUR',
        fromBalance: 0,
        paid: 0,
        paidAt: null,
        voidedAt: null,
        voidNote: null,
      },
      expect.objectContaining({ outcome: 'issued', number: 'INV-2026-000002', partner: 'west' }),
    ]);
    clock.set('2026-11-03T12:00:00.000Z');
    const again = await run('run', '--month', '2026-10', '--json');
    expect(again.json.data).toEqual(issued.json.data.map((one: Json) => ({ ...one, outcome: 'exists' })));
    expect((await run('run', '--month', '2026-10', '--dry-run', '--json')).json.data).toEqual(again.json.data);
    const shown = (await run('run', '--month', '2026-10')).stdout;
    expect(shown).toMatch(/west\s.*INV-2026-000002\s.*already issued/);
    expect(shown).toMatch(/\nAll invoices of 2026-10 already existed\.\n$/);
  });

  it('explains why there is nothing to invoice', async () => {
    const nothing = 'Nothing to invoice for 2026-08';
    const rest = 'in this month, and no credits are open.';
    expect((await run('run', '--month', '2026-08')).stdout).toBe(`${nothing}: no partner has charges ${rest}\n`);
    const one = await run('run', '--month', '2026-08', '--partner', 'idle', '--dry-run');
    expect([one.exitCode, one.stdout]).toEqual([0, `${nothing}: idle has no charges ${rest}\n`]);
    expect((await run('run', '--month', '2026-08', '--json')).json).toEqual({
      month: '2026-08',
      dryRun: false,
      data: [],
    });
  });

  it('rejects a month that is not over for all partners, and issues none', async () => {
    await charge('east', 100, '2026-11-05T12:00:00Z');
    // Over in New York and UTC, but not for three more hours in Los Angeles.
    clock.set('2026-12-01T05:00:00.000Z');
    const all = await run('run', '--month', '2026-11', '--json');
    expect([all.exitCode, all.json]).toEqual([
      1,
      {
        error: {
          code: 'month_not_over',
          message:
            '2026-11 is not over for west in America/Los_Angeles: it ends at 2026-12-01T08:00:00.000Z. Nothing was issued.',
        },
      },
    ]);
    expect((await run('list', '--partner', 'east', '--json')).json.data).toHaveLength(1);
    const dry = await run('run', '--month', '2026-11', '--partner', 'west', '--dry-run');
    expect([dry.exitCode, dry.stderr]).toMatchObject([1, expect.stringContaining('2026-11 is not over')]);
    const one = await run('run', '--month', '2026-11', '--partner', 'east', '--json');
    expect([one.exitCode, one.json.data]).toMatchObject([0, [{ outcome: 'issued', partner: 'east', total: 1 }]]);
    const many = await run('run', '--month', '2027-01');
    expect(many.stderr).toBe(
      '2027-01 is not over for west in America/Los_Angeles (and for 2 more): it ends at 2027-02-01T08:00:00.000Z. Nothing was issued.\n',
    );
  });

  it('issues each invoice once for concurrent runs', async () => {
    for (const partner of ['east', 'west']) await charge(partner, 500, '2026-08-05T12:00:00Z');
    const runs = await Promise.all([1, 2, 3].map(() => run('run', '--month', '2026-08', '--json')));
    const outcomes: string[] = runs.flatMap(({ json }) =>
      json.data.map((one: Json) => `${one.partner} ${one.outcome}`),
    );
    expect(outcomes.filter((one) => one.endsWith('issued')).toSorted()).toEqual(['east issued', 'west issued']);
    expect(outcomes).toHaveLength(6);
  });

  it.each([
    ['no month', ['run']],
    ['an invalid month', ['run', '--month', '2026-13']],
    ['a day', ['run', '--month', '2026-10-01']],
    ['no note', ['void', 'INV-2026-000001']],
    ['a blank note', ['void', 'INV-2026-000001', '--note', ' ']],
    ['a payment of 0', ['pay', 'INV-2026-000001', '--amount', '0']],
    ['a negative payment', ['pay', 'INV-2026-000001', '--amount', '-1']],
    ['an unknown status', ['list', '--status', 'draft']],
  ])('reports a usage error for %s', async (_case, argv) => {
    expect(await run(...argv, '--json')).toMatchObject({ exitCode: 2, json: { error: { code: 'usage' } } });
  });

  it('rejects an unknown partner', async () => {
    const { exitCode, json } = await run('run', '--month', '2026-10', '--partner', 'nobody', '--json');
    expect([exitCode, json.error.code]).toEqual([1, 'partner_not_found']);
  });
});

describe('invoices list and show', () => {
  const numbers = async (...argv: string[]): Promise<string[]> =>
    (await run('list', ...argv, '--json')).json.data.map(({ number }: Json) => number);

  it('finds invoices by partner, status, number and id', async () => {
    clock.set('2026-12-24T12:00:00.000Z');
    const all = await numbers();
    expect(all).toContain('INV-2026-000001');
    expect(await numbers('--limit', '1')).toEqual(all.slice(0, 1));
    expect(await numbers('--partner', 'east')).not.toContain('INV-2026-000002');
    expect(await numbers('--status', 'overdue')).toContain('INV-2026-000001');
    expect(await numbers('--status', 'void')).toEqual([]);
    const { json } = await run('show', 'INV-2026-000002', '--json');
    expect(json).toMatchObject({ partner: 'west', total: 40, status: 'overdue' });
    expect((await run('show', json.invoiceId, '--json')).json).toEqual(json);
    expect((await run('show', 'INV-2026-000002')).stdout).toContain('Amount due in EUR: 40.00');
  });

  it('writes an invoice as HTML and PDF', async () => {
    const [html, pdf] = [join(folder, 'a.html'), join(folder, 'a.pdf')];
    const { exitCode, stdout } = await run('show', 'INV-2026-000002', '--html', html, '--pdf', pdf);
    expect([exitCode, stdout]).toEqual([0, `Wrote ${html} and ${pdf}.\n`]);
    const page = readFileSync(html, 'utf8');
    expect(page).toContain('West &lt;b&gt;&amp;amp;&lt;/b&gt;');
    expect(page).toContain('>From</p><p>Leads &amp; Sons &lt;Ltd&gt;</p>');
    const bytes = readFileSync(pdf).toString('latin1');
    expect(bytes.slice(0, 5)).toBe('%PDF-');
    expect(bytes).toContain('(Leads & Sons <Ltd>)');
  });

  it('rejects an unknown invoice and a file that cannot be written', async () => {
    for (const name of ['INV-2026-999999', 'inv_x', '', '%']) {
      const { exitCode, json } = await run('show', name, '--json');
      expect([exitCode, json.error.code]).toEqual([1, 'invoice_not_found']);
    }
    const nowhere = join(folder, 'none', 'a.pdf');
    const { exitCode, json } = await run('show', 'INV-2026-000002', '--pdf', nowhere, '--json');
    expect([exitCode, json.error.code, existsSync(nowhere)]).toEqual([1, 'file_not_written', false]);
  });
});

describe('invoices pay and void', () => {
  it('pays in two parts, then rejects further payment and voiding', async () => {
    const part = await run('pay', 'INV-2026-000001', '--amount', '20.5');
    expect(part.stdout).toBe('INV-2026-000001 is issued, 24.50 due.\n');
    const none = await run('pay', 'INV-2026-000001', '--json');
    expect([none.exitCode, none.json.error.code]).toEqual([1, 'balance_too_low']);
    const rest = await run('pay', 'INV-2026-000001', '--amount', '24.50', '--json');
    expect(rest.json).toMatchObject({ status: 'paid', paid: 45, amountDue: 0 });
    const more = await run('pay', 'INV-2026-000001', '--amount', '1', '--json');
    expect([more.exitCode, more.json.error.code]).toEqual([1, 'invoice_paid']);
    const voided = await run('void', 'INV-2026-000001', '--note', 'Wrong', '--json');
    expect([voided.exitCode, voided.json.error.code]).toEqual([1, 'invoice_has_payments']);
  });

  it('voids with a note, and the next run issues a new invoice', async () => {
    const { stdout } = await run('void', 'INV-2026-000002', '--note', 'Wrong address');
    expect(stdout).toBe('INV-2026-000002 is void.\n');
    expect((await run('show', 'INV-2026-000002', '--json')).json).toMatchObject({
      status: 'void',
      amountDue: 0,
      voidNote: 'Wrong address',
    });
    const again = await run('void', 'INV-2026-000002', '--note', 'Wrong address', '--json');
    expect([again.exitCode, again.json.error.code]).toEqual([1, 'invoice_void']);
    const next = await run('run', '--month', '2026-10', '--partner', 'west', '--json');
    expect(next.json.data).toMatchObject([{ outcome: 'issued', total: 40 }]);
    expect(next.json.data[0].number).not.toBe('INV-2026-000002');
  });

  it('keeps the name of the marketplace at the time of issue', async () => {
    await market.apply('marketplace: { name: Another name, currency: EUR }');
    const sellers = async (): Promise<object[]> =>
      (await market.database.pool.query(`SELECT number, seller_name FROM invoice ORDER BY number`)).rows;
    const before = await sellers();
    await charge('idle', 100, '2026-09-10T12:00:00Z');
    const { json } = await run('run', '--month', '2026-09', '--partner', 'idle', '--json');
    const added = { number: json.data[0].number, seller_name: 'Another name' };
    expect(await sellers()).toEqual([...before, added]);
  });
});
