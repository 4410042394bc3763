// Tests what lists do to leads: nobody gets a suppressed one, excluded partners and offers do not get theirs, sold ones are duplicates, and
// only those who may learn of it do (contract 15.3).
import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { uuidOf } from '../../src/base/ids.ts';
import { createMarketReader } from '../../src/routing/market-reader.ts';
import { routeLeads } from '../../src/routing/route-leads.ts';
import { traceLead } from '../../src/routing/trace-lead.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { simulateFile } from '../../src/simulation/simulate-file.ts';
import { getAsSupplier, postLead } from '../support/api-client.ts';
import { select } from '../support/ledger-faults.ts';
import { handClock } from '../support/hand-clock.ts';
import { leadBody } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { listCommands, type ListCommands } from './list-command.ts';

const yaml = `
marketplace: { holdMinutes: 10 }
suppliers:
  - { key: acme, status: approved, rateLimit: { perSecond: 100000, burst: 100000 },
      callback: { url: "https://acme.example/hooks", events: [lead.routed, lead.rejected] } }
partners:
  - { key: summit, channels: [], offers: [
      { key: summit-first, eventType: Lead Sale, payout: 50, priority: 1 },
      { key: summit-second, eventType: Lead Sale, payout: 45, priority: 2 }] }
  - { key: harbor, channels: [], offers: [{ key: harbor-offer, eventType: Lead Sale, payout: 30, priority: 3 }] }
`;

const clock = handClock('2026-11-18T12:00:00.000Z');
const market = createMarketReader();
let marketplace: TestMarketplace;
let lists: ListCommands;
let key: string;
let serial = 0;

beforeAll(async () => {
  // Leads are routed by the test alone.
  marketplace = await startTestMarketplace({ yaml, clock, role: 'api' });
  key = await marketplace.supplierKey('acme');
  lists = await listCommands(marketplace.database, clock);
});
afterAll(async () => {
  await lists.close();
  await marketplace.close();
});

const route = () =>
  marketplace.database.tx((tx) => routeLeads(tx, { market, limit: 100, lockFirst: false }, clock.now()));

/** Posts and routes a lead, and returns its trace with the keys of the offers by result. */
async function decide(body: Readonly<Record<string, unknown>>) {
  const { status, json } = await postLead(
    marketplace.url,
    key,
    leadBody(++serial, { consent_timestamp: undefined, ...body }),
  );
  expect(status).toBe(202);
  await route();
  return read(json.lead_id);
}

async function read(id: string) {
  const leadId = uuidOf('lead', id);
  const trace = leadId === null ? null : await marketplace.database.tx((tx) => traceLead(tx, leadId));
  if (trace?.decision === undefined || trace.decision === null) throw new Error('the lead was not decided');
  const { lead, decision, events } = trace;
  const sold = decision.offers.filter(({ result }) => result === 'sold').map(({ offerKey }) => offerKey);
  const why = Object.fromEntries(decision.offers.map(({ offerKey, code, got }) => [offerKey, [code, got ?? null]]));
  return { id, status: lead.status, state: lead.state, reason: lead.reason, sold, why, events };
}

let made = 0;
/** A list with these values, that is removed after `work`. */
async function withList<Result>(
  { kind, csv, use, options = [], loading = [] }: ListInput,
  work: (listKey: string) => Promise<Result>,
): Promise<Result> {
  const listKey = `list-${(made += 1)}`;
  await lists.run('create', listKey, '--kind', kind, '--use', use, ...options);
  const of = options.includes('--of') ? ['--of', options[options.indexOf('--of') + 1] ?? ''] : [];
  const loaded = await lists.load(listKey, csv, ...of, ...loading);
  expect([loaded.exitCode, loaded.stdout]).toEqual([0, expect.any(String)]);
  try {
    return await work(listKey);
  } finally {
    await lists.run('remove', listKey, ...of);
  }
}
type ListInput = {
  readonly kind: string;
  readonly use: string;
  readonly csv: string;
  readonly options?: readonly string[];
  readonly loading?: readonly string[];
};

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const phone = (number: number) => `+1555666${String(number).padStart(4, '0')}`;

