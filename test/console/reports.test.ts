// Reports through the console and the portals: own rows and own money, the same rows as a file, and what may not be asked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { foldSome } from '../../src/reports/fold-reports.ts';
import { registerReportCommand } from '../../src/reports/report.cli.ts';
import { captureCommand, contextOf } from '../support/captured-command.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { connectSupplier, leadBody } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';

const yaml = `
marketplace: { currency: USD }
suppliers:
  - { key: acme, name: Acme Media, status: approved, pay: { model: share, percent: 60 } }
  - { key: zenith, name: Zenith Leads, status: approved, timeZone: Europe/Berlin, pay: { model: fixed, amount: 10.00 } }
partners:
  - { key: summit, name: Summit Relief, channels: [], billing: { mode: postpaid, creditLimit: 1000000 },
      offers: [{ key: summit-ca, name: California, eventType: Lead Sale, payout: 45.00, filters: { states: [CA] } }] }
  - { key: harbor, name: Harbor Law, timeZone: America/Denver, channels: [], billing: { mode: postpaid, creditLimit: 1000000 },
      offers: [{ key: harbor-tx, name: Texas, eventType: Lead Sale, payout: 30.00, filters: { states: [TX] } }] }
`;

const clock = handClock('2026-11-20T12:00:30.000Z');
const DAY = 'from=2026-11-20&until=2026-11-20';

let market: TestMarketplace;
beforeAll(async () => {
  market = await startTestMarketplace({ yaml, clock });
  for (const [key, bodies] of [
    ['acme', [leadBody(1), leadBody(2), leadBody(3, { state: 'TX' }), leadBody(4, { state: 'NV' })]],
    ['zenith', [leadBody(5)]],
  ] as const) {
    const supplier = connectSupplier(market.url, { key: await market.supplierKey(key), connections: 1 });
    await supplier.postAll(bodies);
    await supplier.close();
  }
  await eventually('all leads are sold or not', async () => {
    const operator = await market.signedIn.operator();
    const { json } = await operator.get(`/console/api/reports?${DAY}&measures=sold,unsold`);
    const { sold, unsold } = json.totals as { sold: number; unsold: number };
    return sold + unsold === 5 ? json : null;
  });
  // A partner's report contains what is folded.
  while (await market.database.tx((tx) => foldSome(tx, clock.now())));
});
afterAll(() => market.close());

const rowsOf = (json: Json) =>
  (json.rows as { keys: string[]; values: Json }[]).map(({ keys, values }) => [...keys, ...Object.values(values)]);

