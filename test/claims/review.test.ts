// Tests the changes and notices of a review, all in one transaction (contract 6.10, 5.1, 5.8).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { type ClaimId, newUuid } from '../../src/base/ids.ts';
import { reviewClaim } from '../../src/claims/review-claim.ts';
import { readClaimViews } from '../../src/claims/stored-claims.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { select } from '../support/ledger-faults.ts';
import type { Json } from '../support/scope-app.ts';
import { claimFaults } from './claim-ledger.ts';
import {
  type ClaimMarket,
  claimUuid,
  claimYaml,
  DISPUTES,
  LEADS,
  NOW,
  RETURNS,
  startClaimMarket,
  uuidOfDelivery,
} from './claim-market.ts';

const EXTRA = `
  - { key: hooked, name: Hooked, timeZone: America/Los_Angeles, channels: [email, webhook],
      settings: { webhookUrl: "https://crm.hooked.example/leads", notificationEmail: leads@hooked.example } }
`;
const CALLBACK = `status: approved, callback: { url: "https://acme.example/hooks", events: [lead.returned] },`;

let home: ClaimMarket;

beforeAll(async () => {
  home = await startClaimMarket(
    claimYaml.replace('status: approved,', CALLBACK) + EXTRA.trimStart().replace(/^/, '  '),
  );
});
afterAll(() => home.close());

async function filed(partner: string, kind: 'return' | 'dispute' = 'return', seed = {}): Promise<Json> {
  const [deliveryId = ''] = await home.plant(partner, [seed]);
  const more = kind === 'dispute' ? { detail: 'So.' } : {};
  return (await home.file(partner, kind, { deliveryId, reason: 'bot', ...more })).json;
}

const rows = (sql: string, values: readonly unknown[] = []) => select(home.market.database, sql, values);

async function shown(partner: string, deliveryId: string): Promise<Json> {
  const { json } = await home.ask(partner, `${LEADS}?pageSize=100`);
  return json.data.find((delivery: Json) => delivery.deliveryId === deliveryId);
}

describe('An approval', () => {
  it('returns the delivery and posts one credit of what was charged', async () => {
    const claim = await filed('summit', 'return', { payoutCents: 4550 });
    await home.review(claim.returnId, 'take');
    const { json: taken } = await home.ask('summit', `${RETURNS}/${claim.returnId}`);
    expect(taken).toEqual({ ...claim, status: 'under_review' });
    home.clock.advance(3_600_000);
    await home.review(claim.returnId, 'approve', 'No such line.');
    const { json } = await home.ask('summit', `${RETURNS}/${claim.returnId}`);
    const [transfer] = await rows('SELECT * FROM transfer WHERE return_id = $1', [claimUuid(claim.returnId)]);
    expect(transfer).toMatchObject({
      business_key: `return:${claim.returnId}`,
      type: 'credit',
      from_account: 'revenue:summit',
      to_account: 'buyer:summit',
      amount_cents: 4550,
      description: `Return of Lead Sale ${claim.deliveryRef}`,
      delivery_id: uuidOfDelivery(claim.deliveryId),
      dispute_id: null,
    });
    expect(json).toEqual({
      ...claim,
      status: 'approved',
      decidedAt: '2026-11-20T19:00:00.000Z',
      decisionNote: 'No such line.',
      credit: { amount: 45.5, entryId: expect.stringMatching(/^txn_/) },
    });
    expect(await shown('summit', claim.deliveryId)).toMatchObject({
      status: 'Returned',
      returned: true,
      claim: { kind: 'return', id: claim.returnId, status: 'approved' },
      returnable: { reason: 'delivery_not_confirmed' },
    });
    expect((await home.ask('summit', `${LEADS}?status=returned`)).json.total).toBe(1);
    expect((await checkLedger(home.market.database)).ok).toBe(true);
    home.clock.set(NOW);
  });

  it('of a dispute is credited under the dispute', async () => {
    const claim = await filed('harbor', 'dispute');
    await home.review(claim.disputeId, 'approve');
    const [transfer] = await rows('SELECT * FROM transfer WHERE dispute_id = $1', [claimUuid(claim.disputeId)]);
    expect(transfer).toMatchObject({ business_key: `dispute:${claim.disputeId}`, return_id: null });
    const { json } = await home.ask('harbor', `${DISPUTES}/${claim.disputeId}`);
    expect([json.credit.amount, json.decisionNote]).toEqual([45, 'The dispute was reviewed and approved.']);
  });

  it('of a delivery without a price moves nothing', async () => {
    const claim = await filed('harbor', 'return', { payoutCents: 0 });
    await home.review(claim.returnId, 'approve');
    expect(await rows('SELECT 1 FROM transfer WHERE return_id = $1', [claimUuid(claim.returnId)])).toEqual([]);
    const { json } = await home.ask('harbor', `${RETURNS}/${claim.returnId}`);
    expect([json.status, json.credit]).toEqual(['approved', null]);
    expect((await shown('harbor', claim.deliveryId)).status).toBe('Returned');
  });

  it('changes the counts, but frees neither the slot nor the contact', async () => {
    const claim = await filed('harbor');
    const before = await rows(`SELECT * FROM cap_counter ORDER BY 1, 2, 3`);
    const people = await rows(`SELECT * FROM person_sale ORDER BY 1, 2`);
    await home.review(claim.returnId, 'approve');
    expect(await rows(`SELECT * FROM cap_counter ORDER BY 1, 2, 3`)).toEqual(before);
    expect(await rows(`SELECT * FROM person_sale ORDER BY 1, 2`)).toEqual(people);
    const [delivery] = await rows('SELECT is_exclusive, returned_at FROM delivery WHERE delivery_id = $1', [
      uuidOfDelivery(claim.deliveryId),
    ]);
    expect(delivery).toEqual({ is_exclusive: true, returned_at: new Date(NOW) });
    expect(await claimFaults(home.market.database)).toEqual([]);
  });
});

