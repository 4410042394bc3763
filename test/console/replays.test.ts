// Replays at the console: the dry count, the run in slices, each delivery once, what is skipped and why, and who may (contract 6.4).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { newUuid, type Uuid } from '../../src/base/ids.ts';
import type { ReviveDeliveries } from '../../src/deliveries/redelivery/reopen-deliveries.ts';
import { runReplays } from '../../src/deliveries/redelivery/run-replays.job.ts';
import { OutsideError } from '../../src/platform/outside-error.ts';
import { reviveDeliveries } from '../../src/routing/revive-deliveries.ts';
import { betaMarketYaml } from '../contract/beta-market.ts';
import { plantDeliveries } from '../deliveries/plant-deliveries.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';

const clock = handClock('2026-11-20T12:00:00.000Z');
const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 20, hour));

let market: TestMarketplace;
beforeAll(async () => {
  market = await startTestMarketplace({ yaml: betaMarketYaml({ origin: 'https://crm.example' }), role: 'api', clock });
});
afterAll(() => market.close());
beforeEach(async () => {
  for (const table of ['replay', 'send_job', 'attempt', 'delivery']) await sql(`DELETE FROM ${table}`);
});

const sql = async (text: string, values: readonly unknown[] = []): Promise<Json[]> =>
  (await market.database.pool.query(text, [...values])).rows;
const WINDOW = { partner: 'summit', from: at(0).toISOString(), until: at(9).toISOString(), status: 'Failed' };
const plan = async (window: object = WINDOW) => {
  const query = new URLSearchParams({ ...window }).toString();
  return (await market.signedIn.operator('ada')).get(`/console/api/replays/plan?${query}`);
};
const start = async (window: object = WINDOW) =>
  (await market.signedIn.operator('ada')).send('POST', '/console/api/replays', window);
const latest = async (): Promise<Json> =>
  (await (await market.signedIn.operator('ada')).get('/console/api/replays')).json.data[0];
const run = () => runReplays({ database: market.database, clock, revive: reviveDeliveries });

let people = 0;
async function plant(status: 'Failed' | 'Confirmed', hour: number, buyerKey = 'summit'): Promise<Uuid> {
  const [planted] = await plantDeliveries(market.database, buyerKey, [
    {
      status,
      at: at(hour),
      offerKey: buyerKey === 'summit' ? 'summit-west' : 'harbor-east',
      fields: { phone: `+1555${4_000_000 + (people += 1)}`, email: null },
    },
  ]);
  const deliveryId = planted?.deliveryId ?? '';
  await sql(`UPDATE delivery SET channel = 'webhook' WHERE delivery_id = $1`, [deliveryId]);
  return deliveryId;
}
/** While `work` runs, the database rejects jobs of a delivery with an error of this code. */
async function refuseJobsOf(deliveryId: string, code: string, work: () => Promise<unknown>): Promise<void> {
  await sql(`CREATE FUNCTION refuse_job() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END $$`);
  await sql(`CREATE TRIGGER refuse_job BEFORE INSERT ON send_job FOR EACH ROW WHEN (NEW.delivery_id = '${deliveryId}')
    EXECUTE FUNCTION refuse_job()`);
  try {
    await work();
  } finally {
    await sql('DROP FUNCTION refuse_job CASCADE');
  }
}
const jobs = () => sql('SELECT delivery_id AS id, purpose FROM send_job ORDER BY delivery_id');

describe('The plan of a replay', () => {
  it('counts what can be sent again and what cannot, with the reason, and changes nothing', async () => {
    await plant('Failed', 1);
    await plant('Failed', 2);
    const byMail = await plant('Failed', 3);
    await sql(`UPDATE delivery SET channel = 'email' WHERE delivery_id = $1`, [byMail]);
    const erased = await plant('Failed', 4);
    await sql(`UPDATE lead SET erased_at = $2 WHERE lead_id = (SELECT lead_id FROM delivery WHERE delivery_id = $1)`, [
      ...[erased, at(5)],
    ]);
    await plant('Failed', 10);
    await plant('Confirmed', 5);
    await plant('Failed', 5, 'harbor');
    expect((await plan()).json).toEqual({
      ...{ deliveries: 4, ready: 2, isTooMany: false, atMost: 10_000 },
      skipped: [
        { cause: 'erased', deliveries: 1 },
        { cause: 'other_channel', deliveries: 1 },
      ],
    });
    expect((await plan({ ...WINDOW, status: 'Confirmed' })).json).toMatchObject({ deliveries: 1, ready: 1 });
    expect(await jobs()).toEqual([]);
  });

  it.each([
    ['a partner that does not exist', { partner: 'nobody' }, 404],
    ['a time that is none', { from: 'yesterday' }, 400],
    ['another status', { status: 'Returned' }, 400],
  ])('refuses %s', async (_says, part, status) => {
    expect((await plan({ ...WINDOW, ...part })).status).toBe(status);
  });
});

