// The review of claims at the console: queue, evidence, and the steps take, approve and deny (contract 6.10, 7.7).
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { typeId } from '../../src/base/ids.ts';
import { readBuyers } from '../../src/buyers/read-buyers.ts';
import { sumQueue } from '../../src/claims/review-queue.ts';
import { issueInvoice } from '../../src/invoices/issue-invoice.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { type ClaimMarket, claimUuid, claimYaml, NOW, RETURNS, startClaimMarket } from '../claims/claim-market.ts';
import { select } from '../support/ledger-faults.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';

const EXTRA = `
  - { key: hooked, name: Hooked Ltd, timeZone: America/New_York, channels: [webhook],
      settings: { webhookUrl: "https://crm.hooked.example/leads" }, returnPolicy: { monthlyCaps: { leads: 5, bookings: 5 } } }
`;
const CALLBACK = `status: approved, callback: { url: "https://acme.example/hooks", events: [lead.returned] },`;
const CLAIMS = '/console/api/claims';

let home: ClaimMarket;
// A new session each time: the tests advance the clock by weeks, and sessions end after twelve hours.
const ada = (): Promise<SignedIn> => home.market.signedIn.operator('ada');
const operator: Pick<SignedIn, 'get' | 'send'> = {
  get: async (...request) => (await ada()).get(...request),
  send: async (...request) => (await ada()).send(...request),
};

beforeAll(async () => {
  home = await startClaimMarket(claimYaml.replace('status: approved,', CALLBACK) + EXTRA.slice(1));
});
afterAll(() => home.close());

type Filed = { readonly id: string; readonly deliveryId: string; readonly deliveryRef: string };

async function filed(partner: string, options: { kind?: 'return' | 'dispute'; reason?: string; seed?: object } = {}) {
  const { kind = 'return', reason = 'bot', seed = {} } = options;
  const [deliveryId = ''] = await home.plant(partner, [seed]);
  const more = kind === 'dispute' ? { detail: 'The line was never assigned.' } : { proof: 'Three calls.' };
  const { json } = await home.file(partner, kind, { deliveryId, reason, ...more });
  return { id: (json.returnId ?? json.disputeId) as string, deliveryId, deliveryRef: json.deliveryRef as string };
}

const post = (claim: Filed, step: string, body: object = {}, query = '') =>
  operator.send('POST', `${CLAIMS}/${claim.id}/${step}${query}`, body);

async function queue(query = ''): Promise<string[]> {
  const { json } = await operator.get(`${CLAIMS}${query}`);
  return (json.data as Json[]).map(({ id }) => id as string);
}

