// Dry runs at the console: started, followed and canceled from any process, with their results (contract 7.2).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newUuid, type SimulationId, typeId } from '../../src/base/ids.ts';
import { select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { leadBody } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';

const yaml = `
suppliers: [{ key: acme, status: approved }]
partners:
  - { key: summit, offers: [{ key: summit-ca, eventType: Lead Sale, payout: 40, filters: { states: [CA] } }] }
  - { key: valley, name: Valley Law, offers: [{ key: valley-any, eventType: Lead Sale, payout: 30 }] }
`;

let market: TestMarketplace;
let anna: SignedIn;
let version: number;
beforeAll(async () => {
  market = await startTestMarketplace({ yaml });
  anna = await market.signedIn.operator('anna');
  version = (await anna.get('/console/api/marketplace')).json.version as number;
  const key = await market.supplierKey('acme');
  for (const [serial, state] of [
    [1, 'CA'],
    [2, 'CA'],
    [3, 'NY'],
  ] as const) {
    const body = JSON.stringify({ ...leadBody(serial), state });
    await fetch(`${market.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body,
    });
  }
  await eventually('all three are sold', async () => {
    const rows = await select<{ n: number }>(market.database, `SELECT count(*) AS n FROM lead WHERE state = 'routed'`);
    return rows[0]?.n === 3;
  });
});
afterAll(() => market.close());

const fragment = { partners: [{ key: 'valley', offers: [{ key: 'valley-any', payout: 41 }] }] };
const start = (body: object, who = anna) => who.send('POST', '/console/api/simulations', { version, ...body });
const ended = async (id: string): Promise<Json> =>
  eventually(`${id} has ended`, async () => {
    const { json } = await anna.get(`/console/api/simulations/${id}`);
    return json.state === 'running' ? null : json;
  });

describe('dry runs at the console', () => {
  it('report the effect of a change by partner and offer', async () => {
    const started = await start({ fragment, days: 1 });
    expect(started.status).toBe(202);
    const { id } = started.json as { id: string };
    const done = await ended(id);
    expect(done).toMatchObject({
      ...{ id, operator: 'anna', days: 1, state: 'done', faults: [] },
      progress: { done: 3, all: 3 },
      result: {
        ...{ leads: 3, differences: 3, erased: 0 },
        totals: { history: { routed: 3, revenue: 110 }, simulated: { routed: 3, revenue: 123 } },
        partners: {
          ...{ changed: 2, unchanged: 0 },
          rows: [
            { partner: 'valley', name: 'Valley Law', leads: { from: 1, to: 3 }, revenue: { from: 30, to: 123 } },
            { partner: 'summit', name: 'summit', leads: { from: 2, to: 0 }, revenue: { from: 80, to: 0 } },
          ],
        },
      },
    });
    expect((await anna.get('/console/api/offers/valley-any')).json.offer.payout).toBe(30);
    expect((await anna.get(`/console/api/simulations/${id}/input`)).json).toEqual({ fragment, isNew: false, version });
    expect((await anna.get('/console/api/simulations')).json.data[0]).toMatchObject({ id, state: 'done' });
  });

  it('accept a whole file, and report its errors with positions', async () => {
    const good = await start({ text: yaml, days: 1 });
    expect(await ended(good.json.id as string)).toMatchObject({ state: 'done', result: { differences: 0 } });
    const bad = await start({ text: 'partners:\n  - key: summit\n    offers: [{ key: a }]\n', days: 1 });
    expect(await ended(bad.json.id as string)).toMatchObject({
      state: 'refused',
      result: null,
      faults: [{ path: 'partners[0].offers[0].eventType', line: 3 }, { path: 'partners[0].offers[0].payout' }],
    });
    const taken = await start({ fragment: { suppliers: [{ key: 'acme' }] }, isNew: true });
    expect(await ended(taken.json.id as string)).toMatchObject({
      state: 'refused',
      faults: [{ path: 'suppliers[0].key' }],
    });
  });

  it('run one at a time, visible and cancelable from every process', async () => {
    // This lock keeps dry runs from reading the decisions.
    const holder = await market.database.connect();
    await holder.query('BEGIN; LOCK TABLE routing_decision IN ACCESS EXCLUSIVE MODE');
    const other = await startTestMarketplace({ yaml, role: 'api', on: market.testDatabase });
    const ben = await other.signedIn.operator('ben');
    try {
      const { id } = (await start({ fragment, days: 1 })).json as { id: string };
      expect((await start({ fragment }, ben)).json).toMatchObject({ status: 409, code: 'simulation_running' });
      expect((await ben.get(`/console/api/simulations/${id}`)).json).toMatchObject({ state: 'running', result: null });
      const cancelled = await ben.send('POST', `/console/api/simulations/${id}/cancel`);
      expect(cancelled.json).toMatchObject({ id, state: 'cancelled' });
      expect((await anna.get(`/console/api/simulations/${id}`)).json.state).toBe('cancelled');
      // A repetition is accepted and changes nothing.
      expect((await ben.send('POST', `/console/api/simulations/${id}/cancel`)).json.state).toBe('cancelled');
      const next = await start({ fragment, days: 1 }, ben);
      expect(next.status).toBe(202);
      // The process ends, and its dry run with it.
      await other.close();
      expect((await anna.get(`/console/api/simulations/${next.json.id as string}`)).json.state).toBe('cancelled');
    } finally {
      await holder.query('ROLLBACK');
      await holder.end();
    }
    expect((await ended((await start({ fragment, days: 1 })).json.id as string)).state).toBe('done');
  });

  it('report a dead process as failed, and can be started again', async () => {
    const id = newUuid();
    const long = new Date(Date.now() - 3_600_000);
    await market.testDatabase.database.pool.query(
      `INSERT INTO simulation (simulation_id, operator_name, input, days, state, created_at, heard_at)
       VALUES ($1, 'ben', '{}', 7, 'running', $2, $2)`,
      [id, long],
    );
    expect((await anna.get(`/console/api/simulations/${typeId('simulation', id as SimulationId)}`)).json.state).toBe(
      'failed',
    );
    const again = await start({ fragment, days: 1 });
    expect(again.status).toBe(202);
    await anna.send('POST', `/console/api/simulations/${again.json.id as string}/cancel`);
  });

  it.each([
    [{}, 422],
    [{ fragment, text: 'a' }, 422],
    [{ fragment, days: 0 }, 422],
    [{ fragment, days: 91 }, 422],
  ])('refuse %j', async (body, status) => expect((await start(body)).status).toBe(status));

  it('respond 404 to an unknown id', async () => {
    const id = typeId('simulation', newUuid());
    expect((await anna.get(`/console/api/simulations/${id}`)).status).toBe(404);
    expect((await anna.get('/console/api/simulations/nonsense')).status).toBe(404);
    expect((await anna.get(`/console/api/simulations/${id}/input`)).status).toBe(404);
    expect((await anna.send('POST', `/console/api/simulations/${id}/cancel`)).status).toBe(404);
  });
});