describe('A replay', () => {
  it('sells failed deliveries again by the operation that sends one again, and says what became of all', async () => {
    const first = await plant('Failed', 1);
    const second = await plant('Failed', 2);
    const other = await plant('Failed', 10);
    const { status, json } = await start();
    expect([status, json]).toMatchObject([200, { state: 'running', planned: 2, queued: 0, partner: 'summit' }]);
    await run();
    expect(await latest()).toMatchObject({ state: 'done', queued: 2, skipped: [], operator: 'ada' });
    expect(await jobs()).toEqual([first, second].toSorted().map((id) => ({ id, purpose: 'sale' })));
    expect(await sql('SELECT status FROM delivery WHERE delivery_id = $1', [other])).toEqual([{ status: 'Failed' }]);
    const audit = await sql(
      `SELECT action, actor_name, count(*)::int FROM audit_event
       WHERE action LIKE 'replay.%' OR action = 'delivery.redelivery_requested' GROUP BY 1, 2 ORDER BY 1`,
    );
    expect(audit).toEqual([
      { action: 'delivery.redelivery_requested', actor_name: 'ada', count: 2 },
      { action: 'replay.started', actor_name: 'ada', count: 1 },
    ]);
  });

  it('sends confirmed deliveries as copies, which charge nothing and change no delivery', async () => {
    const confirmed = await plant('Confirmed', 1);
    await start({ ...WINDOW, status: 'Confirmed' });
    await run();
    expect(await jobs()).toEqual([{ id: confirmed, purpose: 'replay' }]);
    expect(await sql('SELECT status FROM delivery')).toEqual([{ status: 'Confirmed' }]);
    expect(await sql('SELECT * FROM transfer')).toEqual([]);
  });

  it('leaves a lead alone that was sold elsewhere after the count', async () => {
    const deliveryId = await plant('Failed', 1);
    await start();
    await sql(
      `INSERT INTO delivery (delivery_id, buyer_key, lead_id, offer_key, supplier_key, event_type, is_exclusive, status, payout_cents, cap_windows,
                             delivered_at, confirmed_at)
       SELECT $2, 'harbor', lead_id, 'harbor-east', supplier_key, event_type, true, 'Confirmed', 100, '[]', $3, $3
       FROM delivery WHERE delivery_id = $1`,
      [deliveryId, newUuid(), at(2)],
    );
    await run();
    expect(await latest()).toMatchObject({
      state: 'done',
      queued: 0,
      skipped: [{ cause: 'sold_elsewhere', deliveries: 1 }],
    });
    expect(await jobs()).toEqual([]);
  });

  it('handles each delivery once, also if it is cut off and begins again', async () => {
    const ids = [await plant('Failed', 1), await plant('Failed', 2), await plant('Failed', 3)];
    await start();
    let cuts = 0;
    const cut = (): never => {
      cuts += 1;
      throw new OutsideError('outcome_unknown', 'Storage failed.', { retryable: true });
    };
    await expect(runReplays({ database: market.database, clock, revive: cut })).rejects.toThrow('Storage failed.');
    // All three, two of them, and one.
    expect([cuts, await jobs(), (await latest()).queued]).toEqual([3, [], 0]);
    await Promise.all([run(), run()]);
    expect(await latest()).toMatchObject({ state: 'done', queued: 3 });
    expect((await jobs()).map(({ id }) => id as string)).toEqual(ids.toSorted());
    // As if the position were lost: the unique key holds.
    await sql(`DELETE FROM send_job`);
    await sql(`UPDATE delivery SET status = 'Failed', failed_at = $1, is_exclusive = false`, [at(4)]);
    await sql(`UPDATE replay SET state = 'running', finished_at = NULL, after_at = NULL, after_id = NULL`);
    await run();
    expect([await jobs(), (await latest()).queued]).toEqual([[], 3]);
  });

  it('takes more than one slice', async () => {
    await plantDeliveries(
      market.database,
      'summit',
      Array.from({ length: 1100 }, () => ({ status: 'Confirmed' as const, at: at(1), offerKey: 'summit-west' })),
    );
    await sql(`UPDATE delivery SET channel = 'webhook'`);
    await start({ ...WINDOW, status: 'Confirmed' });
    await run();
    expect(await latest()).toMatchObject({ state: 'done', planned: 1100, queued: 1100 });
    expect(await jobs()).toHaveLength(1100);
  });

  it('skips a delivery that fails at each try, sends the others once, and does not keep another replay waiting', async () => {
    const ids: Uuid[] = [];
    for (let hour = 1; hour <= 7; hour += 1) ids.push(await plant('Failed', hour));
    const failing = ids[4] ?? '';
    const other = await plant('Failed', 1, 'harbor');
    await start();
    await start({ ...WINDOW, partner: 'harbor' });
    const ended: string[] = [];
    const revive: ReviveDeliveries = async (tx, deliveryIds, now) => {
      // What is committed: this transaction is another one.
      const done = await sql(`SELECT buyer_key AS partner FROM replay WHERE state = 'done'`);
      ended.push(...done.map(({ partner }) => partner as string));
      return reviveDeliveries(tx, deliveryIds, now);
    };
    await refuseJobsOf(failing, '22000', () =>
      expect(runReplays({ database: market.database, clock, revive })).rejects.toMatchObject({ code: '22000' }),
    );
    expect(ended).toContain('harbor');
    expect(ended).not.toContain('summit');
    const sent = ids.filter((id) => id !== failing);
    expect((await jobs()).map(({ id }) => id as string)).toEqual([...sent, other].toSorted());
    const skipped = [{ cause: 'internal_error', deliveries: 1 }];
    const { data } = (await (await market.signedIn.operator('ada')).get('/console/api/replays')).json;
    expect(data).toMatchObject([
      { partner: 'harbor', state: 'done', queued: 1, skipped: [] },
      { partner: 'summit', state: 'done', queued: 6, skipped },
    ]);
    expect(await sql(`SELECT delivery_id AS id FROM replay_delivery WHERE result = 'internal_error'`)).toEqual([
      { id: failing },
    ]);
    expect(await sql(`SELECT delivery_id AS id FROM delivery WHERE status = 'Failed'`)).toEqual([{ id: failing }]);
    const twice = `SELECT target FROM audit_event WHERE action = 'delivery.redelivery_requested' GROUP BY 1 HAVING count(*) > 1`;
    expect(await sql(twice)).toEqual([]);
  });

  it('waits for its next run while storage fails, and skips nothing', async () => {
    const failing = await plant('Failed', 1);
    const second = await plant('Failed', 2);
    const other = await plant('Failed', 1, 'harbor');
    await start();
    await start({ ...WINDOW, partner: 'harbor' });
    // disk_full
    await refuseJobsOf(failing, '53100', () => expect(run()).rejects.toThrow('Storage failed.'));
    expect(await jobs()).toMatchObject([{ id: other }]);
    expect(await sql(`SELECT queued, skipped FROM replay WHERE state = 'running'`)).toEqual([
      { queued: 0, skipped: {} },
    ]);
    await run();
    expect((await jobs()).map(({ id }) => id as string)).toEqual([failing, second, other].toSorted());
    expect(await sql(`SELECT state, queued, skipped FROM replay WHERE buyer_key = 'summit'`)).toEqual([
      { state: 'done', queued: 2, skipped: {} },
    ]);
  });

  it('is one at a time for each partner, and can be stopped', async () => {
    await plant('Failed', 1);
    const { json } = await start();
    expect((await start()).json).toMatchObject({ status: 409, code: 'already_running' });
    expect((await start({ ...WINDOW, partner: 'harbor' })).status).toBe(200);
    const ada = await market.signedIn.operator('ada');
    const stop = () => ada.send('POST', `/console/api/replays/${json.replayId as string}/stop`, {});
    expect((await stop()).status).toBe(200);
    expect((await stop()).status).toBe(404);
    await run();
    expect(await jobs()).toEqual([]);
    expect((await start()).status).toBe(200);
  });

  it('is refused with a body that is wrong', async () => {
    expect((await start({ ...WINDOW, extra: 1 })).status).toBe(422);
    expect((await start({ ...WINDOW, partner: 'nobody' })).status).toBe(404);
    expect((await start({ ...WINDOW, until: 'soon' })).status).toBe(422);
  });

  it('is refused to roles without the right', async () => {
    const viewer = await market.signedIn.operator('vi', 'read-only');
    expect((await viewer.send('POST', '/console/api/replays', WINDOW)).status).toBe(403);
    expect((await viewer.get('/console/api/replays')).status).toBe(200);
  });
});