describe('A lead on a list that suppresses', () => {
  it.each([
    ['phone', 'value\n+1 (555) 666-0001\n', { phone: phone(1) }],
    ['phone', `value\n${sha(phone(2))}\n`, { phone: phone(2) }],
    ['phone', 'phone\n555-666-0003\n', { phone: phone(3) }],
    // As owners of lists write a number before they hash it.
    ['phone', `value\n${sha('5556660004')}\n`, { phone: phone(4) }],
    ['phone', `value\n${sha('15556660005')}\n`, { phone: phone(5) }],
    ['phone', `value\n${md5('5556660006')}\n`, { phone: phone(6) }],
    ['phone', `value\n${sha('442079460018')}\n`, { phone: '+442079460018' }],
    ['phone', 'value,country\n020 7946 0019,gb\n', { phone: '+442079460019' }],
    ['phone', 'value\n5556660007.0\n', { phone: phone(7) }],
    ['phone', 'value\n555-666-0008 x12\n', { phone: phone(8) }],
    ['email', `value\n${md5('flo.lee@example.com')}\n`, { email: 'Flo.Lee+other@example.com' }],
    ['email', 'value\nAnn.Lee+news@Example.com\n', { email: 'ann.lee@example.com' }],
    ['email', 'value\nbea.lee@example.com\n', { email: 'Bea.Lee+other@example.com' }],
    ['email', `value\n${sha('cy.lee+other@example.com')}\n`, { email: 'Cy.Lee+other@example.com' }],
    ['email', `value\n${sha('di.lee@example.com').toUpperCase()}\n`, { email: 'Di.Lee+other@example.com' }],
    ['domain', 'value\nblocked.example\n', { email: 'ann@blocked.example' }],
    ['domain', 'value\n@Blocked.example\n', { email: 'ann@mail.eu.blocked.example' }],
    ['domain', `value\n${sha('blocked.example')}\n`, { email: 'eve@mail.blocked.example' }],
  ])('by %s goes to nobody: %j', async (kind, csv, body) => {
    const input = { kind, csv, use: 'suppress' };
    const { lead, listKey } = await withList(input, async (created) => ({
      lead: await decide(body),
      listKey: created,
    }));
    expect(lead).toMatchObject({ status: 'Suppressed', state: 'rejected', reason: 'suppressed', sold: [] });
    const why = ['suppressed', { list: listKey, of: null }];
    expect(lead.why).toEqual({ 'summit-first': why, 'summit-second': why, 'harbor-offer': why });
    expect(lead.events.at(-1)?.message).toBe('Rejected: on a list of leads that must not be sold');
    // The list is gone, so the same person can be sold.
    expect((await decide(body)).status).toBe('Lead Sale');
  });

  it.each([
    ['phone', 'value\n+15556660019\n', { phone: phone(18) }],
    ['email', 'value\nann@example.com\n', { email: 'ann@sub.example.com' }],
    ['domain', 'value\nmail.example.net\n', { email: 'fay@example.net' }],
    ['domain', 'value\nample.net\n', { email: 'ann@example.net' }],
  ])('by %s of another value is sold: %j', async (kind, csv, body) => {
    expect(await withList({ kind, csv, use: 'suppress' }, () => decide(body))).toMatchObject({ status: 'Lead Sale' });
  });

  it('is one that the load has counted among those of the last 30 days', async () => {
    const csv = `value\n${phone(24)}\n${md5('5556660025')}\n${phone(26)}\n${phone(27)}\n`;
    await decide({ phone: phone(26), test: true });
    for (const number of [24, 25]) await decide({ phone: phone(number) });
    const { json } = await loadInto(csv);
    expect(json).toMatchObject({ entries: 4, recentMatches: 2 });
    expect((json as { recentLeads: number }).recentLeads).toBeGreaterThan(2);
    clock.advance(31 * 86_400_000);
    expect((await loadInto(csv)).json).toMatchObject({ entries: 4, recentLeads: 0, recentMatches: 0 });
    clock.advance(-31 * 86_400_000);
  });

  it('of a partner is compared only with the leads that the partner got', async () => {
    const sold = [await decide({ phone: phone(28) }), await decide({ phone: phone(29), state: 'TX' })];
    expect(sold.map((lead) => lead.sold)).toEqual([['summit-first'], ['summit-first']]);
    const csv = `value\n${phone(28)}\n${phone(29)}\n`;
    for (const [partner, recentMatches] of [
      ['summit', 2],
      ['harbor', 0],
    ] as const) {
      const { json } = await loadInto(csv, partner);
      expect(json).toMatchObject({ entries: 2, recentMatches });
    }
  });

  async function loadInto(csv: string, partner?: string) {
    const of = partner === undefined ? [] : ['--of', partner];
    await lists.run(
      'create',
      'counted',
      '--kind',
      'phone',
      '--use',
      partner === undefined ? 'suppress' : 'exclude',
      ...of,
    );
    try {
      return await lists.load('counted', csv, ...of);
    } finally {
      await lists.run('remove', 'counted', ...of);
    }
  }

  it('is told to the supplier: in the lead, the statistics, whose sum stays, and the callback', async () => {
    const before = await stats();
    const lead = await withList({ kind: 'phone', csv: `value\n${phone(20)}\n`, use: 'suppress' }, () =>
      decide({ phone: phone(20) }),
    );
    const shown = await getAsSupplier(marketplace.url, key, `/api/v1/supplier/leads/${lead.id}`);
    expect(shown.json).toMatchObject({ status: 'Suppressed', reason: 'suppressed' });
    const after = await stats();
    expect(after.byStatus.Suppressed - (before.byStatus.Suppressed ?? 0)).toBe(1);
    expect(after.totals.rejected - before.totals.rejected).toBe(1);
    const sum = Object.values(after.byStatus).reduce((total, leads) => total + leads, 0);
    expect(sum).toBe(after.totals.submitted);
    const messages = await select<{ type: string; data: string }>(
      marketplace.database,
      `SELECT type, data FROM message_job WHERE data LIKE '%' || $1 || '%'`,
      [lead.id],
    );
    expect(messages.map(({ type }) => type)).toEqual(['lead.rejected']);
    expect(JSON.parse(messages[0]?.data ?? '{}')).toMatchObject({ status: 'Suppressed', reason: 'suppressed' });
    // Which list it is, is the operator's.
    expect(JSON.stringify([shown.json, messages])).not.toContain('list-');
  });

  async function stats() {
    const { json } = await getAsSupplier(marketplace.url, key, '/api/v1/supplier/stats?days=30');
    return json as {
      totals: { submitted: number; rejected: number };
      byStatus: Record<string, number> & { Suppressed: number };
    };
  }

  it('is sold again as soon as its entry has expired', async () => {
    const until = new Date(clock.now().getTime() + 60_000).toISOString();
    await withList({ kind: 'phone', csv: `value,expires\n${phone(21)},${until}\n`, use: 'suppress' }, async () => {
      expect((await decide({ phone: phone(21) })).status).toBe('Suppressed');
      clock.advance(60_000);
      expect((await decide({ phone: phone(21) })).status).toBe('Lead Sale');
    });
  });

  it('is sold if it is a test lead, which is looked up in no list', async () => {
    await withList({ kind: 'phone', csv: `value\n${phone(22)}\n`, use: 'suppress' }, async () => {
      const body = { phone: phone(22) };
      expect(await decide({ ...body, test: true })).toMatchObject({ status: 'Lead Sale', sold: ['summit-first'] });
      expect((await decide(body)).status).toBe('Suppressed');
    });
  });
});

