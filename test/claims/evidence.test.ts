// Tests the evidence on a claim: gathered when it is filed, shown to the operator alone (contract 6.10, 7.7).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { showClaim } from '../../src/claims/stored-claims.ts';
import { identityHashes } from '../../src/leads/identity-hash.ts';
import { recordIdentitySales } from '../../src/leads/identity-sales.ts';
import { readPersonPepper } from '../../src/marketplace/stored-settings.ts';
import type { Json } from '../support/scope-app.ts';
import { type ClaimMarket, claimUuid, claimYaml, RETURNS, startClaimMarket, uuidOfDelivery } from './claim-market.ts';

function withOffers(filters: string): string {
  const offer = `{ key: west, name: West, eventType: Lead Sale, payout: 45.00, filters: ${filters} }`;
  const calls = `{ key: calls, name: Calls, eventType: Calendar Assigned, payout: 120.00, filters: ${filters},
          booking: { availability: [{ days: [mon], from: "09:00", to: "12:00" }], slotMinutes: 30, capacity: 1, noticeMinutes: 60, horizonDays: 14 } }`;
  return claimYaml.replace(
    'bookings: 100000 } } }\n  - { key: harbor',
    `bookings: 100000 } }, offers: [${offer}, ${calls}] }\n  - { key: harbor`,
  );
}

let home: ClaimMarket;

beforeAll(async () => {
  home = await startClaimMarket(withOffers('{ states: [CA, OR], debtAmount: { min: 10000 }, minScore: 80 }'));
});
afterAll(() => home.close());

async function evidenceOf(response: Json): Promise<unknown> {
  const id = response.returnId ?? response.disputeId;
  return (await showClaim(home.market.database, claimUuid(id)))?.evidence;
}

const at = (): Date => home.clock.now();

describe('The evidence on a claim about region or filters', () => {
  it('compares the lead with the filters at the time of the sale', async () => {
    const [geo = '', filter = ''] = await home.plant('summit', [
      { at: at() },
      { at: at(), fields: { state: 'NV', debtAmountCents: null } },
    ]);
    home.clock.advance(3_600_000);
    await home.market.apply(withOffers('{ states: [NV] }'));
    const place = await home.file('summit', 'return', { deliveryId: geo, reason: 'out_of_geo' });
    expect(await evidenceOf(place.json)).toEqual({
      about: 'filters',
      offer: 'west',
      known: true,
      checks: [{ filter: 'states', wanted: ['CA', 'OR'], found: 'CA', holds: true }],
    });
    const all = await home.file('summit', 'return', { deliveryId: filter, reason: 'out_of_filter' });
    expect(await evidenceOf(all.json)).toEqual({
      about: 'filters',
      offer: 'west',
      known: true,
      checks: [
        { filter: 'states', wanted: ['CA', 'OR'], found: 'NV', holds: false },
        { filter: 'debtAmount', wanted: { min: 10_000, max: null }, found: null, holds: false },
        { filter: 'minScore', wanted: 80, found: 70, holds: false },
      ],
    });
    // The evidence is that of the filing, however often it is read.
    await home.market.apply(withOffers('{ states: [] }'));
    expect(await evidenceOf(place.json)).toMatchObject({ checks: [{ wanted: ['CA', 'OR'] }] });
    const [sold = ''] = await home.plant('summit', [{ at: at() }]);
    const open = await home.file('summit', 'dispute', { deliveryId: sold, reason: 'out_of_geo', detail: 'So.' });
    expect(await evidenceOf(open.json)).toEqual({ about: 'filters', offer: 'west', known: true, checks: [] });
  });

  it('does the same for a booking', async () => {
    const [deliveryId = ''] = await home.plant('summit', [
      { at: at(), eventType: 'Calendar Assigned', offerKey: 'calls', appointmentAt: new Date('2026-11-23T17:00:00Z') },
    ]);
    const { json } = await home.file('summit', 'return', { deliveryId, reason: 'filter_mismatch', proof: 'x' });
    expect(await evidenceOf(json)).toMatchObject({ about: 'filters', offer: 'calls', known: true });
  });

  it('says so if the offer at that time is unknown', async () => {
    const [deliveryId = ''] = await home.plant('summit', [{ at: at(), offerKey: 'gone' }]);
    const { json } = await home.file('summit', 'return', { deliveryId, reason: 'out_of_filter' });
    expect(await evidenceOf(json)).toEqual({ about: 'filters', offer: 'gone', known: false, checks: [] });
  });
});

describe('The evidence on a claim about a duplicate', () => {
  const DAY = 86_400_000;
  const email = 'sam.doe@example.com';

  async function soldTo(partner: string, when: Date, phone: string): Promise<string> {
    const [deliveryId = ''] = await home.plant(partner, [{ at: when, fields: { email, phone } }]);
    await home.market.database.tx(async (tx) => {
      const personPepper = await readPersonPepper(tx);
      // With the phone alone, as if the earlier sales had had other addresses.
      const sales = identityHashes(personPepper, { phone, email: null }).map((hash) => ({
        hash,
        scope: partner,
        deliveryId: uuidOfDelivery(deliveryId),
      }));
      await recordIdentitySales(tx, sales, when);
    });
    return deliveryId;
  }

  it('lists the other deliveries of the contact to the partner within the days', async () => {
    const ago = (days: number) => new Date(at().getTime() - days * DAY);
    const earlier = await soldTo('harbor', ago(20), '+15552000001');
    await soldTo('harbor', ago(40), '+15552000002');
    await soldTo('summit', ago(3), '+15552000001');
    const [deliveryId = ''] = await home.plant('harbor', [
      { at: ago(1), fields: { email: null, phone: '+15552000001' } },
    ]);
    const [other = ''] = await home.plant('harbor', [{ at: ago(1), fields: { email: null, phone: '+15552000002' } }]);
    const first = await home.file('harbor', 'return', { deliveryId, reason: 'duplicate' });
    expect(await evidenceOf(first.json)).toEqual({
      about: 'duplicate',
      dedupDays: 30,
      deliveries: [{ deliveryId: earlier, deliveredAt: ago(20).toISOString(), status: 'Confirmed' }],
    });
    const second = await home.file('harbor', 'return', { deliveryId: other, reason: 'duplicate' });
    expect(await evidenceOf(second.json)).toEqual({ about: 'duplicate', dedupDays: 30, deliveries: [] });
  });
});

describe('A claim for another reason', () => {
  it('has no evidence', async () => {
    const [deliveryId = ''] = await home.plant('summit', [{ at: at() }]);
    const { json } = await home.file('summit', 'return', { deliveryId, reason: 'bot' });
    expect(await evidenceOf(json)).toBeNull();
  });
});

describe('The responses to a partner', () => {
  it('contain no evidence', async () => {
    const texts = await Promise.all(
      ['summit', 'harbor'].map(async (key) => (await home.ask(key, `${RETURNS}?pageSize=100`)).text),
    );
    for (const secret of ['evidence', 'checks', 'dedup', 'west', 'minScore', 'supplier', 'acme'])
      expect([secret, texts.join('').includes(secret)]).toEqual([secret, false]);
  });
});