describe('the review queue of claims', () => {
  it('lists open claims by due time, without decided ones', async () => {
    const older = await filed('harbor');
    home.clock.advance(3 * 86_400_000);
    const younger = await filed('harbor', { kind: 'dispute' });
    const { json } = await operator.get(`${CLAIMS}?partner=harbor`);
    expect(json).toMatchObject({ page: 1, total: 2, totalPages: 1, hasMore: false, currency: 'USD' });
    expect(json.data.map(({ id }: Json) => id)).toEqual([older.id, younger.id]);
    expect(json.data[0]).toEqual({
      id: older.id,
      kind: 'return',
      status: 'submitted',
      partner: 'harbor',
      partnerName: 'harbor',
      deliveryRef: older.deliveryRef,
      reason: 'bot',
      reasonMeaning: 'Bot, non-human or inflated submission',
      payout: 45,
      filedAt: NOW,
      decisionDueAt: '2026-12-01T07:59:59.000Z',
      isLate: false,
      decidedAt: null,
      decidedBy: null,
      credit: null,
      vertical: null,
    });
    expect(await queue('?partner=harbor&kind=dispute')).toEqual([younger.id]);
    expect(await queue('?partner=harbor&status=under_review')).toEqual([]);
    await post(older, 'deny', { note: 'A person answered.' });
    expect(await queue('?partner=harbor')).toEqual([younger.id]);
    expect(await queue('?partner=harbor&status=denied')).toEqual([older.id]);
    expect(await queue('?partner=harbor&status=all')).toEqual([younger.id, older.id]);
    home.clock.advance(30 * 86_400_000);
    expect((await operator.get(`${CLAIMS}?partner=harbor`)).json.data[0].isLate).toBe(true);
    home.clock.set(NOW);
    await post(younger, 'approve');
  });

  it('is paged, with an empty page past the end', async () => {
    await Promise.all(Array.from({ length: 27 }, () => filed('summit')));
    const [first, second, third] = [await queue('?partner=summit'), await queue('?partner=summit&page=2'), 3];
    expect([first.length, second.length]).toEqual([25, 2]);
    expect(new Set([...first, ...second]).size).toBe(27);
    expect(await queue(`?partner=summit&page=${third}`)).toEqual([]);
    expect((await operator.get(`${CLAIMS}?page=401`)).json.code).toBe('invalid_query');
    expect((await operator.get(`${CLAIMS}?status=lost`)).json.code).toBe('invalid_query');
  });

  it('has every claim once in every order, on its pages and in its file, whatever the status', async () => {
    for (const hours of [1, 2, 120]) {
      home.clock.set(new Date(Date.parse(NOW) + hours * 3_600_000).toISOString());
      await post(await filed('summit'), 'start-review');
      await filed('harbor');
    }
    home.clock.set(NOW);
    const all = async (query: string): Promise<Json[]> => {
      const rows: Json[] = [];
      for (let page = 1; ; page += 1) {
        const { data } = (await operator.get(`${CLAIMS}?${query}&page=${page}`)).json;
        if (data.length === 0) return rows;
        rows.push(...(data as Json[]));
      }
    };
    const idsOf = (rows: readonly Json[]): string[] => rows.map(({ id }) => id as string);
    for (const wanted of ['status=open', 'status=under_review', 'status=all', 'status=open&partner=summit']) {
      const ids = idsOf(await all(wanted));
      for (const [by, member] of [
        ['filed', 'filedAt'],
        ['due', 'decisionDueAt'],
      ] as const) {
        const up = await all(`${wanted}&sort=${by}`);
        const down = await all(`${wanted}&sort=-${by}`);
        expect(idsOf(up).toSorted()).toEqual(ids.toSorted());
        const query = encodeURIComponent(`${wanted}&sort=-${by}`);
        const file = await operator.get(`/console/api/exports/claims?query=${query}`);
        const lines: ReadonlyArray<Record<string, string>> = parse(file.text, { columns: true });
        expect(lines.map((line) => line['claim_id'])).toEqual(idsOf(down));
        // Only open claims have an order by due time.
        if (by === 'due' && wanted === 'status=all') {
          expect([idsOf(up), idsOf(down)]).toEqual([ids, ids]);
          continue;
        }
        expect(idsOf(down)).toEqual(idsOf(up).toReversed());
        const times = up.map((row) => row[member] as string);
        expect(times).toEqual(times.toSorted());
        expect(new Set(times).size).toBeGreaterThan(1);
      }
    }
    expect((await operator.get(`${CLAIMS}?sort=price`)).json.code).toBe('invalid_query');
  });

  it.each([
    '',
    'partner=harbor',
    'partner=harbor&status=all',
    'partner=harbor&status=all&kind=dispute',
    'partner=summit',
    'partner=summit&kind=dispute',
    'status=denied',
    'status=approved&kind=dispute',
    'status=all&vertical=solar',
  ])('has sums that agree with its file under "%s"', async (query) => {
    const file = await operator.get(
      `/console/api/exports/claims${query === '' ? '' : `?query=${encodeURIComponent(query)}`}`,
    );
    const lines: ReadonlyArray<Record<string, string>> = parse(file.text, { columns: true });
    const amount = lines.reduce((sum, line) => sum + Number(line['charged']), 0);
    const sums = { rows: lines.length, isAll: true, counts: {}, amounts: { charged: amount }, currency: 'USD' };
    expect((await operator.get(`${CLAIMS}/sums?${query}`)).json).toEqual(sums);
  });

  it('adds up no more claims than the bound of its sums', async () => {
    const filter = { status: 'open', kind: null, buyerKey: 'summit', verticalKey: null } as const;
    expect(await home.market.database.tx((tx) => sumQueue(tx, filter, 4))).toEqual({ rows: 4, cents: 4 * 4500 });
  });

  it('refuses partners and suppliers', async () => {
    const buyer = await home.market.signedIn.buyer('summit');
    expect((await buyer.get(CLAIMS)).status).toBe(401);
    const { status } = await fetch(`${home.market.url}${CLAIMS}`);
    expect(status).toBe(401);
  });
});

