// Folds random changes into the roll-ups, and compares random reports with the rows themselves (contract 12.1, decision 061).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Uuid } from '../../src/base/ids.ts';
import { checkReports } from '../../src/reports/check-reports.ts';
import { foldSome } from '../../src/reports/fold-reports.ts';
import { readReport, readReportFromRows } from '../../src/reports/read-report.ts';
import {
  type ReportDimension,
  reportDimensions,
  type ReportQuery,
  reportMeasures,
} from '../../src/reports/report.schema.ts';
import { allowedInReports, type ReportScope } from '../../src/reports/report-scope.rules.ts';
import { chance } from '../support/chance.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { DRAW_SEED, DRAWN_BY } from '../support/drawn.ts';
import { onConnection, type ReportRows } from '../support/report-rows.ts';

const now = new Date('2026-11-20T18:00:00.000Z');
const START = Date.parse('2026-08-20T00:00:00Z');
const LEADS = 400;
/** Of random questions for each state of the roll-ups: each is also counted slowly, from the rows. */
const QUESTIONS = DRAWN_BY === 'all' ? 90 : 54;

/** The same numbers for the same commit, and other ones for others. */
const { below: random } = chance(DRAW_SEED);
const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value;

let home: TestDatabase;

beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

type Rows = { readonly leads: Uuid[]; readonly deliveries: Array<{ readonly id: Uuid; readonly at: number }> };

async function addLeads({ lead, delivery, transfer, client }: ReportRows, count: number, rows: Rows): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const at = START + random(92 * 24 * 60) * 60_000;
    const time = (ms: number): string => new Date(ms).toISOString();
    const supplier = pick(['acme', 'bolt', 'cedar']);
    const score = random(8) === 0 ? null : random(101);
    const fields = {
      state: pick(['CA', 'TX', null]),
      source: pick(['web', 'phone']),
      utmCampaign: pick(['a', 'b', null]),
      extra: {},
    };
    const status = score === null ? 'Invalid' : pick(['Pending', 'No Buyer', 'Lead Sale', 'Duplicate']);
    const id = await lead({ receivedAt: time(at), status, score, supplier, fields, isTest: random(15) === 0 });
    rows.leads.push(id);
    if (status !== 'Lead Sale') continue;
    const cents = pick([900, 4500, 12_000]);
    const buyer = pick(['summit', 'peak']);
    const delivered = at + random(90_000_000);
    const sold = await delivery({
      leadId: id,
      deliveredAt: time(delivered),
      cents,
      buyer,
      supplier,
      status: pick(['Pending', 'Confirmed', 'Failed']),
    });
    rows.deliveries.push({ id: sold, at: delivered });
    const posted = { deliveryId: sold, at: time(delivered) };
    await transfer({ type: 'charge', from: `buyer:${buyer}`, to: `revenue:${buyer}`, cents, ...posted });
    await transfer({ type: 'cost', from: `cost:${supplier}`, to: `supplier:${supplier}`, cents: cents / 2, ...posted });
    if (random(4) === 0)
      await transfer({ type: 'credit', from: `revenue:${buyer}`, to: `buyer:${buyer}`, cents, ...posted });
    if (random(6) === 0)
      await transfer({
        type: 'adjustment',
        from: `buyer:${buyer}`,
        to: `adjustment:${buyer}`,
        cents: 77,
        at: posted.at,
        deliveryId: null,
      });
    if (random(6) === 0)
      await transfer({
        type: 'adjustment',
        from: `supplier_adjustment:${supplier}`,
        to: `supplier:${supplier}`,
        cents: 55,
        at: posted.at,
        deliveryId: null,
      });
  }
  await client.query('SELECT 1');
}