describe('A denial', () => {
  it('changes only the claim, and frees its slot under the monthly cap', async () => {
    const claim = await filed('tight');
    await home.review(claim.returnId, 'deny');
    const { json } = await home.ask('tight', `${RETURNS}/${claim.returnId}`);
    expect(json).toEqual({
      ...claim,
      status: 'denied',
      decidedAt: NOW,
      decisionNote: 'The return was reviewed and denied.',
    });
    expect(await rows('SELECT 1 FROM transfer WHERE return_id = $1', [claimUuid(claim.returnId)])).toEqual([]);
    expect((await shown('tight', claim.deliveryId)).status).toBe('Confirmed');
    expect(await claimFaults(home.market.database)).toEqual([]);
  });
});

describe('A decision is sent', () => {
  it.each([
    ['approve', 'approved'],
    ['deny', 'denied'],
  ] as const)('to a partner with a webhook if it is to %s', async (step, status) => {
    const claim = await filed('hooked');
    await home.review(claim.returnId, 'take');
    await home.review(claim.returnId, step, 'Looked at.');
    const messages = await rows(`SELECT * FROM message_job WHERE message_id = $1`, [claimUuid(claim.returnId)]);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({
      owner_kind: 'buyer',
      owner_key: 'hooked',
      channel: 'webhook',
      type: 'return.reviewed',
      delivery_id: uuidOfDelivery(claim.deliveryId),
      occurred_at: new Date(NOW),
    });
    const { json } = await home.ask('hooked', `${RETURNS}/${claim.returnId}`);
    expect(JSON.parse(messages[0]?.['data'])).toEqual(json);
    expect(json.status).toBe(status);
    // The feed has it under the same id, once.
    const events = await rows(`SELECT type, at FROM buyer_event WHERE buyer_key = 'hooked' AND subject_id = $1`, [
      claimUuid(claim.returnId),
    ]);
    expect(events).toEqual([{ type: 'return.reviewed', at: new Date(NOW) }]);
    const uuid = claimUuid(claim.returnId);
    const found = await readClaimViews(home.market.database, 'hooked', [uuid]);
    expect(found).toEqual(new Map([[uuid, json]]));
    expect((await readClaimViews(home.market.database, 'summit', [uuid])).size).toBe(0);
  });

  it('to the event feed alone for a partner without a webhook', async () => {
    const claim = await filed('summit', 'dispute');
    await home.review(claim.disputeId, 'deny');
    expect(await rows(`SELECT 1 FROM message_job WHERE owner_key = 'summit'`)).toEqual([]);
    const events = await rows(`SELECT type FROM buyer_event WHERE subject_id = $1`, [claimUuid(claim.disputeId)]);
    expect(events).toEqual([{ type: 'dispute.reviewed' }]);
  });

  it('to the supplier that requested callbacks, for a return, without partner and price', async () => {
    await rows('DELETE FROM message_job');
    const [approved, denied] = [await filed('summit'), await filed('summit')];
    await home.review(approved.returnId, 'approve');
    await home.review(denied.returnId, 'deny');
    const messages = await rows(`SELECT * FROM message_job WHERE owner_kind = 'supplier'`);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ owner_key: 'acme-media', type: 'lead.returned', delivery_id: null });
    expect(JSON.parse(messages[0]?.['data'])).toEqual({
      lead_id: expect.stringMatching(/^lead_/),
      external_id: null,
      status: 'Lead Sale',
      reason: 'bot',
      occurredAt: NOW,
    });
  });

  it('to the audit trail of the partner, without the note, which could contain personal data', async () => {
    const claim = await filed('harbor');
    await home.review(claim.returnId, 'take');
    await home.review(claim.returnId, 'approve', 'Jordan Rivera was called.');
    const trail = await rows(
      `SELECT actor_type, actor_name, action, changes, ip FROM audit_event WHERE buyer_key = 'harbor' AND target = $1 ORDER BY audit_id`,
      [claim.returnId],
    );
    expect(trail).toEqual([
      {
        actor_type: 'buyer',
        actor_name: expect.stringMatching(/^tok_/),
        action: 'return.filed',
        changes: { status: { from: null, to: 'submitted' }, reason: { from: null, to: 'bot' } },
        ip: '127.0.0.1',
      },
      {
        actor_type: 'operator',
        actor_name: 'command line',
        action: 'return.under_review',
        changes: { status: { from: 'submitted', to: 'under_review' } },
        ip: null,
      },
      {
        actor_type: 'operator',
        actor_name: 'command line',
        action: 'return.approved',
        changes: {
          status: { from: 'under_review', to: 'approved' },
          credit: { from: null, to: 45 },
        },
        ip: null,
      },
    ]);
  });
});

