// Simulations of small markets against other files, with what they must come to worked out by hand, and the command.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { DeliveryId } from '../../src/base/ids.ts';
import { registerSimulateCommand } from '../../src/simulation/simulate.cli.ts';
import type { Simulation } from '../../src/simulation/simulate-file.ts';
import { select } from '../support/ledger-faults.ts';
import { captureCommand, type Captured, contextOf } from '../support/captured-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openPast, type Past, status } from './past.ts';

let home: TestDatabase;
let past: Past;

beforeEach(async () => {
  home = await createTestDatabase();
  past = openPast(home.database, '2026-11-18T09:00:00.000Z');
});
afterEach(() => home.drop());

/** A lead comes in and is decided at once; answers its id. */
async function lead(time: string, serial: number): Promise<string> {
  past.clock.set(`2026-11-18T${time}:00.000Z`);
  const [leadId = ''] = await past.submit({ serial });
  await past.route();
  return leadId;
}

/** What differs, in a form that can be written by hand: `[from, to]`. */
function inShort({ leads, differences, totals, partners, unsold }: Simulation): Record<string, unknown> {
  const changes = [
    ...partners.map(({ partner, leads: sold, revenue }) => [partner, [sold.from, sold.to], [revenue.from, revenue.to]]),
    ...unsold.map(({ reason, from, to }) => [reason, [from, to]]),
  ];
  return {
    leads,
    differences,
    totals: Object.values(totals).map(({ routed, rejected, held, revenue }) => [routed, rejected, held, revenue]),
    changes,
  };
}

describe('A dry run of verticals', () => {
  const market = (roof: string, filter: string): string => `
    marketplace: { holdMinutes: 0 }
    verticals:
      - { key: solar, fields: [{ name: ${roof}, type: enum, values: [flat, tile] }, { name: bill, type: money }] }
    suppliers: [{ key: acme, status: approved, vertical: solar }]
    partners:
      - { key: alpha, offers: [{ key: alpha-one, vertical: solar, eventType: Lead Sale, payout: 50, filters: { fields: ${filter} } }] }
      - { key: beta, offers: [{ key: beta-one, vertical: solar, eventType: Lead Sale, payout: 30 }] }
      - { key: gamma, offers: [{ key: gamma-one, eventType: Lead Sale, payout: 90 }] }`;
  const now = market('roof', '{ roof: { in: [flat] }, bill: { min: 100 } }');
  const simulated = async (yaml: string) => {
    const { totals, differences, partners } = await past.simulate(2, yaml);
    const sold = partners.map(({ partner, leads }) => [partner, leads.from, leads.to]);
    return { differences, revenue: [totals.history.revenue, totals.simulated.revenue], sold };
  };

  it('decides by own fields as they were posted, under other filters and names', async () => {
    await past.apply(now);
    past.clock.set('2026-11-18T10:00:00.000Z');
    await past.submit(
      { serial: 1, roof: 'flat', bill: 120 },
      { serial: 2, roof: 'tile', bill: 300 },
      { serial: 3, roof: 'flat', bill: 99.99 },
    );
    await past.route();
    past.clock.set('2026-11-19T08:00:00.000Z');
    expect(await simulated(now)).toMatchObject({ differences: 0, revenue: [110, 110] });
    expect(await simulated(market('roof', '{ bill: { min: 100 } }'))).toEqual({
      ...{ differences: 1, revenue: [110, 130] },
      sold: [
        ['alpha', 1, 2],
        ['beta', 2, 1],
      ],
    });
    // The leads that were posted before lack the new field.
    const renamed = await simulated(market('roof_kind', '{ roof_kind: { in: [flat] } }'));
    expect(renamed).toMatchObject({ differences: 1, revenue: [110, 90] });
  });
});