describe('the review of one claim', () => {
  it('shows lead, delivery, cap, history and the effect of a decision', async () => {
    const claim = await filed('hooked', { seed: { payoutCents: 4550 } });
    const { json } = await operator.get(`${CLAIMS}/${claim.id}`);
    expect(json).toMatchObject({
      id: claim.id,
      partnerName: 'Hooked Ltd',
      timeZone: 'America/New_York',
      statement: 'Three calls.',
      evidenceUrl: null,
      proofRequired: false,
      decision: null,
      delivery: {
        deliveryId: claim.deliveryId,
        offer: 'west',
        offerName: 'west',
        status: 'Confirmed',
        payout: 45.5,
        others: 0,
      },
      lead: {
        supplier: 'acme-media',
        supplierName: 'Acme Media',
        score: 70,
        scoreNotes: [],
        erasedAt: null,
        fields: { fullName: 'Jordan Rivera', phone: '+15555550123', debtAmount: 24_500, extra: {} },
      },
      evidence: null,
      otherClaims: [],
      cap: { month: '2026-11', limit: 5, used: 1, remaining: 4 },
      history: { days: 90, deliveries: 1, approved: 0, denied: 0, open: 0, credited: 0 },
      effect: { credit: 45.5, partnerMessage: 'webhook', supplierMessage: true },
    });
    expect(json.effect.balanceAfter - json.effect.balance).toBe(45.5);
    expect(json.effect.appealUntil).toBe(new Date('2026-12-20T04:59:59.000Z').toISOString());
    expect(json.filedUntil).toMatch(/^2026-11-2/);
  });

  it('shows the confirmation time, from which the windows count', async () => {
    const [at, confirmedAt] = [new Date('2026-11-16T18:00:00.000Z'), new Date('2026-11-18T18:00:00.000Z')];
    const { id } = await filed('hooked', { seed: { at, confirmedAt } });
    const { json } = await operator.get(`${CLAIMS}/${id}`);
    expect(json.delivery).toMatchObject({ deliveredAt: at.toISOString(), confirmedAt: confirmedAt.toISOString() });
    expect(json.filedUntil).toBe('2026-11-26T04:59:59.000Z');
    expect(json.effect.appealUntil).toBe('2026-12-19T04:59:59.000Z');
  });

  it('names the other delivery of a duplicate and the matching contact data', async () => {
    const [first = ''] = await home.plant('share', [{ at: new Date('2026-11-10T10:00:00.000Z') }]);
    const claim = await filed('share', { reason: 'duplicate' });
    const { json: before } = await operator.get(`${CLAIMS}/${claim.id}`);
    expect(before.evidence).toEqual({ about: 'duplicate', dedupDays: 30, deliveries: [] });
    // As for a person that was sold before.
    const evidence = {
      about: 'duplicate',
      dedupDays: 30,
      deliveries: [{ deliveryId: first, deliveredAt: '2026-11-10T10:00:00.000Z', status: 'Confirmed' }],
    };
    await home.market.database.pool.query('UPDATE claim SET evidence = $2 WHERE claim_id = $1', [
      claimUuid(claim.id),
      JSON.stringify(evidence),
    ]);
    const { json } = await operator.get(`${CLAIMS}/${claim.id}`);
    expect(json.evidence.deliveries).toEqual([
      {
        ...evidence.deliveries[0],
        deliveryRef: expect.stringMatching(/^LS-\d+$/),
        leadId: expect.stringMatching(/^lead_/),
        sameEmail: true,
        samePhone: true,
      },
    ]);
  });

  it('shows the condition and the value of each claimed filter', async () => {
    const claim = await filed('share', { reason: 'out_of_geo' });
    expect((await operator.get(`${CLAIMS}/${claim.id}`)).json.evidence).toEqual({
      about: 'filters',
      offer: 'west',
      known: false,
      checks: [],
    });
    const check = { filter: 'states', wanted: ['NY', 'NJ'], found: 'CA', holds: false };
    await home.market.database.pool.query('UPDATE claim SET evidence = $2 WHERE claim_id = $1', [
      claimUuid(claim.id),
      JSON.stringify({ about: 'filters', offer: 'west', known: true, checks: [check] }),
    ]);
    expect((await operator.get(`${CLAIMS}/${claim.id}`)).json.evidence.checks).toEqual([check]);
  });

  it('shows the denied return with its decision on a dispute', async () => {
    const claim = await filed('hooked');
    await post(claim, 'deny', { note: 'The number rings.' });
    const appeal = await home.file('hooked', 'dispute', {
      deliveryId: claim.deliveryId,
      reason: 'bot',
      detail: 'It rings at a bank.',
    });
    const { json } = await operator.get(`${CLAIMS}/${appeal.json.disputeId}`);
    expect(json).toMatchObject({
      kind: 'dispute',
      cap: null,
      statement: 'It rings at a bank.',
      otherClaims: [{ id: claim.id, status: 'denied', decision: { by: 'ada', note: 'The number rings.' } }],
      effect: { appealUntil: null },
    });
  });

  it('has the times and authors of all steps, with the credit and its invoice', async () => {
    const claim = await filed('harbor', { kind: 'dispute' });
    home.clock.advance(60_000);
    const harbor = await home.market.signedIn.buyer('harbor');
    const files = `/portal/api/buyer/claims/${claim.id}/files?name=call.txt`;
    const bytes = { 'content-type': 'application/octet-stream' };
    expect((await harbor.send('POST', files, Buffer.from('No answer'), bytes)).status).toBe(200);
    home.clock.advance(60_000);
    await post(claim, 'start-review');
    home.clock.advance(60_000);
    await post(claim, 'approve');
    home.clock.set(NOW);
    const at = (minutes: number): string => new Date(Date.parse(NOW) + minutes * 60_000).toISOString();
    const steps = (): Promise<Json> => operator.get(`${CLAIMS}/${claim.id}`).then(({ json }) => json.timeline);
    const partner = { party: 'partner', name: null, tokenLabel: null };
    const reviewer = { party: 'marketplace', name: 'ada', tokenLabel: null };
    const credit = { amount: 45, entryId: expect.stringMatching(/^txn_/), invoiceId: null };
    expect(await steps()).toEqual([
      { step: 'filed', at: NOW, by: partner, credit: null },
      { step: 'file_added', at: at(1), by: partner, credit: null },
      { step: 'under_review', at: at(2), by: reviewer, credit: null },
      { step: 'approved', at: at(3), by: reviewer, credit: null },
      { step: 'credited', at: at(3), by: null, credit },
    ]);
    home.clock.set('2026-12-02T18:00:00.000Z');
    const issued = await home.market.database.tx(async (tx) => {
      const buyer = (await readBuyers(tx)).get('harbor');
      if (buyer === undefined) throw new Error('the partner is missing');
      return issueInvoice(tx, { buyer, month: '2026-11', actor: commandLineActor }, home.clock.now());
    });
    home.clock.set(NOW);
    const invoice = issued.ok ? issued.value.invoice : null;
    if (invoice === null) throw new Error('there is no invoice with the credit');
    expect((await steps()).at(-1).credit.invoiceId).toBe(typeId('invoice', invoice.invoiceId));
  });

  it('responds 404 to any unknown id', async () => {
    const claim = await filed('harbor');
    const asDispute = claim.id.replace('ret_', 'dsp_');
    const paths = [`${CLAIMS}/ret_01m7x31pqskym9jx5ycnqd0f3h`, `${CLAIMS}/nothing`, `${CLAIMS}/${asDispute}`];
    const responses = await Promise.all(paths.map((path) => operator.get(path)));
    expect(responses.map(({ status, json }) => [status, json.code])).toEqual(paths.map(() => [404, 'not_found']));
  });
});