async function changeRows({ client }: ReportRows, rows: Rows): Promise<void> {
  for (let index = 0; index < 60; index += 1) {
    await client.query(`UPDATE lead SET public_status = $2 WHERE lead_id = $1 AND is_accepted`, [
      pick(rows.leads),
      pick(['Pending', 'No Buyer', 'Lead Sale']),
    ]);
    const { id, at } = pick(rows.deliveries);
    const settled = new Date(at + random(9_000_000)).toISOString();
    const status = pick(['Confirmed', 'Failed', 'Returned', 'Returned']);
    await client.query(
      `UPDATE delivery SET status = $2, failed_at = CASE WHEN $2 = 'Failed' THEN $3::timestamptz END,
              confirmed_at = CASE WHEN $2 <> 'Failed' THEN coalesce(confirmed_at, $3) END,
              returned_at = CASE WHEN $2 = 'Returned' THEN $3::timestamptz END WHERE delivery_id = $1`,
      [id, status, settled],
    );
  }
}

const check = () => home.database.tx((tx) => checkReports(tx), { snapshot: true });

const foldAll = async (): Promise<void> => {
  while (await home.database.tx((tx) => foldSome(tx, now, { changes: 500, rows: 500, facts: 300 })));
};

const VALUES: Readonly<Partial<Record<ReportDimension, ReadonlyArray<string | null>>>> = {
  supplier: ['acme', 'bolt'],
  partner: ['summit'],
  state: ['CA', null],
  campaign: ['a', null],
  source: ['web'],
  eventType: ['Lead Sale'],
  weekday: ['1', '2', '6'],
  hour: ['05', '23'],
  month: ['2026-11'],
  scoreBand: ['90-100', '10-19', null],
  priceBand: ['30-50', null],
  offer: ['peak-west', null],
};

function question(scope: ReportScope): ReportQuery {
  const { dimensions: allowed, measures } = allowedInReports[scope.kind];
  const dimensions = [...new Set(Array.from({ length: random(4) }, () => pick(allowed)))];
  const filtered = random(2) === 0 ? [] : Array.from({ length: 1 + random(2) }, () => pick(allowed));
  const filters = Object.fromEntries(
    filtered.flatMap((name) => (VALUES[name] === undefined ? [] : [[name, [...VALUES[name]]]])),
  );
  const from = new Date(START + random(60) * 86_400_000).toISOString().slice(0, 10);
  const until = new Date(Date.parse(from) + random(60) * 86_400_000).toISOString().slice(0, 10);
  const timeZone = pick([
    'UTC',
    'America/New_York',
    'America/New_York',
    'Asia/Kolkata',
    'America/St_Johns',
    'Pacific/Auckland',
    'Asia/Kathmandu',
  ]);
  return {
    dimensions,
    measures: [...measures],
    filters,
    from,
    until,
    timeZone,
    ...(random(2) === 0 ? {} : { compare: 'previous' }),
    limit: 10_000,
  };
}

const SCOPES: readonly ReportScope[] = [
  { kind: 'operator' },
  { kind: 'operator' },
  { kind: 'supplier', key: 'acme' },
  { kind: 'partner', key: 'summit' },
];

/** Asks random questions both ways. Partners' reports do not contain what is not folded. */
async function compare(scopes: readonly ReportScope[], questions: number): Promise<void> {
  for (let index = 0; index < questions; index += 1) {
    const scope = pick(scopes);
    const query = question(scope);
    const tenant = scope.kind === 'partner' ? { tenant: scope.key } : {};
    const [folded, counted] = await Promise.all([
      home.database.tx((tx) => readReport(tx, query, scope, now), { snapshot: true, ...tenant }),
      home.database.tx((tx) => readReportFromRows(tx, query, scope, now), { snapshot: true }),
    ]);
    if (!folded.ok || !counted.ok) throw new Error(JSON.stringify([query, folded, counted]));
    const { asOf: _asOf, ...answer } = folded.value;
    const { asOf: _now, ...expected } = counted.value;
    expect(answer, JSON.stringify(query)).toEqual(expected);
  }
}

