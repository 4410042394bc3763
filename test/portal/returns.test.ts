// Returns of several deliveries at once: the preview and the filing of each follow the rules of a single return.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { newUuid, typeId } from '../../src/base/ids.ts';
import { claimFaults } from '../claims/claim-ledger.ts';
import { BOOKING, type ClaimMarket, claimYaml, NOW, startClaimMarket, outcomeText } from '../claims/claim-market.ts';
import type { ApiResponse } from '../support/api-client.ts';
import { select } from '../support/ledger-faults.ts';
import type { Json } from '../support/scope-app.ts';

const PATH = '/portal/api/buyer/returns';

let home: ClaimMarket;

beforeAll(async () => {
  home = await startClaimMarket(claimYaml.replace('leads: 2, bookings: 1', 'leads: 3, bookings: 1'));
});
afterAll(() => home.close());
afterEach(() => home.clock.set(NOW));

const send = async (partner: string, path: string, body: object, headers = {}): Promise<ApiResponse> =>
  (await home.market.signedIn.buyer(partner)).send('POST', path, body, headers);
const file = (partner: string, body: object, headers = {}): Promise<ApiResponse> =>
  send(partner, PATH, { reason: 'bot', proof: null, ...body }, headers);
const preview = (partner: string, deliveryIds: readonly string[]): Promise<ApiResponse> =>
  send(partner, `${PATH}/preview`, { deliveryIds });
const codes = ({ json }: ApiResponse): unknown[] =>
  json.results.map(({ refusal }: Json) => (refusal === null ? 'filed' : refusal.code));
const claimsOn = async (deliveryIds: readonly string[]): Promise<number> => {
  const { json } = await preview('summit', deliveryIds);
  return json.data.reduce((sum: number, { claims }: Json) => sum + claims.length, 0);
};

describe('the preview of several returns', () => {
  it('has for each delivery what the preview of the one has, in the order of the request', async () => {
    const ids = await home.plant('summit', [{}, BOOKING, { status: 'Pending' }, {}]);
    const asked = [ids[3] ?? '', ids[0] ?? '', ids[2] ?? '', ids[1] ?? ''];
    const summit = await home.market.signedIn.buyer('summit');
    const single: Json[] = [];
    for (const id of asked) single.push((await summit.get(`/portal/api/buyer/deliveries/${id}/filing`)).json);
    const { json } = await preview('summit', asked);
    expect(json.data).toEqual(single);
    expect(json.data.map((one: Json) => one.return.allowed)).toEqual([true, true, false, true]);
    expect(json.data[0].reasons.find((one: Json) => one.code === 'duplicate').ownData).toMatchObject({ others: 0 });
    expect(json.data[2].reasons.map((one: Json) => one.ownData)).toEqual([null, null, null, null, null, null]);
  });

  it('leaves out deliveries of others and unknown ones', async () => {
    const [own = ''] = await home.plant('summit', [{}]);
    const [foreign = ''] = await home.plant('harbor', [{}]);
    const { json } = await preview('summit', [foreign, own, typeId('delivery', newUuid()), 'dlv_x', '\u{1F600}']);
    expect(json.data.map((one: Json) => one.deliveryId)).toEqual([own]);
  });
});

