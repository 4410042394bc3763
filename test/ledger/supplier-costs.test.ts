// What leads cost: posted with the charge, taken back with the credit, hidden from partners (contract 11.1, 11.2, 11.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { type LeadId, typeId } from '../../src/base/ids.ts';
import { reviewClaim } from '../../src/claims/review-claim.ts';
import { statement } from '../../src/platform/database/database.ts';
import { behindWall, forTenant } from '../../src/platform/database/tenant.ts';
import { claimUuid } from '../claims/claim-market.ts';
import { getAsBuyer, postAsBuyer, postLead } from '../support/api-client.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { handClock, type HandClock } from '../support/hand-clock.ts';
import { leadBody } from '../support/leads.ts';
import { traceOf } from '../support/trace.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const DAY_MS = 86_400_000;
const POLICY =
  'returnPolicy: { windowBusinessDays: 60, disputeWindowDays: 300, monthlyCaps: { leads: 1000, bookings: 1000 } }';

const marketYaml = (origin: string, { share = 60, scales = 'full' } = {}): string => `
marketplace: { dedupDays: 1 }
suppliers:
  - key: acme
    status: approved
    pay:
      model: share
      percent: ${share}
      rules: [{ when: { states: [TX], minScore: 1 }, percent: 33.33 }, { when: { sources: [free] }, percent: 0 }]
      clawback: { onReturn: ${scales}, days: 30 }
  - { key: flat, status: approved, pay: { model: fixed, amount: 12.34, clawback: { days: 30 } } }
  - { key: gratis, status: approved }
partners:
  # The key of a supplier, too: their accounts are different ones.
  - key: acme
    channels: []
    ${POLICY}
    offers: [{ key: at-once, eventType: Lead Sale, payout: 45.01, sale: { sharedWith: 3 } }]
  - key: bay
    channels: [webhook]
    settings: { webhookUrl: '${origin}/bay' }
    ${POLICY}
    offers: [{ key: sent, eventType: Lead Sale, payout: 30.00, sale: { sharedWith: 3 } }]
  - key: cove
    channels: [webhook]
    settings: { webhookUrl: '${origin}/cove' }
    ${POLICY}
    offers: [{ key: too, eventType: Lead Sale, payout: 20.00, sale: { sharedWith: 3 } }]
`;

let receiver: Receiver;
let clock: HandClock;
let market: TestMarketplace;
let serial = 0;

beforeAll(async () => {
  receiver = await startReceiver();
  clock = handClock('2026-11-21T12:00:00Z');
  market = await startTestMarketplace({ yaml: marketYaml(receiver.origin), allowTargets: [receiver.origin], clock });
});
afterAll(async () => {
  await market.close();
  await receiver.close();
});

type Sale = { readonly partner: string; readonly deliveryId: string };

/** Posts a lead, and waits until all three of its sales are confirmed. */
async function sell(supplier: string, more: object = {}): Promise<Sale[]> {
  serial += 1;
  const { json } = await postLead(market.url, await market.supplierKey(supplier), leadBody(serial, { ...more }));
  return eventually(`lead ${serial} is sold three times`, async () => {
    const rows = await select<{ buyer_key: string; delivery_id: string }>(
      market.database,
      `SELECT d.buyer_key, d.delivery_id FROM delivery d JOIN lead l USING (lead_id)
       WHERE l.external_id = $1 AND d.status = 'Confirmed' ORDER BY d.buyer_key`,
      [`lead-${serial}`],
    );
    expect(json.accepted).toBe(true);
    return rows.length === 3
      ? rows.map((row) => ({ partner: row.buyer_key, deliveryId: typeId('delivery', row.delivery_id as never) }))
      : null;
  });
}

/** `type from → to cents` of everything that was posted on a supplier's accounts since the last look. */
let seen = 0;
async function posted(): Promise<string[]> {
  const rows = await select<{ line: string }>(
    market.database,
    `SELECT concat_ws(' ', type, from_account, '→', to_account, amount_cents) AS line FROM transfer
     WHERE type IN ('cost', 'clawback') ORDER BY created_at, transfer_id OFFSET $1`,
    [seen],
  );
  seen += rows.length;
  return rows.map(({ line }) => line).toSorted();
}

async function fileClaim({ partner, deliveryId }: Sale, kind: 'return' | 'dispute' = 'return'): Promise<string> {
  const body = { deliveryId, reason: 'bot', ...(kind === 'dispute' ? { detail: 'So.' } : {}) };
  const { json } = await postAsBuyer(market.url, await market.buyerToken(partner), `/api/v1/buyer/${kind}s`, { body });
  return String(json[`${kind}Id`]);
}

async function approve(claimId: string): Promise<void> {
  const input = { claimId: claimUuid(claimId), step: 'approve', note: null, actor: commandLineActor } as const;
  const outcome = await market.database.tx((tx) => reviewClaim(tx, input, clock.now()));
  expect(outcome.ok).toBe(true);
}

/** Waits for the messages about decided claims before: one that is under way is a fault. */
async function ledgerAgrees(): Promise<void> {
  await eventually('no message is under way', async () => {
    const leased = 'SELECT FROM message_job WHERE lease_id IS NOT NULL';
    const waiting = await select(market.database, `${leased} OR due_at <= $1`, [clock.now()]);
    const sent = await select(market.database, `SELECT FROM attempt WHERE state = 'scheduled'`);
    return waiting.length + sent.length === 0;
  });
  expect(await ledgerFaults(market.database)).toEqual([]);
}