describe('A dry run of suppliers’ terms', () => {
  const market = (pay: string, price = 50): string => `
    suppliers: [{ key: acme, status: approved, ${pay} }]
    partners:
      - { key: alpha, offers: [{ key: alpha-one, eventType: Lead Sale, payout: ${price}, sale: { sharedWith: 2 } }] }
      - { key: beta, offers: [{ key: beta-one, eventType: Lead Sale, payout: 30, sale: { sharedWith: 2 } }] }`;
  const margins = ({ totals, suppliers, differences }: Simulation) => ({
    differences,
    ...Object.fromEntries(
      Object.entries(totals).map(([side, { revenue, cost, margin }]) => [side, [revenue, cost, margin]]),
    ),
    acme: suppliers.map(({ cost, margin }) => [cost, margin]),
  });

  it('says what a change of terms or prices does to the margin, and what returns undo', async () => {
    await past.apply(market('pay: { model: share, percent: 60 }'));
    // Two leads, each sold at 50 and 30; of the second one the sale at 50 is returned.
    await lead('10:00', 1);
    const leadId = await lead('10:01', 2);
    const [sale] = await select<{ delivery_id: string }>(
      home.database,
      `SELECT delivery_id FROM delivery WHERE lead_id = $1 AND buyer_key = 'alpha'`,
      [leadId],
    );
    await past.takeBack(sale?.delivery_id as DeliveryId);
    past.clock.set('2026-11-19T08:00:00.000Z');
    const history = [110, 66, 44];
    expect(margins(await past.simulate(2, 'suppliers: []'))).toEqual({
      ...{ differences: 0, history, simulated: history },
      acme: [
        [
          { from: 66, to: 66 },
          { from: 44, to: 44 },
        ],
      ],
    });
    expect(margins(await past.simulate(2, market('pay: { model: share, percent: 70 }')))).toEqual({
      ...{ differences: 0, history, simulated: [110, 77, 33] },
      acme: [
        [
          { from: 66, to: 77 },
          { from: 44, to: 33 },
        ],
      ],
    });
    // 12 for each lead, because one sale of each is kept; the price of the other offer as it was.
    const fixed = await past.simulate(2, market('pay: { model: fixed, amount: 12 }', 40));
    expect(margins(fixed)).toMatchObject({ differences: 2, history, simulated: [100, 24, 76] });
    const kept = await past.simulate(2, market('pay: { model: share, percent: 60, clawback: { onReturn: none } }'));
    expect(margins(kept)).toMatchObject({ history, simulated: [110, 96, 14] });
  });
});

