// Erasing leads that are waiting, being decided, or being sent at that very moment (decision 021).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type LeadId, uuidOf } from '../../src/base/ids.ts';
import { repeatTransient } from '../../src/platform/database/retry-transaction.ts';
import { eraseDataSubjects } from '../../src/privacy/erase-data-subjects.ts';
import { postLead } from '../support/api-client.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, type Reply, startReceiver } from '../support/receiver.ts';
import { accepted, decided, deliveryOf, type LeadNow, leadNow, privacyYaml, rowsWith } from './privacy-market.ts';

let receiver: Receiver;
let callbacks: Receiver;
let market: TestMarketplace;
let key: string;
/** How Dawn's endpoint answers, by the lead's name. */
const replies = new Map<string, (body: string) => Reply | Promise<Reply>>();

beforeAll(async () => {
  callbacks = await startReceiver();
  receiver = await startReceiver({
    respond({ path, body }) {
      const name = /Beside (\w+)/.exec(body)?.[1] ?? '';
      return path === '/dawn' ? (replies.get(name)?.(body) ?? { status: 200, body }) : { status: 200, body };
    },
  });
  market = await startTestMarketplace({
    yaml: privacyYaml(receiver.origin, {
      callback: `, callback: { url: "${callbacks.origin}/hooks", events: [lead.rejected, lead.processing_error] }`,
    }),
    allowTargets: [receiver.origin, callbacks.origin],
  });
  key = await market.supplierKey('acme-media');
});
afterAll(async () => {
  await market.close();
  await receiver.close();
  await callbacks.close();
});

let serial = 0;
function lead(name: string, state: string): Record<string, unknown> {
  serial += 1;
  const number = `+1202555${1000 + serial}`;
  return { external_id: `B-${serial}`, full_name: `Beside ${name}`, phone: number, state, debt_amount: '24500' };
}

const erase = (leadId: string) =>
  repeatTransient(() =>
    market.database.tx((tx) =>
      eraseDataSubjects(tx, { leadIds: [(uuidOf('lead', leadId) ?? '') as LeadId], audit: null }, new Date()),
    ),
  );

const rejected: Partial<LeadNow> = { state: 'rejected', publicStatus: 'No Buyer', reason: 'erased' };