async function balanceOf(account: string): Promise<number> {
  const [row] = await select<{ cents: number }>(
    market.database,
    'SELECT balance_cents AS cents FROM account WHERE account_key = $1',
    [account],
  );
  return Number(row?.cents);
}

describe('A share of the price', () => {
  it('is posted for each confirmed sale, half a cent up, by the first rule that matches', async () => {
    await sell('acme');
    expect(await posted()).toEqual([
      'cost cost:acme → supplier:acme 1200',
      'cost cost:acme → supplier:acme 1800',
      'cost cost:acme → supplier:acme 2701',
    ]);
    await sell('acme', { state: 'TX', source: 'free' });
    expect((await posted()).map((line) => Number(line.split(' ').at(-1)))).toEqual([1000, 1500, 667]);
    await sell('acme', { source: 'free' });
    await sell('gratis');
    expect(await posted()).toEqual([]);
  });

  it('is taken back when a return or dispute is approved in time, and the ledger agrees', async () => {
    const before = await balanceOf('supplier:acme');
    const [first, second, third] = await sell('acme');
    if (first === undefined || second === undefined || third === undefined) throw new Error('not sold');
    await posted();
    await approve(await fileClaim(first));
    await approve(await fileClaim(second, 'dispute'));
    const [lead] = await select<{ id: string }>(
      market.database,
      'SELECT lead_id AS id FROM lead WHERE external_id = $1',
      [`lead-${serial}`],
    );
    const { costs, margin } = await traceOf(market.database, typeId('lead', lead?.id as LeadId));
    expect(costs.map(({ supplier, type, amount }) => `${supplier} ${type} ${amount}`).toSorted()).toEqual([
      'acme clawback -18',
      'acme clawback -27.01',
      'acme cost 12',
      'acme cost 18',
      'acme cost 27.01',
    ]);
    // One sale of 20.00 is kept, of which the supplier gets 12.00.
    expect(margin).toBe(8);
    expect(await posted()).toEqual([
      'clawback supplier:acme → cost:acme 1800',
      'clawback supplier:acme → cost:acme 2701',
    ]);
    const late = await fileClaim(third, 'dispute');
    clock.advance(30 * DAY_MS + 1);
    await approve(late);
    expect(await posted()).toEqual([]);
    expect(await balanceOf('supplier:acme')).toBe(before + 1200);
    await ledgerAgrees();
  });

  it('stays what it was at routing when the terms change', async () => {
    const [old] = await sell('acme');
    await market.apply(marketYaml(receiver.origin, { share: 10, scales: 'none' }));
    const [young] = await sell('acme');
    if (old === undefined || young === undefined) throw new Error('not sold');
    expect((await posted()).map((line) => Number(line.split(' ').at(-1)))).toEqual([1200, 1800, 200, 2701, 300, 450]);
    await approve(await fileClaim(old));
    await approve(await fileClaim(young));
    expect(await posted()).toEqual(['clawback supplier:acme → cost:acme 2701']);
  });
});

describe('A fixed amount', () => {
  it('is posted once per lead, and taken back when no sale of the lead is kept', async () => {
    const [first, second, third] = await sell('flat');
    if (first === undefined || second === undefined || third === undefined) throw new Error('not sold');
    expect(await posted()).toEqual(['cost cost:flat → supplier:flat 1234']);
    await approve(await fileClaim(first));
    expect(await posted()).toEqual([]);
    // Both find the other one returned, or wait for it.
    const claims = [await fileClaim(second), await fileClaim(third, 'dispute')];
    await Promise.all(claims.map(approve));
    expect(await posted()).toEqual(['clawback supplier:flat → cost:flat 1234']);
    expect(await balanceOf('supplier:flat')).toBe(0);
    await ledgerAgrees();
  });
});

describe('A partner', () => {
  it('cannot read costs or suppliers’ accounts behind the wall, even with the key of a supplier', async () => {
    const walled = behindWall(market.database, { stands: true });
    let reads = 0;
    const read = (sql: string) =>
      forTenant('acme', () =>
        walled.tx((tx) => tx.query(statement<void, { rows: number }>(`test.read_${(reads += 1)}`, sql))),
      );
    await expect(read('SELECT count(*) AS rows FROM delivery_cost')).rejects.toThrow('permission denied');
    expect(await read(`SELECT count(*) AS rows FROM account WHERE supplier_key IS NOT NULL`)).toEqual([{ rows: 0 }]);
    const hidden = `SELECT count(*) AS rows FROM transfer WHERE type IN ('cost', 'clawback')`;
    expect(await read(hidden)).toEqual([{ rows: 0 }]);
    expect(await read(`SELECT count(*) AS rows FROM entry WHERE account_key LIKE 'supplier:%'`)).toEqual([{ rows: 0 }]);
  });

  it('sees nothing of costs in its leads and its ledger', async () => {
    const token = await market.buyerToken('acme');
    for (const path of ['/leads', '/billing', '/stats', '/export?format=json']) {
      const { status, text } = await getAsBuyer(market.url, token, `/api/v1/buyer${path}`);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toMatch(/cost|margin|clawback|supplier/i);
    }
  });
});