describe('A dry run in a market with caps and prepaid funds', () => {
  const market = ({
    alpha = 'payout: 50, caps: { daily: 2 }',
    beta = 'payout: 40',
    more = '',
    dedupDays = 30,
  } = {}): string => `
    marketplace: { holdMinutes: 0, dedupDays: ${dedupDays} }
    suppliers: [{ key: acme, status: approved }]
    partners:
      - { key: alpha, timeZone: UTC, offers: [{ key: alpha-one, eventType: Lead Sale, ${alpha} }] }
      - { key: beta, billing: { mode: prepaid }, offers: [{ key: beta-one, eventType: Lead Sale, ${beta} }] }
      - { key: gamma, timeZone: UTC, offers: [{ key: gamma-one, eventType: Lead Sale, payout: 10, caps: { daily: 1 } }] }
      ${more}`;
  const before = ['alpha', [2, 2], [100, 100]];
  let leadIds: string[];

  // Alpha takes 1 and 2, beta 3 and 4 and has 20.00 left, gamma 5; beta pays 40.00 and takes 6; 7 is the person of 1.
  beforeEach(async () => {
    await past.apply(market());
    await past.pay('beta', 10_000);
    leadIds = [];
    for (const serial of [1, 2, 3, 4, 5]) leadIds.push(await lead(`10:0${serial}`, serial));
    past.clock.advance(1000);
    await past.pay('beta', 4000);
    leadIds.push(await lead('10:06', 6), await lead('10:07', 1));
    past.clock.set('2026-11-19T08:00:00.000Z');
  });

  it('changes nothing with the current file, or an empty one', async () => {
    const same = {
      leads: 7,
      differences: 0,
      totals: [
        [6, 1, 0, 230],
        [6, 1, 0, 230],
      ],
      changes: [before, ['beta', [3, 3], [120, 120]], ['gamma', [1, 1], [10, 10]], ['cap_reached', [1, 1]]],
    };
    expect(inShort(await past.simulate(2, market()))).toEqual(same);
    expect(inShort(await past.simulate(2, 'suppliers: []'))).toEqual(same);
    expect(inShort(await past.simulate(2, await past.exported()))).toEqual(same);
  });

  it('sells three leads at a higher price with a larger cap, and only a duplicate is left over', async () => {
    const simulation = await past.simulate(2, market({ alpha: 'payout: 50, caps: { daily: 3 }' }));
    // 3: beta → alpha; 5: gamma → beta; 7 is kept from gamma by being a duplicate.
    expect(inShort(simulation)).toEqual({
      leads: 7,
      differences: 3,
      totals: [
        [6, 1, 0, 230],
        [6, 1, 0, 270],
      ],
      changes: [
        ['alpha', [2, 3], [100, 150]],
        ['beta', [3, 3], [120, 120]],
        ['gamma', [1, 0], [10, 0]],
        ['cap_reached', [1, 0]],
        ['duplicate', [0, 1]],
      ],
    });
    expect(simulation.offers[0]).toEqual({
      offer: 'alpha-one',
      partner: 'alpha',
      leads: { from: 2, to: 3 },
      revenue: { from: 100, to: 150 },
      cost: { from: 0, to: 0 },
      margin: { from: 100, to: 150 },
    });
    expect(simulation).toMatchObject({
      days: 2,
      from: new Date('2026-11-17T08:00:00.000Z'),
      to: new Date('2026-11-19T08:00:00.000Z'),
      erased: 0,
      configurationChanges: 0,
    });
  });

  it('spends prepaid funds faster at a higher payout', async () => {
    // Beta takes 1, has 40.00 left, and with the payment takes 6; alpha 2 and 3; gamma 4; nobody 5 and 7.
    expect(inShort(await past.simulate(2, market({ beta: 'payout: 60' })))).toEqual({
      leads: 7,
      differences: 6,
      totals: [
        [6, 1, 0, 230],
        [5, 2, 0, 230],
      ],
      changes: [
        before,
        ['beta', [3, 2], [120, 120]],
        ['gamma', [1, 1], [10, 10]],
        ['cap_reached', [1, 0]],
        ['funds_missing', [0, 2]],
      ],
    });
  });

  it('loses leads that only a closed offer would have bought', async () => {
    // Beta takes 1 and 2, gamma 3, beta after its payment 6.
    expect(inShort(await past.simulate(2, market({ alpha: 'payout: 50, status: closed' })))).toEqual({
      leads: 7,
      differences: 6,
      totals: [
        [6, 1, 0, 230],
        [4, 3, 0, 130],
      ],
      changes: [
        ['alpha', [2, 0], [100, 0]],
        ['beta', [3, 3], [120, 120]],
        ['gamma', [1, 1], [10, 10]],
        ['cap_reached', [1, 0]],
        ['funds_missing', [0, 3]],
      ],
    });
  });

  it('sells a contact again to a new partner if duplicates do not count', async () => {
    const more = '- { key: delta, offers: [{ key: delta-one, eventType: Lead Sale, payout: 5 }] }';
    expect(inShort(await past.simulate(2, market({ more, dedupDays: 0 })))).toMatchObject({
      differences: 1,
      totals: [
        [6, 1, 0, 230],
        [7, 0, 0, 235],
      ],
    });
    // As a duplicate it is left over for another reason than before.
    const { differences, unsold } = await past.simulate(2, market({ more }));
    expect([differences, unsold]).toEqual([
      1,
      [
        { reason: 'cap_reached', from: 1, to: 0 },
        { reason: 'duplicate', from: 0, to: 1 },
      ],
    ]);
  });

  it('begins with the sales before its window', async () => {
    past.clock.set('2026-11-19T10:03:30.000Z');
    // Of 4, 5, 6 and 7 alpha has room for one beside 1 and 2; beta has 60.00 left beside 3; and 1 has made 7 a duplicate.
    expect(inShort(await past.simulate(1, market({ alpha: 'payout: 50, caps: { daily: 3 }' })))).toMatchObject({
      leads: 4,
      differences: 3,
      totals: [
        [3, 1, 0, 90],
        [3, 1, 0, 130],
      ],
      changes: [
        ['alpha', [0, 1], [0, 50]],
        ['beta', [2, 2], [80, 80]],
        ['gamma', [1, 0], [10, 0]],
        ['cap_reached', [1, 0]],
        ['duplicate', [0, 1]],
      ],
    });
  });

  it('repeats erased leads as they were and counts them', async () => {
    await select(home.database, 'UPDATE lead SET fields = NULL, raw_body = NULL WHERE lead_id = ANY($1)', [
      leadIds.slice(1, 4),
    ]);
    expect(await past.simulate(2, market())).toMatchObject({ leads: 4, differences: 0, erased: 3 });
    expect(await past.simulate(2, market({ alpha: 'payout: 50, caps: { daily: 1 }' }))).toMatchObject({
      leads: 4,
      differences: 0,
      erased: 3,
    });
  });

  it('counts the changes of the configuration since then, except those of suppliers', async () => {
    await past.apply('suppliers: [{ key: acme, name: Acme, status: approved }]');
    expect(await past.simulate(2, await past.exported())).toMatchObject({ configurationChanges: 0 });
    await past.apply(market({ beta: 'payout: 60' }));
    expect(await past.simulate(2, await past.exported())).toMatchObject({ configurationChanges: 1, differences: 6 });
    expect(await past.simulate(2, market())).toMatchObject({ configurationChanges: 1, differences: 0 });
  });

  it('rejects a file that moves an offer to another partner', async () => {
    const moved = 'partners: [{ key: gamma, offers: [{ key: alpha-one, eventType: Lead Sale, payout: 1 }] }]';
    await expect(past.simulate(2, moved)).rejects.toThrow('belongs to the partner');
  });
});

