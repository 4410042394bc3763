// Tests that the claim and the error that a delivery shows are those that filing a return would meet at that instant (contract 6.1).
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { claimMonth } from '../../src/claims/claim-window.rules.ts';
import { countKept, keptBounds } from '../../src/deliveries/count-deliveries.ts';
import { select } from '../support/ledger-faults.ts';
import type { Json } from '../support/scope-app.ts';
import { plantDeliveries } from '../deliveries/plant-deliveries.ts';
import { BOOKING, type ClaimMarket, LEADS, NOW, startClaimMarket, outcomeText } from './claim-market.ts';

let home: ClaimMarket;

beforeAll(async () => {
  home = await startClaimMarket();
});
afterAll(() => home.close());
afterEach(() => home.clock.set(NOW));

async function deliveries(partner: string): Promise<Json[]> {
  return (await home.ask(partner, `${LEADS}?pageSize=100`)).json.data;
}

/** Differences between the list and filing; claims that this check files are withdrawn at once. */
async function differences(partner: string): Promise<string[]> {
  const found: string[] = [];
  for (const { deliveryId, eventType, returnable } of await deliveries(partner)) {
    const body = eventType === 'Lead Sale' ? { reason: 'bot' } : { reason: 'no_show', proof: 'Recording 17.' };
    const response = await home.file(partner, 'return', { deliveryId, ...body });
    if (response.status === 201)
      await home.ask(partner, `/api/v1/buyer/returns/${response.json.returnId}`, { method: 'DELETE' });
    const code = response.status === 201 ? null : response.json.code;
    if (code !== returnable.reason) found.push(`${deliveryId}: ${returnable.reason} was shown, and ${code} told`);
  }
  return found;
}

describe('A delivery shows', () => {
  it('its latest claim of either kind', async () => {
    const [deliveryId = ''] = await home.plant('harbor', [{}]);
    const claimOf = async () => (await deliveries('harbor')).find((item) => item.deliveryId === deliveryId)?.claim;
    expect(await claimOf()).toBeNull();
    const { json: first } = await home.file('harbor', 'return', { deliveryId, reason: 'bot' });
    expect(await claimOf()).toEqual({ kind: 'return', id: first.returnId, status: 'submitted' });
    await home.review(first.returnId, 'take');
    expect(await claimOf()).toEqual({ kind: 'return', id: first.returnId, status: 'under_review' });
    await home.review(first.returnId, 'deny');
    const { json: second } = await home.file('harbor', 'dispute', { deliveryId, reason: 'bot', detail: 'So.' });
    expect(await claimOf()).toEqual({ kind: 'dispute', id: second.disputeId, status: 'submitted' });
    await home.ask('harbor', `/api/v1/buyer/disputes/${second.disputeId}`, { method: 'DELETE' });
    expect(await claimOf()).toEqual({ kind: 'dispute', id: second.disputeId, status: 'withdrawn' });
  });

  it('no claim of another partner', async () => {
    expect((await deliveries('summit')).filter(({ claim }) => claim !== null)).toEqual([]);
  });

  it('the error that a return would get', async () => {
    const old = new Date('2026-11-05T18:00:00.000Z');
    const of = await home.plant('tight', [
      {},
      { status: 'Pending' },
      { status: 'Failed' },
      { status: 'Returned' },
      { at: old },
      {},
      {},
      {},
      BOOKING,
      BOOKING,
      // In Los Angeles still October, whose cap is unused; but the window is over.
      { at: new Date('2026-11-01T06:59:59.999Z') },
    ]);
    const reasons = async () =>
      new Map((await deliveries('tight')).map(({ deliveryId, returnable }) => [deliveryId, returnable.reason]));
    expect(await differences('tight')).toEqual([]);

    const { json: denied } = await home.file('tight', 'return', { deliveryId: of[5], reason: 'bot' });
    await home.review(denied.returnId, 'deny');
    await home.file('tight', 'dispute', { deliveryId: of[6], reason: 'bot', detail: 'So.' });
    const { json: disputed } = await home.file('tight', 'dispute', { deliveryId: of[7], reason: 'bot', detail: 'So.' });
    await home.review(disputed.disputeId, 'deny');
    expect(await differences('tight')).toEqual([]);

    // Two more leads use up the cap; bookings have a separate one.
    for (const deliveryId of await home.plant('tight', [{}, {}])) {
      expect(outcomeText(await home.file('tight', 'return', { deliveryId, reason: 'bot' }))).toBe('201');
    }
    const shown = await reasons();
    expect(of.map((id) => shown.get(id))).toEqual([
      'return_cap_reached',
      'delivery_not_confirmed',
      'delivery_not_confirmed',
      'delivery_not_confirmed',
      'return_window_closed',
      'claim_exists',
      'claim_exists',
      'return_cap_reached',
      null,
      null,
      'return_window_closed',
    ]);
    expect(await differences('tight')).toEqual([]);
  });

  it('a percentage cap that grows with the month', async () => {
    const of = await home.plant(
      'share',
      Array.from({ length: 39 }, () => ({})),
    );
    for (const deliveryId of of.slice(0, 3)) await home.file('share', 'return', { deliveryId, reason: 'bot' });
    const reasonOf = async (id = '') =>
      (await deliveries('share')).find((item) => item.deliveryId === id)?.returnable.reason;
    expect(await reasonOf(of[5])).toBe('return_cap_reached');
    await home.plant('share', [{}]);
    expect(await reasonOf(of[5])).toBeNull();
    expect(outcomeText(await home.file('share', 'return', { deliveryId: of[4], reason: 'bot' }))).toBe('201');
    expect(await reasonOf(of[5])).toBe('return_cap_reached');
  });
});