describe('A lead on a list that excludes', () => {
  it('a partner goes to the next one, and only the operator and that partner can read why', async () => {
    const input = { kind: 'phone', csv: `value\n${phone(30)}\n`, use: 'exclude', options: ['--of', 'summit'] };
    await withList(input, async (listKey) => {
      const lead = await decide({ phone: phone(30) });
      expect(lead).toMatchObject({ status: 'Lead Sale', sold: ['harbor-offer'] });
      const why = ['on_exclusion_list', { list: listKey, of: 'summit' }];
      expect(lead.why).toMatchObject({ 'summit-first': why, 'summit-second': why });
    });
  });

  it('an offer goes to another offer of the same partner', async () => {
    const options = ['--offer', 'summit-first'];
    await withList({ kind: 'phone', csv: `value\n${phone(31)}\n`, use: 'exclude', options }, async (listKey) => {
      const lead = await decide({ phone: phone(31) });
      expect(lead).toMatchObject({ sold: ['summit-second'] });
      expect(lead.why['summit-first']).toEqual(['on_exclusion_list', { list: listKey, of: null }]);
    });
  });

  it('all partners has no buyer, and the supplier does not learn of the list', async () => {
    const options = ['--partner', 'summit', '--partner', 'harbor'];
    await withList({ kind: 'phone', csv: `value\n${phone(32)}\n`, use: 'exclude', options }, async () => {
      expect(await decide({ phone: phone(32) })).toMatchObject({ status: 'No Buyer', reason: 'no_buyer', sold: [] });
    });
  });
});