describe('A review is rejected', () => {
  const review = async (claimId: string, step: 'take' | 'approve' | 'deny') =>
    home.market.database.tx((tx) =>
      reviewClaim(tx, { claimId: claimId as ClaimId, step, note: null, actor: commandLineActor }, home.clock.now()),
    );

  it('of an unknown claim', async () => {
    expect(await review(newUuid(), 'approve')).toMatchObject({ ok: false, code: 'claim_not_found' });
  });

  it.each([
    ['approve', 'approve', 'approved'],
    ['approve', 'deny', 'approved'],
    ['approve', 'take', 'approved'],
    ['deny', 'approve', 'denied'],
    ['deny', 'deny', 'denied'],
  ] as const)('after one to %s, if it is to %s', async (first, second, status) => {
    const claim = await filed('summit');
    await home.review(claim.returnId, first);
    const before = await rows('SELECT count(*)::int AS n FROM transfer');
    const refusal = {
      ok: false,
      code: 'claim_closed',
      detail: `The return is ${status} already, by ${commandLineActor.name}.`,
    };
    expect(await review(claimUuid(claim.returnId), second)).toEqual(refusal);
    expect(await rows('SELECT count(*)::int AS n FROM transfer')).toEqual(before);
  });

  it('of a withdrawn claim, and of one that is already taken', async () => {
    const claim = await filed('summit');
    await home.review(claim.returnId, 'take');
    expect(await review(claimUuid(claim.returnId), 'take')).toMatchObject({ code: 'claim_not_submitted' });
    const other = await filed('summit');
    await home.ask('summit', `${RETURNS}/${other.returnId}`, { method: 'DELETE' });
    expect(await review(claimUuid(other.returnId), 'approve')).toMatchObject({ code: 'claim_closed' });
  });
});

describe('The database constraints reject', () => {
  it.each([
    [
      'a returned delivery that was never confirmed',
      `UPDATE delivery SET status = 'Returned', returned_at = delivered_at WHERE delivery_id = $1`,
      'Pending',
    ],
    [
      'a returned delivery that failed',
      `UPDATE delivery SET status = 'Returned', returned_at = delivered_at, failed_at = NULL WHERE delivery_id = $1`,
      'Failed',
    ],
  ] as const)('%s', async (_, sql, status) => {
    const [deliveryId = ''] = await home.plant('summit', [{ status }]);
    await expect(rows(sql, [uuidOfDelivery(deliveryId)])).rejects.toThrow('delivery_check');
  });

  it.each([
    [
      'a second open claim',
      `UPDATE claim SET status = 'submitted', decided_at = NULL, decision_note = NULL, decided_by = NULL WHERE claim_id = $1`,
      'claim_open',
    ],
    ['a decision without a note', `UPDATE claim SET decision_note = NULL WHERE claim_id = $1`, 'claim_decision_whole'],
    [
      'a credit on a denied claim',
      `UPDATE claim SET credit_cents = 1, credit_transfer_id = (SELECT transfer_id FROM transfer WHERE return_id IS NOT NULL LIMIT 1) WHERE claim_id = $1`,
      'claim_',
    ],
    ['a reason of the other kind', `UPDATE claim SET reason = 'no_show' WHERE claim_id = $1`, 'claim_reason_fits'],
    ['a status that there is not', `UPDATE claim SET status = 'lost' WHERE claim_id = $1`, 'claim_'],
  ])('%s', async (_, sql, constraint) => {
    const { returnId, deliveryId } = await filed('summit');
    await home.review(returnId, 'deny');
    await home.file('summit', 'dispute', { deliveryId, reason: 'bot', detail: 'So.' });
    await expect(rows(sql, [claimUuid(returnId)])).rejects.toThrow(constraint);
  });
});