describe('a report on the console', () => {
  it('has both sides of the money, by supplier and by partner', async () => {
    const operator = await market.signedIn.operator();
    const measures = 'measures=submitted,sold,revenue,cost,margin';
    const { json } = await operator.get(`/console/api/reports?by=supplier&${measures}&${DAY}&compare=previous`);
    expect(rowsOf(json)).toEqual([
      ['acme', 4, 3, 120, 72, 48],
      ['zenith', 1, 1, 45, 10, 35],
    ]);
    expect(json.names).toEqual({ supplier: { acme: 'Acme Media', zenith: 'Zenith Leads' } });
    expect(json.totals).toEqual({ submitted: 5, sold: 4, revenue: 165, cost: 82, margin: 83 });
    expect(json.totalsBefore).toEqual({ submitted: 0, sold: 0, revenue: 0, cost: 0, margin: 0 });
    const byPartner = await operator.get(`/console/api/reports?by=partner&measures=revenue,cost,margin&${DAY}`);
    expect(rowsOf(byPartner.json)).toEqual([
      ['summit', 135, 64, 71],
      ['harbor', 30, 18, 12],
    ]);
  });

  it('has the steps from submitted leads to kept deliveries in one answer', async () => {
    const operator = await market.signedIn.operator();
    const measures = 'measures=submitted,accepted,refused,sold,unsold,deliveries,confirmed,kept,returned';
    const { json } = await operator.get(`/console/api/reports?${measures}&${DAY}&compare=previous`);
    expect(json.totals).toEqual({
      ...{ submitted: 5, accepted: 5, refused: 0, sold: 4, unsold: 1 },
      ...{ deliveries: 4, confirmed: 4, kept: 4, returned: 0 },
    });
  });

  it('is the same as a file, sorted and filtered as asked', async () => {
    const operator = await market.signedIn.operator();
    const question = `by=supplier&measures=revenue,margin&${DAY}&sort=-supplier&supplier=acme,zenith`;
    const { status, headers, text } = await operator.get(`/console/api/reports.csv?${question}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="report_supplier_2026-11-20_2026-11-20.csv"');
    expect(text).toBe('supplier,revenue,margin\r\nzenith,45.00,35.00\r\nacme,120.00,48.00\r\n');
  });

  it.each([
    ['by=supplier,supplier', 'by'],
    ['by=day,week,month,hour', 'by'],
    ['measures=profit', 'measures'],
    ['sort=cost&measures=revenue', 'sort'],
    ['supplier=%25', 'supplier'],
    ['from=2026-11-21&until=2026-11-20', 'from'],
    ['timeZone=Mars', 'timeZone'],
    ['from=2020-01-01&until=2026-11-20', 'from'],
    ['from=yesterday', 'from'],
    ['span=today&from=2026-11-20', 'span'],
    ['span=tomorrow', 'span'],
  ])('rejects %s', async (question, field) => {
    const operator = await market.signedIn.operator();
    const { status, json } = await operator.get(`/console/api/reports?${question}`);
    expect([status, json.code]).toEqual([400, 'invalid_query']);
    expect((json.errors as Json[])[0]).toMatchObject({ field });
  });
});

describe('leadmarket report', () => {
  const report = (...argv: readonly string[]) =>
    captureCommand(['report', ...argv], (program, out) =>
      registerReportCommand(program.command('report'), contextOf(market.database, clock, out)),
    );
  const spanned = ['--by', 'supplier', '--measures', 'revenue,margin', '--span', 'today'];

  it('prints the same rows as a table, as CSV and as JSON', async () => {
    const text = await report(...spanned, '--compare', '--sort=margin');
    expect(text.stdout).toMatch(/zenith.*45\.00.*0\.00.*35\.00[^]*acme.*120\.00[^]*Total.*165\.00/);
    expect(text.stdout).toContain('2026-11-20 to 2026-11-20, days in UTC, in USD. Before: 2026-11-19 to 2026-11-19.');
    const csv = await report(...spanned, '--csv', '--filter', 'supplier=acme');
    expect(csv.stdout).toBe('supplier,revenue,margin\nacme,120.00,48.00\n');
    const { json } = await report(...spanned, '--json');
    expect(json).toMatchObject({ from: '2026-11-20', totals: { revenue: 165, margin: 83 } });
  });

  it.each([
    [['--by', 'city'], 1, '--by must be some of day, week'],
    [['--measures', 'profit'], 1, '--measures must be some of submitted'],
    [['--from', 'yesterday'], 1, 'yesterday is not a day'],
    [['--filter', 'acme'], 2, 'It must be a dimension and its values'],
    [['--span', 'tomorrow'], 2, 'Allowed choices are today'],
    [['--span', 'today', '--from', '2026-11-01'], 2, 'cannot be used with'],
  ] as const)('rejects %s', async (argv, exitCode, message) => {
    const { stderr, ...captured } = await report(...argv);
    expect([captured.exitCode, stderr]).toEqual([exitCode, expect.stringContaining(message)]);
  });
});

describe('a report in the portal', () => {
  it('shows a partner its own deliveries and spend alone', async () => {
    const harbor = await market.signedIn.buyer('harbor');
    const { json } = await harbor.get(`/portal/api/buyer/reports?by=offer&${DAY}&measures=deliveries,revenue`);
    expect(rowsOf(json)).toEqual([['harbor-tx', 1, 30]]);
    expect(json.names).toEqual({ offer: { 'harbor-tx': 'Texas' } });
    expect(json.totals).toEqual({ deliveries: 1, revenue: 30 });
    // Its own days, unless the question names a time zone.
    expect(json.timeZone).toBe('America/Denver');
    expect((await harbor.get(`/portal/api/buyer/reports?${DAY}&timeZone=UTC`)).json.timeZone).toBe('UTC');
    const file = await harbor.get(`/portal/api/buyer/reports.csv?by=offer&${DAY}&measures=deliveries,revenue`);
    expect(file.text).toBe('offer,deliveries,revenue\r\nharbor-tx,1,30.00\r\n');
  });

  it('shows a supplier its own leads and earnings alone', async () => {
    const zenith = await market.signedIn.supplier('zenith');
    const { json } = await zenith.get(`/portal/api/supplier/reports?by=day&${DAY}&measures=submitted,sold,cost`);
    expect(rowsOf(json)).toEqual([['2026-11-20', 1, 1, 10]]);
    expect(json.timeZone).toBe('Europe/Berlin');
  });

  it.each(['by=supplier', 'by=source', 'measures=cost', 'measures=margin', 'measures=submitted', 'partner=summit'])(
    'does not let a partner ask %s',
    async (question) => {
      const harbor = await market.signedIn.buyer('harbor');
      const { status, json } = await harbor.get(`/portal/api/buyer/reports?${question}`);
      expect([status, json.code, json.errors[0].field]).toEqual([400, 'invalid_query', question.split('=')[0]]);
    },
  );

  it.each(['by=partner', 'by=offer', 'measures=revenue', 'measures=margin', 'measures=averagePrice', 'supplier=acme'])(
    'does not let a supplier ask %s',
    async (question) => {
      const zenith = await market.signedIn.supplier('zenith');
      const { status, json } = await zenith.get(`/portal/api/supplier/reports?${question}`);
      expect([status, json.code, json.errors[0].field]).toEqual([400, 'invalid_query', question.split('=')[0]]);
    },
  );
});