describe('A dry run in a market with opening hours', () => {
  const market = (more: string): string => `
    marketplace: { holdMinutes: 15 }
    suppliers: [{ key: acme, status: approved }]
    partners: [{ key: evening, timeZone: UTC, offers: [{ key: evening-one, eventType: Lead Sale, payout: 20, caps: { daily: 1 }${more} }] }]`;
  const from = (time: string): string =>
    market(`, schedule: { days: [mon, tue, wed, thu, fri, sat, sun], from: "${time}", to: "24:00" }`);

  beforeEach(async () => {
    await past.apply(market(''));
    await lead('17:50', 1);
    await lead('18:05', 2);
    past.clock.set('2026-11-18T20:00:00.000Z');
  });

  it('holds a lead until the hours begin, and decides it before later leads', async () => {
    expect(inShort(await past.simulate(1, from('18:00')))).toMatchObject({
      differences: 0,
      totals: [
        [1, 1, 0, 20],
        [1, 1, 0, 20],
      ],
    });
  });

  it('holds no lead longer than the hold time', async () => {
    expect(inShort(await past.simulate(1, from('18:10')))).toMatchObject({
      differences: 2,
      changes: [
        ['evening', [1, 1], [20, 20]],
        ['cap_reached', [1, 0]],
        ['outside_schedule', [0, 1]],
      ],
    });
  });

  it('keeps leads held that are still held', async () => {
    past.clock.set('2026-11-18T18:08:00.000Z');
    expect(inShort(await past.simulate(1, from('18:10')))).toMatchObject({
      totals: [
        [1, 1, 0, 20],
        [0, 1, 1, 0],
      ],
    });
  });
});