describe('A lead erased while workers run', () => {
  it('is rejected and its supplier notified if it was held for opening hours', async () => {
    const leadId = await accepted(market, key, lead('held', 'NV'));
    await decided(market, leadId, 'held');
    await erase(leadId);
    expect(await leadNow(market.database, leadId)).toMatchObject(rejected);
    const seen = await eventually('the supplier is notified', () => {
      const bodies = callbacks.requests.map(({ body }) => JSON.parse(body) as { type: string; data: object });
      const about = bodies.filter(({ data }) => (data as { lead_id: string }).lead_id === leadId);
      return about.length === 2 ? about : null;
    });
    expect(seen.map(({ type }) => type).toSorted()).toEqual(['lead.processing_error', 'lead.rejected']);
    expect(seen[0]?.data).toMatchObject({ external_id: 'B-1', status: 'No Buyer', reason: 'erased' });
    expect(await ledgerFaults(market.database, { atRest: false })).toEqual([]);
  });

  it('is rejected and not sold if its delivery is refused afterwards', async () => {
    replies.set('refused', () => ({ status: 503, headers: { 'retry-after': '3600' }, body: '' }));
    const leadId = await accepted(market, key, lead('refused', 'WA'));
    await eventually('it was tried', () => receiver.requests.some(({ body }) => body.includes('Beside refused')));
    await eventually('it waits', async () => {
      const [job] = await select(market.database, `SELECT FROM send_job WHERE attempt_id IS NULL AND attempts = 1`);
      return job !== undefined;
    });
    // A 5xx may have been said after it was taken, so nobody else gets it; that is told apart below.
    await erase(leadId);
    expect(await deliveryOf(market.database, leadId)).toMatchObject({ status: 'Failed' });
    expect(await leadNow(market.database, leadId)).toMatchObject({ state: 'routed' });
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('is rejected, with cap slot and money returned, if its delivery certainly failed', async () => {
    replies.set('unwanted', () => ({ status: 429, headers: { 'retry-after': '3600' } }));
    const leadId = await accepted(market, key, lead('unwanted', 'WA'));
    await eventually('it was refused', async () => {
      const [job] = await select(
        market.database,
        `SELECT FROM send_job WHERE attempt_id IS NULL AND uncertain = 0 AND attempts = 1`,
      );
      return job !== undefined;
    });
    await erase(leadId);
    expect(await deliveryOf(market.database, leadId)).toMatchObject({ status: 'Failed' });
    expect(await leadNow(market.database, leadId)).toMatchObject(rejected);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('is not billed while it is being sent, and the endpoint’s response is not stored', async () => {
    const { promise: response, resolve: respondNow } = Promise.withResolvers<null>();
    replies.set('flying', async (body) => {
      await response;
      return { status: 200, body };
    });
    const leadId = await accepted(market, key, lead('flying', 'WA'));
    await eventually('it is on its way', () => receiver.requests.some(({ body }) => body.includes('Beside flying')));
    await erase(leadId);
    respondNow(null);
    // The next lead of the lane is written down after it, or with it.
    const next = await accepted(market, key, lead('next', 'WA'));
    await eventually('a later one is confirmed', async () => {
      const [row] = await select<{ status: string }>(
        market.database,
        `SELECT status FROM delivery WHERE lead_id = $1`,
        [uuidOf('lead', next)],
      );
      return row?.status === 'Confirmed';
    });
    const { deliveryId, status } = await deliveryOf(market.database, leadId);
    expect(status).toBe('Failed');
    expect(
      await select(market.database, 'SELECT state, response_snippet, error FROM attempt WHERE delivery_id = $1', [
        deliveryId,
      ]),
    ).toEqual([{ state: 'failed', response_snippet: null, error: 'erased' }]);
    expect(await rowsWith(market.database, ['beside flying'])).toEqual([]);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('leaves no error of a script, which may quote the lead', async () => {
    const leadId = await accepted(market, key, lead('scripted', 'WA'));
    await decided(market, leadId, 'routed');
    const { deliveryId } = await eventually('it is delivered', async () => {
      const delivery = await deliveryOf(market.database, leadId);
      return delivery.status === 'Confirmed' && delivery;
    });
    await market.database.pool.query(
      `UPDATE attempt SET channel = 'sheets_script', state = 'failed', error = 'no row for Beside scripted' WHERE delivery_id = $1`,
      [deliveryId],
    );
    await erase(leadId);
    expect(await select(market.database, 'SELECT error FROM attempt WHERE delivery_id = $1', [deliveryId])).toEqual([
      { error: 'erased' },
    ]);
  });

  it('is removed from the dead jobs if its routing had failed', async () => {
    const leadId = await accepted(market, key, lead('dead', 'NV'));
    await decided(market, leadId, 'held');
    await market.database.pool.query('DELETE FROM routing_inbox');
    await market.database.pool.query(
      `INSERT INTO dead_job VALUES (gen_random_uuid(), 'route-lead', $1, 5, 'TypeError', $2)`,
      [{ leadId: uuidOf('lead', leadId) }, new Date()],
    );
    await erase(leadId);
    expect(await select(market.database, 'SELECT FROM dead_job')).toEqual([]);
    expect(await leadNow(market.database, leadId)).toMatchObject(rejected);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });
});

describe('Many leads', () => {
  it('erased during ingest, routing and sending leave no personal data and a balanced ledger', async () => {
    const posts = Array.from({ length: 120 }, (_, index) =>
      postLead(market.url, key, lead('storm', ['CA', 'NY', 'WA', 'NV', 'TX'][index % 5] ?? 'CA')),
    );
    const erasures = posts.map(async (post) => {
      const { status, json } = await post;
      expect(status).toBe(202);
      await erase(String(json.lead_id));
    });
    await Promise.all(erasures);
    await eventually('nothing is under way', async () => (await ledgerFaults(market.database)).length === 0);
    expect(await rowsWith(market.database, ['beside storm'])).toEqual([]);
    expect(await select(market.database, `SELECT FROM lead WHERE erased_at IS NULL AND fields LIKE '%storm%'`)).toEqual(
      [],
    );
  });
});