describe('filing several returns', () => {
  it('files each with its own audit entry, evidence and due date', async () => {
    const ids = await home.plant('summit', [{}, {}]);
    const { status, json } = await file('summit', { deliveryIds: ids, reason: 'duplicate', proof: 'Bought in May.' });
    expect(status).toBe(200);
    expect(json.results).toEqual(
      ids.map((deliveryId) => ({ deliveryId, returnId: expect.stringMatching(/^ret_/) as string, refusal: null })),
    );
    expect(json.caps).toMatchObject([{ eventType: 'Lead Sale', month: '2026-11', limit: 100_000 }]);
    const summit = await home.market.signedIn.buyer('summit');
    for (const { returnId } of json.results as Json[]) {
      expect((await summit.get(`/portal/api/v1/buyer/returns/${returnId}`)).json).toMatchObject({
        ...{ status: 'submitted', reason: 'duplicate', proof: 'Bought in May.', filedAt: NOW },
        decisionDueAt: '2026-12-01T07:59:59.000Z',
      });
      const audited = await select(
        home.market.database,
        `SELECT action FROM audit_event WHERE target = $1 AND buyer_key = 'summit'`,
        [returnId],
      );
      expect(audited).toEqual([{ action: 'return.filed' }]);
    }
    const evidence = await select(
      home.market.database,
      `SELECT DISTINCT evidence::jsonb ->> 'about' AS about FROM claim WHERE statement = 'Bought in May.'`,
    );
    expect(evidence).toEqual([{ about: 'duplicate' }]);
  });

  it('says for each that is refused why, and how many the cap still allows', async () => {
    const leads = await home.plant('tight', [{}, { status: 'Failed' }, {}, {}, {}]);
    const [booking = ''] = await home.plant('tight', [BOOKING]);
    const [foreign = ''] = await home.plant('harbor', [{}]);
    await home.file('tight', 'return', { deliveryId: leads[2], reason: 'bot' });
    const response = await file('tight', { deliveryIds: [...leads, booking, foreign] });
    expect(codes(response)).toEqual([
      ...['filed', 'delivery_not_confirmed', 'claim_exists', 'filed', 'return_cap_reached'],
      ...['reason_kind_mismatch', 'delivery_not_found'],
    ]);
    expect(response.json.results[2].refusal.meaning).toMatch(/ret_\w+ is submitted/);
    expect(response.json.caps).toEqual([
      { eventType: 'Lead Sale', month: '2026-11', limit: 3, used: 3, remaining: 0 },
      { eventType: 'Calendar Assigned', month: '2026-11', limit: 1, used: 0, remaining: 1 },
    ]);
    const noProof = await file('tight', { deliveryIds: [booking], reason: 'no_show', proof: ' \u{200B} ' });
    expect(codes(noProof)).toEqual(['proof_required']);
    expect(codes(await file('tight', { deliveryIds: [booking], reason: 'no_show', proof: 'Log.' }))).toEqual(['filed']);
    expect(await claimFaults(home.market.database)).toEqual([]);
  });

  it('files nothing twice: the same key repeats the response, another one finds the claims', async () => {
    const ids = await home.plant('summit', [{}, {}]);
    const summit = await home.market.signedIn.buyer('summit');
    const again = (key: string): Promise<ApiResponse> =>
      summit.send('POST', PATH, { deliveryIds: ids, reason: 'bot', proof: null }, { 'idempotency-key': key });
    const [first, repeated, other] = [await again('one'), await again('one'), await again('two')];
    expect(repeated.text).toBe(first.text);
    expect(codes(other)).toEqual(['claim_exists', 'claim_exists']);
    expect(await claimsOn(ids)).toBe(2);
  });

  it('keeps to the cap and ends without a deadlock when requests overlap in different orders', async () => {
    const ids = await home.plant('summit', [
      ...Array.from({ length: 12 }, () => ({})),
      ...Array.from({ length: 12 }, () => BOOKING),
    ]);
    const requests = [ids, ids.toReversed(), ids.slice(8), ids.slice(0, 16).toReversed()];
    const responses = await Promise.all([
      ...requests.map((deliveryIds) => file('summit', { deliveryIds, reason: 'bot' })),
      ...requests.map((deliveryIds) => file('summit', { deliveryIds, reason: 'no_show', proof: 'Log.' })),
      ...ids.slice(0, 6).map((deliveryId) => home.file('summit', 'return', { deliveryId, reason: 'bot' })),
    ]);
    expect(responses.map(({ status }) => status).every((status) => [200, 201, 409].includes(status))).toBe(true);
    expect(await claimsOn(ids)).toBe(24);
    expect(await claimFaults(home.market.database)).toEqual([]);
  });

  it.each([
    [{ deliveryIds: [] }, 'deliveryIds'],
    [{ deliveryIds: Array.from({ length: 101 }, (_, index) => `dlv_${index}`) }, 'deliveryIds'],
    [{ deliveryIds: ['dlv_1', 'dlv_1'] }, 'deliveryIds'],
    [{ deliveryIds: [7] }, 'deliveryIds'],
    [{ deliveryIds: ['dlv_1'], reason: 'not-interested' }, 'reason'],
    [{ deliveryIds: ['dlv_1'], proof: 'x'.repeat(10_001) }, 'proof'],
    [{ deliveryIds: ['dlv_1'], more: true }, 'more'],
  ])('refuses the body %#', async (body, field) => {
    expect(outcomeText(await file('summit', body))).toMatch(new RegExp(`^422 validation_failed.* ${field}`));
  });

  it('needs a session, and not one of a suspended partner', async () => {
    const response = await fetch(home.market.url + PATH, { method: 'POST', body: '{}' });
    expect([401, 403]).toContain(response.status);
    expect((await file('frozen', { deliveryIds: ['dlv_1'] })).status).toBe(403);
  });
});
