// Tests concurrent claims: no cap is exceeded, no claim decided twice, no money posted twice (contract 6.7 to 6.10).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import type { ReviewStep } from '../../src/claims/claim-steps.rules.ts';
import { reviewClaim } from '../../src/claims/review-claim.ts';
import { select } from '../support/ledger-faults.ts';
import type { Json } from '../support/scope-app.ts';
import { claimFaults } from './claim-ledger.ts';
import {
  type ClaimMarket,
  claimUuid,
  claimYaml,
  DISPUTES,
  POLICY,
  RETURNS,
  startClaimMarket,
  outcomeText,
} from './claim-market.ts';

let home: ClaimMarket;

beforeAll(async () => {
  home = await startClaimMarket(claimYaml.replace('leads: 2, bookings: 1', 'leads: 10, bookings: 1'));
});
afterAll(() => home.close());

function tally(responses: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(responses, (response) => response)].map(([response, of]) => [response, of.length]),
  );
}

const fileReturn = async (partner: string, deliveryId: string) =>
  outcomeText(await home.file(partner, 'return', { deliveryId, reason: 'bot' }));

async function review(claimId: string, step: ReviewStep): Promise<string> {
  const input = { claimId: claimUuid(claimId), step, note: null, actor: commandLineActor };
  const outcome = await home.market.database.tx((tx) => reviewClaim(tx, input, home.clock.now()));
  return outcome.ok ? outcome.value.status : outcome.code;
}

async function withdraw(partner: string, id: string): Promise<string> {
  const path = id.startsWith('ret_') ? RETURNS : DISPUTES;
  const { status, json } = await home.ask(partner, `${path}/${id}`, { method: 'DELETE' });
  return status === 200 ? json.status : json.code;
}

describe('Fifty returns at one instant', () => {
  it('are accepted up to the cap, exactly', async () => {
    const deliveries = await home.plant(
      'tight',
      Array.from({ length: 50 }, () => ({})),
    );
    const responses = await Promise.all(deliveries.map((deliveryId) => fileReturn('tight', deliveryId)));
    expect(tally(responses)).toEqual({ 201: 10, '422 return_cap_reached': 40 });
    expect((await home.ask('tight', POLICY)).json.monthlyCaps.leads).toMatchObject({ used: 10, remaining: 0 });
    expect(await claimFaults(home.market.database)).toEqual([]);
  });

  it('are accepted up to a percentage cap, exactly', async () => {
    const deliveries = await home.plant(
      'share',
      Array.from({ length: 60 }, () => ({})),
    );
    const responses = await Promise.all(deliveries.slice(0, 50).map((deliveryId) => fileReturn('share', deliveryId)));
    expect(tally(responses)).toEqual({ 201: 6, '422 return_cap_reached': 44 });
    expect(await claimFaults(home.market.database)).toEqual([]);
  });

  it('are one claim if they are disputes of one delivery', async () => {
    const [deliveryId = ''] = await home.plant('summit', [{}]);
    const responses = await Promise.all(
      Array.from({ length: 50 }, async (_, index) =>
        index % 2 === 0
          ? fileReturn('summit', deliveryId)
          : outcomeText(await home.file('summit', 'dispute', { deliveryId, reason: 'bot', detail: 'So.' })),
      ),
    );
    expect(tally(responses)).toEqual({ 201: 1, '409 claim_exists': 49 });
  });

  it('under one Idempotency-Key are one return', async () => {
    const [deliveryId = ''] = await home.plant('summit', [{}]);
    const request = { body: { deliveryId, reason: 'bot' }, headers: { 'idempotency-key': 'fifty' } };
    const responses = await Promise.all(Array.from({ length: 50 }, () => home.ask('summit', RETURNS, request)));
    const made = responses.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(tally(responses.map(outcomeText))).toEqual({
      201: made.length,
      ...(made.length === 50 ? {} : { '409 idempotency_in_progress': 50 - made.length }),
    });
  });
});

describe('Concurrently', () => {
  async function filed(): Promise<string> {
    const [deliveryId = ''] = await home.plant('summit', [{}]);
    return (await home.file('summit', 'return', { deliveryId, reason: 'bot' })).json.returnId;
  }
  const creditsOf = async (id: string) =>
    (await select(home.market.database, 'SELECT 1 FROM transfer WHERE return_id = $1', [claimUuid(id)])).length;

  it('ten approvals count as one, with one credit', async () => {
    const id = await filed();
    const results = await Promise.all(Array.from({ length: 10 }, () => review(id, 'approve')));
    expect(tally(results)).toEqual({ approved: 1, claim_closed: 9 });
    expect(await creditsOf(id)).toBe(1);
  });

  it('an approval and a denial result in one of them', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await filed();
      const results = await Promise.all([review(id, 'approve'), review(id, 'deny')]);
      expect(results.filter((result) => result === 'claim_closed')).toHaveLength(1);
      expect(await creditsOf(id)).toBe(results.includes('approved') ? 1 : 0);
    }
  });

  it('an approval and a withdrawal result in one of them', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await filed();
      const [approval, withdrawal] = await Promise.all([review(id, 'approve'), withdraw('summit', id)]);
      expect([
        ['approved', 'claim_not_withdrawable'],
        ['claim_closed', 'withdrawn'],
      ]).toContainEqual([approval, withdrawal]);
      expect(await creditsOf(id)).toBe(approval === 'approved' ? 1 : 0);
    }
    expect(await claimFaults(home.market.database)).toEqual([]);
  });

  it('random actions of partners and operators leave a consistent ledger', async () => {
    const partners = ['summit', 'harbor', 'share'];
    const deliveries = new Map<string, string[]>();
    for (const partner of partners)
      deliveries.set(
        partner,
        await home.plant(
          partner,
          Array.from({ length: 12 }, () => ({})),
        ),
      );
    const known: Array<{ partner: string; id: string }> = [];
    const steps: readonly ReviewStep[] = ['take', 'approve', 'deny'];
    const faults: string[] = [];
    // A linear congruential generator, so that a failure can be repeated.
    let state = 20_261_120;
    const draw = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    const act = async (): Promise<void> => {
      const partner = partners[draw(3)] ?? '';
      const target = known[draw(known.length)];
      const kind = draw(3) === 0 ? 'dispute' : 'return';
      const deliveryId = deliveries.get(partner)?.[draw(12)] ?? '';
      const what = target === undefined ? 0 : draw(5);
      if (what <= 1) {
        const more = kind === 'dispute' ? { detail: 'So.' } : {};
        const { status, json } = await home.file(partner, kind, { deliveryId, reason: 'bot', ...more });
        if (status >= 500) faults.push(json.code);
        if (status === 201) known.push({ partner, id: json.returnId ?? json.disputeId });
      } else if (what === 2 && target !== undefined) {
        const result = await withdraw(target.partner, target.id);
        if (!['withdrawn', 'claim_not_withdrawable'].includes(result)) faults.push(result);
      } else if (target !== undefined) await review(target.id, steps[draw(3)] ?? 'take');
    };
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let turn = 0; turn < 60; turn += 1) await act();
      }),
    );
    expect(faults).toEqual([]);
    expect(known.length).toBeGreaterThan(20);
    expect(await claimFaults(home.market.database)).toEqual([]);
    const { json } = await home.ask('summit', `${RETURNS}?pageSize=100`);
    expect(json.data.every(({ status, credit }: Json) => (credit !== null) === (status === 'approved'))).toBe(true);
  });
});