describe('the decision on a claim', () => {
  it('takes and approves a claim with a credit and notices, under the operator’s name', async () => {
    const claim = await filed('hooked');
    expect((await post(claim, 'start-review')).json).toMatchObject({ status: 'under_review', partnerMessage: null });
    expect((await post(claim, 'start-review')).json).toMatchObject({ status: 409, code: 'claim_not_submitted' });
    const { json } = await post(claim, 'approve', { note: '  No such line. ' });
    expect(json).toMatchObject({
      id: claim.id,
      deliveryId: claim.deliveryId,
      status: 'approved',
      credit: 45,
      partnerMessage: 'webhook',
      supplierMessage: true,
    });
    const { json: after } = await operator.get(`${CLAIMS}/${claim.id}`);
    expect(after).toMatchObject({
      decision: { by: 'ada', note: 'No such line.' },
      creditEntryId: expect.stringMatching(/^txn_/),
      effect: null,
      delivery: { status: 'Returned' },
    });
    const events = await select<Json>(
      home.market.database,
      `SELECT actor_type, actor_name, action, ip, request_id FROM audit_event WHERE target = $1 ORDER BY audit_id`,
      [claim.id],
    );
    expect(events.slice(1)).toEqual(
      ['return.under_review', 'return.approved'].map((action) => ({
        actor_type: 'operator',
        actor_name: 'ada',
        action,
        ip: '127.0.0.1',
        request_id: expect.any(String),
      })),
    );
    expect((await checkLedger(home.market.database)).ok).toBe(true);
  });

  it('refuses a second decision', async () => {
    const claim = await filed('hooked');
    const other = await home.market.signedIn.operator('grace');
    const decisions = await Promise.all([
      post(claim, 'approve'),
      other.send('POST', `${CLAIMS}/${claim.id}/deny`, { note: 'No.' }),
    ]);
    expect(new Set(decisions.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(decisions.find(({ status }) => status === 409)?.json).toMatchObject({
      code: 'claim_closed',
      detail: expect.stringMatching(/^The return is (approved already, by ada|denied already, by grace)\.$/),
    });
  });

  it('credits once for repeated requests with one key', async () => {
    const claim = await filed('harbor');
    const headers = { 'idempotency-key': 'one-click' };
    const path = `${CLAIMS}/${claim.id}/approve`;
    const first = await operator.send('POST', path, {}, headers);
    const second = await operator.send('POST', path, {}, headers);
    expect([first.status, second.text, second.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
  });

  it.each([
    ['no note', {}, 'note:required'],
    ['an empty note', { note: '' }, 'note:too_short'],
    ['a blank note', { note: '   ' }, 'note:required'],
    ['a note that is too long', { note: 'x'.repeat(501) }, 'note:too_long'],
    ['a note that is none', { note: 7 }, 'note:wrong_type'],
    ['something else', { note: 'No.', refund: 5 }, 'refund:unknown_field'],
  ])('refuses a denial with %s', async (_what, body, fault) => {
    const claim = await filed('harbor');
    const { status, json } = await post(claim, 'deny', body);
    expect([status, json.code]).toEqual([422, 'validation_failed']);
    expect((json.errors as Json[]).map(({ field, code }) => `${field}:${code}`)).toEqual([fault]);
    expect((await operator.get(`${CLAIMS}/${claim.id}`)).json.status).toBe('submitted');
  });

  it('returns the next claim by due time within the filter', async () => {
    const claims: Filed[] = [];
    for (const days of [0, 1, 2]) {
      home.clock.set(NOW);
      home.clock.advance(days * 7 * 86_400_000);
      claims.push(await filed('tight', { kind: 'dispute' }));
    }
    home.clock.set(NOW);
    const [first, second, third] = claims as [Filed, Filed, Filed];
    const { json } = await operator.get(`${CLAIMS}/${second.id}?partner=tight`);
    expect(json.queue).toEqual({ open: 3, hasMore: false, next: third.id, previous: first.id });
    const after = await post(second, 'deny', { note: 'No.' }, '?partner=tight');
    expect(after.json).toMatchObject({ next: third.id, open: 2 });
    expect((await post(third, 'deny', { note: 'No.' }, '?partner=tight')).json).toMatchObject({ next: first.id });
    expect((await post(first, 'deny', { note: 'No.' }, '?partner=tight')).json).toMatchObject({ next: null, open: 0 });
  });

  it('does not store free text in the responses for repeated requests', async () => {
    const claim = await filed('harbor');
    const response = await operator.send(
      'POST',
      `${CLAIMS}/${claim.id}/deny`,
      { note: 'zyxwvu' },
      { 'idempotency-key': 'k' },
    );
    expect(response.status).toBe(200);
    expect(response.text).not.toContain('zyxwvu');
    const { json } = await home.ask('harbor', `${RETURNS}/${claim.id}`);
    expect(json.decisionNote).toBe('zyxwvu');
  });
});