describe('The roll-ups of reports', () => {
  it('agree with the rows for random questions while changes wait, when they are folded, and in other zones', async () => {
    expect(reportMeasures.length).toBeGreaterThan(0);
    expect(reportDimensions.length).toBeGreaterThan(0);
    const rows: Rows = { leads: [], deliveries: [] };
    await onConnection(home, async (written) => {
      await addLeads(written, LEADS, rows);
      await foldAll();
      await compare(SCOPES, QUESTIONS);
      await changeRows(written, rows);
      await addLeads(written, 20, rows);
      await compare(SCOPES.slice(0, 3), QUESTIONS / 3);
      await foldAll();
      await written.client.query(`UPDATE marketplace SET time_zone = 'America/New_York'`);
      await compare(SCOPES, QUESTIONS / 3);
      await foldAll();
      await compare(SCOPES, QUESTIONS);
    });
  });

  it('count each change once when folds run at once, are cut off half-way, and meet a clock of another month', async () => {
    const folds = Array.from({ length: 4 }, async (_, place) => {
      const clock = new Date(now.getTime() + place * 20 * 86_400_000);
      while (await home.database.tx((tx) => foldSome(tx, clock, { changes: 37, rows: 37, facts: 50 })));
    });
    const rows: Rows = { leads: [], deliveries: [] };
    await onConnection(home, async (written) => {
      await addLeads(written, 60, rows);
      await changeRows(written, rows);
    });
    await Promise.all(folds);
    const cut = home.database.tx(async (tx) => {
      await foldSome(tx, now, { changes: 20, rows: 20, facts: 10 });
      throw new Error('cut off');
    });
    await expect(cut).rejects.toThrow('cut off');
    expect(await check()).toEqual([]);
    await foldAll();
    expect(await check()).toEqual([]);
    await compare(SCOPES, 20);
  });

  it('contain rows from before the log, which change while they are folded', async () => {
    await onConnection(home, async (written) => {
      await written.client.query(
        `DELETE FROM report_fact; DELETE FROM report_cell; DELETE FROM report_change; DELETE FROM report_text;
         UPDATE report_progress SET leads_from = 'ffffffff-ffff-ffff-ffff-ffffffffffff',
           deliveries_from = 'ffffffff-ffff-ffff-ffff-ffffffffffff', transfers_from = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`,
      );
      const { rows: leads } = await written.client.query<{ id: Uuid }>('SELECT lead_id AS id FROM lead');
      const { rows: deliveries } = await written.client.query<{ id: Uuid; at: Date }>(
        'SELECT delivery_id AS id, delivered_at AS at FROM delivery',
      );
      const rows: Rows = {
        leads: leads.map(({ id }) => id),
        deliveries: deliveries.map(({ id, at }) => ({ id, at: at.getTime() })),
      };
      await changeRows(written, rows);
      while (await home.database.tx((tx) => foldSome(tx, now, { changes: 500, rows: 100, facts: 60 }))) {
        await changeRows(written, { leads: rows.leads, deliveries: rows.deliveries });
        if (rows.leads.length < 520) await addLeads(written, 3, rows);
      }
    });
    expect(await check()).toEqual([]);
    await compare(SCOPES.slice(0, 3), 20);
  });

  it('are found wrong by the check', async () => {
    await onConnection(home, async ({ client }) => {
      await client.query(
        `UPDATE report_cell SET revenue_cents = revenue_cents + 1 WHERE ctid = (SELECT ctid FROM report_cell WHERE revenue_cents > 0 LIMIT 1)`,
      );
      await client.query(
        `UPDATE report_fact SET submitted = submitted + 1 WHERE ctid = (SELECT ctid FROM report_fact WHERE submitted > 0 LIMIT 1)`,
      );
    });
    expect(await check()).toEqual([
      expect.stringMatching(/^[12] sums of reports/),
      expect.stringMatching(/^\d+ roll-ups of reports/),
    ]);
  });
});
