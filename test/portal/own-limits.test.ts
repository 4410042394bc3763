// A partner limits its offers further by itself, within what the operator set (contract 6.16).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { scheduledJobs } from '../../src/app/scheduled-jobs.ts';
import { exportFile } from '../../src/marketplace-file/export-file.ts';
import { sampleLead } from '../contract/market.ts';
import { postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { select } from '../support/ledger-faults.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { SignedIn } from '../support/signed-in.ts';

const YAML = `
marketplace: { currency: USD }
suppliers: [{ key: acme-media, name: Acme Media, status: approved }]
partners:
  - key: summit
    name: Summit
    channels: []
    offers: [{ key: summit-west, name: West, eventType: Lead Sale, payout: 45.00, caps: { daily: 50 }, budget: { monthly: 9000 } }]
  - key: harbor
    name: Harbor
    channels: []
    offers: [{ key: harbor-texas, name: Texas, eventType: Lead Sale, payout: 40.00, filters: { states: [TX] } }]
`;
const PATH = '/portal/api/buyer/offers/summit-west/limits';
const NONE = {
  caps: { daily: null, weekly: null, monthly: null },
  budget: { daily: null, weekly: null, monthly: null },
  statesNot: [],
};

let clock: HandClock;
let market: TestMarketplace;
let summit: SignedIn;
let harbor: SignedIn;
let key: string;
let serial = 0;

beforeAll(async () => {
  clock = handClock('2026-12-10T18:00:00.000Z');
  market = await startTestMarketplace({ yaml: YAML, clock });
  [summit, harbor] = await Promise.all([market.signedIn.buyer('summit'), market.signedIn.buyer('harbor')]);
  key = await market.supplierKey('acme-media');
});
afterAll(() => market.close());

const put = (who: SignedIn, limits: object) => who.send('PUT', PATH, { ...NONE, ...limits });
const bought = async (): Promise<number> =>
  (await select(market.database, `SELECT FROM delivery WHERE buyer_key = 'summit'`)).length;

/** The offer that bought a new lead; null if none did. */
async function buyerOfLead(more: Readonly<Record<string, unknown>> = {}): Promise<string | null> {
  serial += 1;
  expect((await postLead(market.url, key, sampleLead(serial, more))).status).toBe(202);
  return eventually('the lead is decided', async () => {
    const [row] = await select<{ offer: string | null }>(
      market.database,
      `SELECT (SELECT offer_key FROM delivery d WHERE d.lead_id = l.lead_id) AS offer
         FROM lead l WHERE external_id = 'A-${serial}' AND decided_at IS NOT NULL`,
    );
    return row === undefined ? null : { offer: row.offer };
  }).then(({ offer }) => offer);
}

describe('The limits of an offer by its partner', () => {
  it('are none at first, with the bounds that the operator set', async () => {
    expect((await summit.get(PATH)).json).toEqual({
      ...{ offerKey: 'summit-west', name: 'West', price: 45, currency: 'USD', own: NONE },
      bounds: {
        ...{ caps: { daily: 50, weekly: null, monthly: null }, budget: { daily: null, weekly: null, monthly: 9000 } },
        ...{ states: [], statesNot: [] },
      },
    });
  });

  it('hold from the next lead on, count what was bought before, and are shown with the reason', async () => {
    expect([await buyerOfLead(), await buyerOfLead({ state: 'NY' })]).toEqual(['summit-west', 'summit-west']);
    const saved = await put(summit, { caps: { ...NONE.caps, daily: 3 }, statesNot: ['TX', 'FL'] });
    expect([saved.status, saved.json.own]).toEqual([
      200,
      { ...NONE, caps: { ...NONE.caps, daily: 3 }, statesNot: ['FL', 'TX'] },
    ]);
    expect(await buyerOfLead({ state: 'FL' })).toBeNull();
    expect(await buyerOfLead({ state: 'TX' })).toBe('harbor-texas');
    expect(await buyerOfLead()).toBe('summit-west');
    // Held, because the cap resets; it is not sold today.
    serial += 1;
    await postLead(market.url, key, sampleLead(serial));
    const stopped = await eventually('the cap is full', async () => {
      const { json } = await summit.get('/portal/api/buyer/offers');
      return json.offers[0].stop as { text: string } | null;
    });
    expect(stopped).toMatchObject({ code: 'cap_reached', text: 'Cap full: 3 leads today' });
    expect((await summit.get('/portal/api/v1/buyer/stats')).json.offers[0].caps.daily).toMatchObject({
      limit: 3,
      remaining: 0,
    });
    expect(await bought()).toBe(3);
  });

  it('never leave the offer itself or the file, and survive a change by the operator', async () => {
    const { content } = await market.database.tx((tx) => exportFile(tx));
    const offer = content['partners']
      .flatMap((partner: { offers?: object[] }) => partner.offers ?? [])
      .find((one: { key?: string }) => one.key === 'summit-west');
    expect(offer).toMatchObject({ caps: { daily: 50 } });
    expect(offer).not.toHaveProperty('filters.statesNot');
    await market.apply(YAML.replace('payout: 45.00', 'payout: 44.00'));
    expect((await summit.get(PATH)).json).toMatchObject({ price: 44, own: { caps: { daily: 3 } } });
    const history = await select<{ limits: { statesNot: string[] } }>(
      market.database,
      `SELECT definition->'ownLimits' AS limits FROM config_history WHERE kind = 'offer' AND key = 'summit-west' ORDER BY version DESC LIMIT 1`,
    );
    expect(history[0]?.limits.statesNot).toEqual(['FL', 'TX']);
    const operator = await market.signedIn.operator();
    expect((await operator.get('/console/api/offers/summit-west')).json).toMatchObject({
      offer: { caps: { daily: 50 }, ownLimits: { caps: { daily: 3 } } },
      usage: { state: 'capped', windows: { daily: { limit: 3 } } },
    });
  });

  it('cannot exceed those of the operator, and take back nothing but themselves', async () => {
    const refused = await put(summit, {
      caps: { daily: 51, weekly: 1000, monthly: null },
      budget: { ...NONE.budget, monthly: 9000.01 },
    });
    expect([refused.status, refused.json.errors.map(({ field }: { field: string }) => field)]).toEqual([
      422,
      ['caps.daily', 'budget.monthly'],
    ]);
    for (const wrong of [{ statesNot: ['Texas'] }, { caps: { ...NONE.caps, daily: -1 } }, { caps: null }, { own: 1 }]) {
      expect([wrong, (await put(summit, wrong)).status]).toEqual([wrong, 422]);
    }
    expect((await put(summit, {})).json.own).toEqual(NONE);
    expect(await buyerOfLead({ state: 'FL' })).toBe('summit-west');
  });

  it('are tried on what was bought, and of no other partner', async () => {
    clock.set('2026-12-11T12:00:00.000Z');
    await scheduledJobs(market.database, clock)
      .find(({ name }) => name === 'fold-reports')!
      .run();
    // The sessions of the day before have ended.
    [summit, harbor] = await Promise.all([market.signedIn.buyer('summit'), market.signedIn.buyer('harbor')]);
    const limits = { ...NONE, budget: { ...NONE.budget, daily: 140 }, statesNot: ['FL'] };
    const trial = await summit.send('POST', `${PATH}/trial`, limits);
    expect([trial.status, trial.json]).toEqual([
      200,
      {
        ...{ from: '2026-11-13', until: '2026-12-10' },
        ...{ bought: { leads: 4, cost: 179 }, kept: { leads: 3, cost: 135 } },
      },
    ]);
    expect([
      (await harbor.get(PATH)).status,
      (await put(harbor, { caps: { ...NONE.caps, daily: 0 } })).status,
      (await harbor.send('POST', `${PATH}/trial`, NONE)).status,
    ]).toEqual([404, 404, 404]);
    const events = await select<{ text: string }>(
      market.database,
      `SELECT buyer_key || ' ' || (SELECT string_agg(name, ',' ORDER BY name) FROM jsonb_object_keys(changes) AS name) AS text
         FROM audit_event WHERE action = 'offer.limits_changed' ORDER BY audit_id`,
    );
    expect(events.map(({ text }) => text)).toEqual([
      'summit caps.daily,filters.statesNot',
      'summit caps.daily,filters.statesNot',
    ]);
  });
});