describe('Confirmed and returned deliveries of a month', () => {
  const ZONES = ['UTC', 'America/Los_Angeles', 'Asia/Kathmandu', 'Pacific/Auckland', 'America/St_Johns'];

  it('are counted exactly, in any zone', async () => {
    const statuses = ['Confirmed', 'Returned', 'Pending', 'Failed'] as const;
    const start = Date.UTC(2026, 1, 27);
    // Every hour and a half over a month with both its edges, at odd milliseconds.
    const seeds = Array.from({ length: 560 }, (_, index) => ({
      at: new Date(start + index * 5_400_000 + (index % 7)),
      status: statuses[index % 5] ?? 'Confirmed',
      ...(index % 11 === 0 ? BOOKING : {}),
    }));
    await plantDeliveries(home.market.database, 'counted', seeds);
    await plantDeliveries(home.market.database, 'other', seeds.slice(0, 50));
    const database = home.market.database;
    const check = async (at: Date, timeZone: string, eventType: 'Lead Sale' | 'Calendar Assigned') => {
      const { span } = claimMonth(at, timeZone);
      const [row] = await select<{ n: number }>(
        database,
        `SELECT count(*)::int AS n FROM delivery WHERE buyer_key = 'counted' AND event_type = $1 AND delivered_at >= $2
           AND delivered_at < $3 AND status IN ('Confirmed', 'Returned')`,
        [eventType, new Date(span.from), new Date(span.until)],
      );
      const kept = await countKept(database, 'counted', { eventType, span });
      const { atLeast, atMost } = await keptBounds(database, 'counted', { eventType, span });
      expect([timeZone, kept]).toEqual([timeZone, row?.n]);
      expect(atLeast <= kept && kept <= atMost).toBe(true);
      return kept;
    };
    for (const timeZone of ZONES) {
      expect(await check(new Date('2026-03-15T00:00:00Z'), timeZone, 'Lead Sale')).toBeGreaterThan(200);
    }
    await fc.assert(
      fc.asyncProperty(
        fc.date({ min: new Date(start), max: new Date('2026-04-05T00:00:00Z'), noInvalidDate: true }),
        fc.constantFrom(...ZONES),
        fc.constantFrom('Lead Sale' as const, 'Calendar Assigned' as const),
        async (at, timeZone, eventType) => {
          await check(at, timeZone, eventType);
        },
      ),
      { numRuns: 30 },
    );
  });
});