describe('A dry run in a market with an endpoint that rejects leads', () => {
  const market = (hook: string, next: string, more = ''): string => `
    marketplace: { holdMinutes: 15, retrySeconds: [0] }
    suppliers: [{ key: acme, status: approved }]
    partners:
      - key: hook
        timeZone: UTC
        channels: [webhook]
        settings: { webhookUrl: "https://crm.example.com/leads" }
        offers: [{ key: hook-one, eventType: Lead Sale, payout: 50, caps: { daily: 2 }, ${hook} }]
      - { key: next, timeZone: UTC, offers: [{ key: next-one, eventType: Lead Sale, payout: 40, ${next} }] }
      ${more}`;

  // 1 and 2 go to hook, 3 to next; hook refuses 1, which nobody else may have, and has room for 4.
  beforeEach(async () => {
    await past.apply(market('weight: 1', 'caps: { daily: 1 }'));
    const first = await lead('12:00', 1);
    await lead('12:30', 2);
    await lead('12:40', 3);
    past.clock.set('2026-11-18T13:00:00.000Z');
    await past.send(({ row }) => status(row.leadId === first ? 400 : 200));
    past.clock.set('2026-11-18T13:01:00.000Z');
    await past.route();
    await lead('13:30', 4);
    past.clock.set('2026-11-18T20:00:00.000Z');
  });

  it('changes nothing with the current file', async () => {
    expect(inShort(await past.simulate(1, await past.exported()))).toEqual({
      leads: 4,
      differences: 0,
      totals: [
        [3, 1, 0, 140],
        [3, 1, 0, 140],
      ],
      changes: [
        ['hook', [2, 2], [100, 100]],
        ['next', [1, 1], [40, 40]],
        ['had_it_before', [1, 1]],
      ],
    });
    // From 12:45 on, the refusal is one of a delivery from before.
    past.clock.set('2026-11-19T12:45:00.000Z');
    expect(inShort(await past.simulate(1, await past.exported()))).toMatchObject({ leads: 2, differences: 0 });
  });

  it('sells the rejected lead to a partner with capacity when it comes back', async () => {
    expect(inShort(await past.simulate(1, market('weight: 1', 'caps: { daily: 2 }')))).toMatchObject({
      differences: 1,
      totals: [
        [3, 1, 0, 140],
        [4, 0, 0, 180],
      ],
    });
  });

  it('repeats a rejection only for the partner that rejected the lead', async () => {
    const more =
      '- { key: best, timeZone: UTC, offers: [{ key: best-one, eventType: Lead Sale, payout: 60, caps: { daily: 1 } }] }';
    // 1: best; 2 and 3: hook, which nobody makes room; 4: next.
    expect(inShort(await past.simulate(1, market('weight: 1', 'caps: { daily: 1 }', more)))).toMatchObject({
      differences: 3,
      totals: [
        [3, 1, 0, 140],
        [4, 0, 0, 200],
      ],
    });
  });

  it('repeats the rejection after the same time if the lead comes later', async () => {
    const later = 'schedule: { days: [wed], from: "12:05", to: "24:00" }';
    // 1 is held until 12:05 and comes back at 13:05, to nobody; 3 finds no room; 4 finds that of 1.
    expect(inShort(await past.simulate(1, market(later, 'status: closed')))).toMatchObject({
      differences: 1,
      changes: [
        ['hook', [2, 2], [100, 100]],
        ['next', [1, 0], [40, 0]],
        ['cap_reached', [0, 1]],
        ['had_it_before', [1, 1]],
      ],
    });
  });
});