describe('A lead on a list of sold ones', () => {
  it('is a duplicate for all partners', async () => {
    await withList({ kind: 'email', csv: 'value\nsold@example.com\n', use: 'sold' }, async (listKey) => {
      const lead = await decide({ email: 'Sold+x@example.com' });
      expect(lead).toMatchObject({ status: 'Duplicate', reason: 'duplicate', sold: [] });
      expect(lead.why['summit-first']).toEqual(['duplicate', { list: listKey, of: null }]);
    });
  });

  it('to one partner is a duplicate for that partner', async () => {
    const options = ['--partner', 'summit'];
    await withList({ kind: 'phone', csv: `value\n${phone(40)}\n`, use: 'sold', options }, async () => {
      expect(await decide({ phone: phone(40) })).toMatchObject({ status: 'Lead Sale', sold: ['harbor-offer'] });
    });
  });
});

describe('A load that ends while leads are routed', () => {
  it('counts for a batch as a whole or not at all, and for every batch after it', async () => {
    await lists.run('create', 'storm', '--kind', 'phone', '--use', 'suppress');
    const numbers = Array.from({ length: 240 }, (_, index) => phone(1000 + index));
    for (const number of numbers) {
      const body = leadBody(++serial, { consent_timestamp: undefined, phone: number });
      expect((await postLead(marketplace.url, key, body)).status).toBe(202);
    }
    let isLoaded = false;
    const loading = lists.load('storm', `value\n${numbers.join('\n')}\n`).then(() => (isLoaded = true));
    const batches: Array<{ readonly began: boolean; readonly suppressed: number; readonly leads: number }> = [];
    for (;;) {
      const began = isLoaded;
      const report = await marketplace.database.tx((tx) =>
        routeLeads(tx, { market, limit: 20, lockFirst: false }, clock.now()),
      );
      if (report.leads === 0) break;
      const { decisions } = report.batch;
      const suppressed = decisions.filter(({ publicStatus }) => publicStatus === 'Suppressed').length;
      batches.push({ began, suppressed, leads: report.leads });
    }
    await loading;
    for (const { began, suppressed, leads } of batches) {
      expect([0, leads]).toContain(suppressed);
      if (began) expect(suppressed).toBe(leads);
    }
    await lists.run('remove', 'storm');
  });
});

describe('A simulation', () => {
  it('looks past leads up in the lists as they are now', async () => {
    const body = { phone: phone(70) };
    expect((await decide(body)).sold).toEqual(['summit-first']);
    const parsed = parseFile(yaml, { allowTargets: [] });
    if (!parsed.ok) throw new Error('the file has errors');
    const simulate = () =>
      marketplace.database.tx((tx) => simulateFile(tx, parsed.file, { days: 1 }, clock.now()), { snapshot: true });
    const before = await simulate();
    const after = await withList({ kind: 'phone', csv: `value\n${phone(70)}\n`, use: 'suppress' }, simulate);
    if (!before.ok || !after.ok) throw new Error('the simulation has errors');
    const suppressedIn = ({ simulation }: typeof before) =>
      simulation.unsold.find(({ reason }) => reason === 'suppressed')?.to ?? 0;
    const { routed } = before.simulation.totals.simulated;
    expect(after.simulation.totals.simulated.routed).toBe(routed - 1);
    expect([suppressedIn(before), suppressedIn(after)]).toEqual([0, 1]);
  });
});
