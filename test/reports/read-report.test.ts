// Reports over the rows of leads, deliveries and transfers (contract 12.1).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readReport } from '../../src/reports/read-report.ts';
import type { ReportQuery } from '../../src/reports/report.schema.ts';
import type { ReportScope } from '../../src/reports/report-scope.rules.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { onConnection } from '../support/report-rows.ts';

const now = new Date('2026-11-20T18:00:00.000Z');
const operator = { kind: 'operator' } as const;

let home: TestDatabase;

beforeAll(async () => {
  home = await createTestDatabase();
  await onConnection(home, async ({ lead, delivery, transfer }) => {
    const california = {
      fields: { state: 'CA', source: 'web', utmCampaign: 'a "quoted" \\ one', extra: { state: 'XX' } },
    };
    const sold = await lead({ ...california, receivedAt: '2026-11-19T23:30:00Z', status: 'Lead Sale', score: 95 });
    await lead({ ...california, receivedAt: '2026-11-20T01:00:00Z', status: 'No Buyer', score: 12 });
    await lead({ receivedAt: '2026-11-20T02:00:00Z', status: 'Invalid', score: null });
    await lead({ ...california, receivedAt: '2026-11-20T02:00:00Z', status: 'Lead Sale', score: 95, isTest: true });
    const first = await delivery({ leadId: sold, deliveredAt: '2026-11-19T23:30:02Z', cents: 4500 });
    await delivery({ leadId: sold, deliveredAt: '2026-11-19T23:30:02Z', cents: 3000, status: 'Failed', buyer: 'peak' });
    await transfer({ type: 'charge', from: 'buyer:summit', to: 'revenue:summit', cents: 4500, deliveryId: first });
    await transfer({ type: 'cost', from: 'cost:acme', to: 'supplier:acme', cents: 2000, deliveryId: first });
    await transfer({ type: 'payment', from: 'cash:summit', to: 'buyer:summit', cents: 9000, deliveryId: null });
  });
});
afterAll(() => home.drop());

const ask = (query: Partial<ReportQuery>, scope: ReportScope = operator) =>
  home.database.tx((tx) => readReport(tx, { dimensions: [], measures: ['revenue'], ...query }, scope, now), {
    snapshot: true,
  });

describe('readReport', () => {
  it('counts leads, deliveries and money, without test leads and payments', async () => {
    const report = await ask({
      measures: ['submitted', 'accepted', 'refused', 'sold', 'unsold', 'sellThrough', 'deliveries', 'failed', 'margin'],
    });
    expect(report).toMatchObject({
      ok: true,
      value: {
        rows: [],
        totals: {
          ...{ submitted: 3, accepted: 2, refused: 1, sold: 1, unsold: 1, sellThrough: 0.5 },
          ...{ deliveries: 2, failed: 1, margin: 25 },
        },
      },
    });
  });

  it('counts days of the time zone that is asked for', async () => {
    const days = async (timeZone: string) => {
      const report = await ask({ dimensions: ['day', 'state'], measures: ['submitted'], timeZone });
      return report.ok && report.value.rows.map(({ keys, values }) => [...keys, values['submitted']]);
    };
    expect(await days('UTC')).toEqual([
      ['2026-11-19', 'CA', 1],
      ['2026-11-20', 'CA', 1],
      ['2026-11-20', null, 1],
    ]);
    expect(await days('Asia/Kolkata')).toEqual([
      ['2026-11-20', 'CA', 2],
      ['2026-11-20', null, 1],
    ]);
  });

  it('has no value for leads split by what only deliveries have', async () => {
    const report = await ask({ dimensions: ['partner'], measures: ['revenue', 'submitted'] });
    expect(report.ok && report.value.rows).toEqual([{ keys: ['summit'], values: { revenue: 45, submitted: null } }]);
  });

  it('reads texts with quotes and backslashes, and not the members of the supplier', async () => {
    const report = await ask({
      dimensions: ['campaign', 'state'],
      measures: ['sold'],
      filters: { scoreBand: ['90-100'] },
    });
    expect(report.ok && report.value.rows.map(({ keys }) => keys)).toEqual([['a "quoted" \\ one', 'CA']]);
  });

  it('refuses what a scope must not see', async () => {
    const refused = { ok: false, code: 'invalid_report' };
    expect(await ask({ measures: ['margin'] }, { kind: 'partner', key: 'summit' })).toMatchObject(refused);
    expect(await ask({ dimensions: ['partner'] }, { kind: 'supplier', key: 'acme' })).toMatchObject(refused);
    expect(await ask({ timeZone: 'Mars/Olympus' })).toMatchObject(refused);
    expect(await ask({ from: '2026-11-21', until: '2026-11-20' })).toMatchObject(refused);
  });
});