describe('The command simulate', () => {
  const market = (cap: number): string => `
    marketplace: { holdMinutes: 0 }
    suppliers: [{ key: acme, status: approved }]
    partners:
      - { key: alpha, timeZone: UTC, offers: [{ key: alpha-one, eventType: Lead Sale, payout: 50.50, caps: { daily: ${cap} } }] }
      - { key: beta, timeZone: UTC, offers: [{ key: beta-one, eventType: Lead Sale, payout: 40, filters: { states: [NV] } }] }`;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leadmarket-simulation-'));
    await past.apply(market(1));
    for (const serial of [1, 2, 3]) await lead(`10:0${serial}`, serial);
    await past.submit({ serial: 4, state: 'NV' });
    await past.route();
    past.clock.set('2026-11-18T12:00:00.000Z');
    return () => rm(folder, { recursive: true });
  });

  async function run(yaml: string, argv: readonly string[], isTTY = false): Promise<Captured> {
    const path = join(folder, 'next.yaml');
    await writeFile(path, yaml);
    return captureCommand(
      ['simulate', path, ...argv],
      (program, out) =>
        registerSimulateCommand(program.command('simulate <file>'), {
          ...contextOf(home.database, past.clock, out),
          allowedTargets: async () => [],
          replica: () => null,
        }),
      { isTTY },
    );
  }

  it('prints everything as JSON', async () => {
    expect(await run(market(2), ['--days', '1', '--json'])).toMatchObject({
      exitCode: 0,
      json: {
        days: 1,
        from: '2026-11-17T12:00:00.000Z',
        to: '2026-11-18T12:00:00.000Z',
        leads: 4,
        erased: 0,
        configurationChanges: 0,
        differences: 1,
        totals: {
          history: { routed: 2, rejected: 2, held: 0, revenue: 90.5 },
          simulated: { routed: 3, rejected: 1, held: 0, revenue: 141 },
        },
        partners: [
          { partner: 'alpha', leads: { from: 1, to: 2 }, revenue: { from: 50.5, to: 101 } },
          { partner: 'beta', leads: { from: 1, to: 1 }, revenue: { from: 40, to: 40 } },
        ],
        offers: [
          { offer: 'alpha-one', partner: 'alpha', leads: { from: 1, to: 2 }, revenue: { from: 50.5, to: 101 } },
          { offer: 'beta-one', partner: 'beta', leads: { from: 1, to: 1 }, revenue: { from: 40, to: 40 } },
        ],
        unsold: [{ reason: 'cap_reached', from: 2, to: 1 }],
      },
    });
  });

  it('prints totals and changes as text', async () => {
    expect((await run(market(2), [])).stdout).toBe(
      [
        'The last 7 days, 2026-11-11T12:00:00.000Z to 2026-11-18T12:00:00.000Z:',
        '4 leads replayed, 1 ends otherwise than in the past.',
        '',
        'Totals     past  simulated  change',
        'routed        2          3      +1',
        'rejected      2          1      -1',
        'held          0          0       0',
        'revenue   90.50     141.00  +50.50',
        'cost       0.00       0.00    0.00',
        'margin    90.50     141.00  +50.50',
        '',
        'Partners         past  simulated  change',
        'alpha: leads        1          2      +1',
        'alpha: revenue  50.50     101.00  +50.50',
        '',
        'Offers                     past  simulated  change',
        'alpha/alpha-one: leads        1          2      +1',
        'alpha/alpha-one: revenue  50.50     101.00  +50.50',
        '',
        'Unsold leads  past  simulated  change',
        'cap_reached      2          1      -1',
        '',
      ].join('\n'),
    );
    await past.apply(market(3));
    await select(home.database, `UPDATE lead SET fields = NULL WHERE external_id = 'lead-4'`);
    const { stdout } = await run(market(1), ['--days', '1']);
    expect(stdout).toContain('3 leads replayed, none ends otherwise than in the past.\n');
    expect(stdout).toContain('Not replayed, because their fields are erased: 1 lead.\n');
    expect(stdout).toContain('Since the first of these decisions the configuration has changed once:\n');
    expect(stdout).not.toContain('Partners');
  });

  it('shows its progress on a terminal', async () => {
    const { stderr } = await run(market(1), [], true);
    expect(stderr).toContain('Repeated 4 of 4 decisions');
    expect((await run(market(1), [])).stderr).toBe('');
  });

  it('rejects invalid files and a number of days out of range', async () => {
    expect(await run('marketplace: { strategy: best }\n', ['--json'])).toMatchObject({
      exitCode: 1,
      json: { errors: [{ line: 1, column: 26, path: 'marketplace.strategy' }] },
    });
    for (const days of ['0', '91', 'x']) expect(await run(market(1), ['--days', days])).toMatchObject({ exitCode: 2 });
    const missing = await captureCommand(['simulate', join(folder, 'none.yaml'), '--json'], (program, out) =>
      registerSimulateCommand(program.command('simulate <file>'), {
        ...contextOf(home.database, past.clock, out),
        allowedTargets: async () => [],
        replica: () => null,
      }),
    );
    expect(missing).toMatchObject({ exitCode: 1, json: { error: { code: 'file_unreadable' } } });
  });

  it('replays nothing if there are no leads', async () => {
    past.clock.set('2027-06-01T00:00:00.000Z');
    expect((await run(market(1), ['--json'])).json).toMatchObject({
      leads: 0,
      differences: 0,
      configurationChanges: 0,
      partners: [],
    });
  });
});
