// Lists through the operator's API, the console and the portal: loaded in parts, seen and changed by their owners only (contract 15.1, 15.5).
import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newUuid, typeId } from '../../src/base/ids.ts';
import { marketYaml } from '../contract/market.ts';
import { type ApiResponse, call, problem, problemFacts } from '../support/api-client.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { takeNextRights, WALLS } from '../support/walls.ts';

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const PHONE = '+15552000001';

type Sender = (path: string, body?: object, headers?: Readonly<Record<string, string>>) => Promise<ApiResponse>;

/** Creates a list and loads it in one part. */
async function loaded(send: Sender, list: object, rows: string, options: object = {}): Promise<string> {
  const created = await send('', list);
  expect([created.status, created.json]).toMatchObject([201, { entries: 0 }]);
  const path = `/${created.json.listId}`;
  const begun = await send(`${path}/loads`, { mode: 'replace', ...options });
  expect(begun.status).toBe(201);
  const load = `${path}/loads/${begun.json.loadId}`;
  expect((await send(`${load}/parts`, { number: 1, rows })).status).toBe(200);
  expect((await send(`${load}/finish`, { parts: 1 })).json).toMatchObject({ state: 'current' });
  return path;
}

describe('The operator’s API', () => {
  let market: TestMarketplace;
  let token: string;
  beforeAll(async () => {
    market = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
    token = await market.operatorToken(['read', 'configure', 'privacy']);
  });
  afterAll(() => market.close());

  const send: Sender = async (path, body, headers = {}) => {
    // A token of its own for each, because a token has a rate.
    token = await market.operatorToken(['read', 'configure', 'privacy']);
    return call(`${market.url}/api/v1/operator/lists${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  };
  const isListed = async (path: string, value: string) => (await send(`${path}/check`, { value })).json.listed;
  let made = 0;
  const newList = (more: object = {}) => {
    made += 1;
    return { key: `dnc-${made}`, name: 'Do not call', kind: 'phone', use: 'suppress', ...more };
  };

  it('loads a list in parts, of which none counts before the last', async () => {
    const { json: list } = await send('', newList());
    const path = `/${list.listId}`;
    const { json: load } = await send(`${path}/loads`, { mode: 'replace', expires: null });
    const parts = `${path}/loads/${load.loadId}/parts`;
    const first = await send(parts, { number: 1, rows: `phone\n${PHONE}\n` });
    expect([first.status, first.json]).toMatchObject([200, { state: 'loading', parts: 1, entries: 1 }]);
    expect(await isListed(path, PHONE)).toBe(false);
    // Sent again, as after a response that was lost.
    expect((await send(parts, { number: 1, rows: `phone\n${PHONE}\n` })).json).toMatchObject({ parts: 1, entries: 1 });
    expect(problemFacts(await send(parts, { number: 3, rows: 'phone\n' }))).toEqual(problem(409, 'part_out_of_order'));
    await send(parts, { number: 2, rows: `value,expires\r\n${sha('+15552000002')},2999-01-01\r\n` });
    expect(problemFacts(await send(`${path}/loads/${load.loadId}/finish`, { parts: 3 }))).toEqual(
      problem(409, 'part_out_of_order'),
    );
    const finished = await send(`${path}/loads/${load.loadId}/finish`, { parts: 2 });
    expect(finished.json).toMatchObject({ state: 'current', entries: 2, rejected: 0 });
    expect((await send(`${path}/loads/${load.loadId}/finish`, { parts: 2 })).status).toBe(200);
    expect([await isListed(path, PHONE), await isListed(path, '+15552000002')]).toEqual([true, true]);
    expect((await send(path)).json).toMatchObject({ entries: 2, loads: [{ state: 'current' }] });
    expect(problemFacts(await send(parts, { number: 3, rows: 'phone\n' }))).toEqual(problem(409, 'load_not_open'));
  });

  it('stores no part that has an error, or leaves its rows out on request', async () => {
    const { json: list } = await send('', newList());
    const path = `/${list.listId}`;
    const rows = `phone\n${PHONE}\nnobody\n`;
    const strict = (await send(`${path}/loads`, { mode: 'add' })).json.loadId;
    const refused = await send(`${path}/loads/${strict}/parts`, { number: 1, rows });
    expect(refused.json).toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'rows', code: 'invalid_format', message: expect.stringMatching(/^line 3, cell 1: must be/) }],
    });
    expect(refused.text).not.toContain('nobody');
    expect((await send(`${path}/loads/${strict}/discard`, {})).json).toMatchObject({ state: 'discarded', parts: 0 });
    const lax = (await send(`${path}/loads`, { mode: 'add', skipInvalid: true })).json.loadId;
    expect((await send(`${path}/loads/${lax}/parts`, { number: 1, rows })).json).toMatchObject({
      entries: 1,
      rejected: 1,
    });
  });

  it('finishes the loads of a list one after the other, and the last one replaces the others', async () => {
    const { json: list } = await send('', newList());
    const path = `/${list.listId}`;
    const numbers = Array.from({ length: 6 }, (_, index) => `+1555300000${index}`);
    const loads: string[] = [];
    for (const number of numbers) {
      const { json } = await send(`${path}/loads`, { mode: 'replace' });
      loads.push(`${path}/loads/${json.loadId}`);
      await send(`${path}/loads/${json.loadId}/parts`, { number: 1, rows: `phone\n${number}\n` });
    }
    const finished = await Promise.all(loads.map((load) => send(`${load}/finish`, { parts: 1 })));
    expect(finished.map(({ status }) => status)).toEqual(numbers.map(() => 200));
    const shown = (await send(path)).json as { entries: number; loads: Array<{ state: string }> };
    expect([shown.entries, shown.loads.filter(({ state }) => state === 'current').length]).toEqual([1, 1]);
    const listed = await Promise.all(numbers.map((number) => isListed(path, number)));
    expect(listed.filter(Boolean)).toHaveLength(1);
  });

  it('creates once per Idempotency-Key, and one list per key and owner', async () => {
    const list = newList();
    token = await market.operatorToken(['configure']);
    const again = () =>
      call(`${market.url}/api/v1/operator/lists`, {
        method: 'POST',
        body: list,
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'once' },
      });
    const [first, second] = [await again(), await again()];
    expect([first.status, second.status, second.json]).toEqual([201, 201, first.json]);
    expect(problemFacts(await send('', list))).toEqual(problem(409, 'list_key_taken'));
    expect((await send('', { ...list, partner: 'summit', use: 'exclude' })).status).toBe(201);
  });

  it.each([
    [{ kind: 'zip', use: 'sold' }, 'use'],
    [{ use: 'exclude' }, 'partners'],
    [{ use: 'exclude', partners: ['nobody'] }, 'partners'],
    [{ use: 'exclude', offers: ['nothing'] }, 'partners'],
    [{ use: 'exclude', partner: 'summit', offers: ['harbor-east'] }, 'partners'],
    [{ use: 'suppress', partner: 'summit' }, 'use'],
    [{ partner: 'nobody' }, 'partner'],
    [{ kind: 'colour' }, 'kind'],
    [{ key: 'Not A Key' }, 'key'],
    [{ name: ' ' }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ surplus: 1 }, 'surplus'],
  ])('rejects a list with %j', async (more, field) => {
    const response = await send('', newList(more));
    expect(response.status).toBe(422);
    expect([field, 'partners', 'offers']).toContain(response.json.errors[0].field);
  });

  it('takes no part that is too long, names nothing, or is no CSV', async () => {
    const path = await loaded(send, newList(), `phone\n${PHONE}\n`);
    const { json: load } = await send(`${path}/loads`, { mode: 'add' });
    const parts = `${path}/loads/${load.loadId}/parts`;
    expect((await send(parts, { number: 1, rows: 'x'.repeat(1_000_001) })).status).toBe(422);
    expect((await send(parts, { number: 1, rows: 'x'.repeat(4_000_000) })).status).toBe(413);
    expect((await send(parts, { number: 0, rows: 'phone\n' })).status).toBe(422);
    expect((await send(parts, { number: 1, rows: '"' })).status).toBe(422);
    expect((await send(parts, { number: 1, rows: '\u0000' })).status).toBe(422);
    expect((await send(`${path}/loads`, { mode: 'add', expires: 'someday' })).status).toBe(422);
    expect((await send(`${path}/loads/999999/parts`, { number: 1, rows: 'phone\n' })).status).toBe(404);
    expect((await send(`${path}/loads/none/parts`, { number: 1, rows: 'phone\n' })).status).toBe(404);
    expect((await send(`${path}/loads/9999999999/finish`, { parts: 1 })).status).toBe(404);
    expect((await send(`/${typeId('list', newUuid())}/loads`, { mode: 'add' })).status).toBe(404);
    expect((await send(`${path}/check`, { value: 'nobody' })).status).toBe(422);
    expect((await send(`${path}/remove-values`, { values: [PHONE, 'nobody'] })).json.errors[0].field).toBe('values[1]');
    expect(await isListed(path, PHONE)).toBe(true);
  });

  it('removes values and lists, and records who did it without the values', async () => {
    const path = await loaded(send, newList(), `phone\n${PHONE}\n+15552000007\n`);
    expect((await send(`${path}/remove-values`, { values: [PHONE, sha(PHONE)] })).json).toEqual({ removed: 1 });
    expect([await isListed(path, PHONE), (await send(path)).json.entries]).toEqual([false, 1]);
    expect((await send(`${path}/remove`, {})).json).toEqual({ removed: true });
    expect((await send(path)).status).toBe(404);
    const events = await select<{ action: string; text: string }>(
      market.database,
      `SELECT action, changes::text AS text FROM audit_event WHERE target = $1 ORDER BY audit_id`,
      [path.slice(1)],
    );
    expect(events.map(({ action }) => action)).toEqual([
      'list.created',
      'list.loaded',
      'list.values_removed',
      'list.removed',
    ]);
    expect(JSON.stringify(events)).not.toMatch(/555200/);
  });

  it('changes name, partners and offers, and records from what to what', async () => {
    const { json } = await send('', newList({ use: 'exclude', partners: ['harbor'] }));
    const path = `/${json.listId}`;
    const change = { name: 'Customers', partners: [], offers: ['summit-west'] };
    expect((await send(`${path}/change`, change)).json).toMatchObject({ ...change, key: json.key, use: 'exclude' });
    expect((await send(path)).json).toMatchObject(change);
    // Nothing is recorded for what stays.
    expect((await send(`${path}/change`, { name: 'Customers' })).status).toBe(200);
    for (const [body, field] of [
      [{ offers: [] }, 'partners'],
      [{ partners: ['nobody'] }, 'partners'],
      [{ offers: ['nothing'] }, 'offers'],
      [{ name: ' ' }, 'name'],
      [{ use: 'sold' }, 'use'],
      [{ offers: ['summit-west', 'summit-west'] }, 'offers'],
    ] as const) {
      const refused = await send(`${path}/change`, body);
      expect([refused.status, refused.json.errors[0].field]).toEqual([422, field]);
    }
    const events = await select(
      market.database,
      `SELECT actor_type, changes FROM audit_event WHERE target = $1 AND action = 'list.changed'`,
      [path.slice(1)],
    );
    expect(events).toEqual([
      {
        actor_type: 'operator',
        changes: {
          name: { from: 'Do not call', to: 'Customers' },
          partners: { from: ['harbor'], to: [] },
          offers: { from: [], to: ['summit-west'] },
        },
      },
    ]);
    await send(`${path}/remove`, {});
    expect((await send(`${path}/change`, { name: 'Gone' })).status).toBe(404);
  });

  it('is the same on the console, by role', async () => {
    const admin = await market.signedIn.operator('ada');
    const created = await admin.send('POST', '/console/api/lists', newList());
    expect(created.status).toBe(201);
    expect((await admin.get('/console/api/lists?search=do+not&pageSize=1')).json).toMatchObject({ pageSize: 1 });
    const viewer = await market.signedIn.operator('vi', 'read-only');
    expect((await viewer.send('POST', '/console/api/lists', newList())).status).toBe(403);
    const change = `/console/api/lists/${created.json.listId}/change`;
    expect((await viewer.send('POST', change, { name: 'Mine' })).status).toBe(403);
    expect((await admin.send('POST', change, { name: 'Ours' })).json).toMatchObject({ name: 'Ours' });
    expect((await viewer.get(`/console/api/lists/${created.json.listId}`)).status).toBe(200);
  });
});

describe.each(WALLS)('The portal $walls', ({ withoutWall }) => {
  let market: TestMarketplace;
  let summit: SignedIn;
  let harbor: SignedIn;
  beforeAll(async () => {
    market = await startTestMarketplace({ yaml: marketYaml(), role: 'api', withoutWall });
    if (!withoutWall) await takeNextRights(market);
    [summit, harbor] = [await market.signedIn.buyer('summit'), await market.signedIn.buyer('harbor')];
  });
  afterAll(() => market.close());

  const PATH = '/portal/api/buyer/lists';
  const sendAs =
    (partner: SignedIn): Sender =>
    (path, body) =>
      body === undefined ? partner.get(PATH + path) : partner.send('POST', PATH + path, body);
  const customers = { key: 'customers', name: 'Our customers', kind: 'email' };

  it('lets a partner load its own customers, and no other partner see or change them', async () => {
    const own = sendAs(summit);
    const path = await loaded(own, customers, `email\n${sha('ann@example.com')}\nBob@Example.com\n`);
    expect((await own('')).json).toMatchObject({
      total: 1,
      data: [{ key: 'customers', partner: 'summit', entries: 2 }],
    });
    expect((await own(`${path}/check`, { value: 'ann@example.com' })).json).toMatchObject({ listed: true });
    const foreign = sendAs(harbor);
    expect((await foreign('')).json).toMatchObject({ total: 0, data: [] });
    const load = (await own(path)).json.loads[0].loadId as number;
    for (const [below, body] of [
      ['', undefined],
      ['/check', { value: 'ann@example.com' }],
      ['/remove', {}],
      ['/remove-values', { values: ['ann@example.com'] }],
      ['/loads', { mode: 'replace' }],
      [`/loads/${load}/parts`, { number: 1, rows: 'email\n' }],
      [`/loads/${load}/finish`, { parts: 1 }],
      [`/loads/${load}/discard`, {}],
    ] as const) {
      expect([below, (await foreign(path + below, body)).status]).toEqual([below, 404]);
    }
    // The same key is free for it.
    const theirs = await loaded(foreign, customers, 'email\neve@example.com\n');
    expect((await foreign(`${theirs}/loads/${load}/parts`, { number: 1, rows: 'email\n' })).status).toBe(404);
    expect((await own(path)).json).toMatchObject({ entries: 2 });
    expect((await own(`${path}/remove-values`, { values: ['ann@example.com'] })).json).toEqual({ removed: 1 });
    expect((await own(`${path}/remove`, {})).json).toEqual({ removed: true });
    expect((await foreign(theirs)).status).toBe(200);
  });

  it('has one load under way for each list, and a bound on all that is stored', async () => {
    const own = sendAs(summit);
    const { json: list } = await own('', { ...customers, key: `bounded-${withoutWall}` });
    const loads = `/${list.listId}/loads`;
    const rows = 'email\nann@example.com\n';
    const { json: first } = await own(loads, { mode: 'add' });
    expect((await own(`${loads}/${first.loadId}/parts`, { number: 1, rows })).status).toBe(200);
    const { json: second } = await own(loads, { mode: 'replace' });
    const late = await own(`${loads}/${first.loadId}/parts`, { number: 2, rows });
    expect(problemFacts(late)).toEqual(problem(409, 'load_not_open'));
    expect((await own(`/${list.listId}`)).json.loads.map(({ state }: { state: string }) => state)).toEqual([
      'loading',
      'discarded',
    ]);
    // The discarded entries count until they are deleted.
    await select(market.database, 'UPDATE list_load SET entries = 50000000 WHERE load_id = $1', [first.loadId]);
    const part = () => own(`${loads}/${second.loadId}/parts`, { number: 1, rows });
    expect(problemFacts(await part())).toEqual(problem(409, 'list_too_large'));
    await select(market.database, 'UPDATE list_load SET entries = 1 WHERE load_id = $1', [first.loadId]);
    expect((await part()).status).toBe(200);
  });

  it('takes offers of the partner only, and nothing but an exclusion', async () => {
    const own = sendAs(summit);
    const list = { ...customers, key: 'for-west' };
    expect((await own('', { ...list, offers: ['harbor-east'] })).json.errors[0]).toMatchObject({ field: 'offers' });
    expect((await own('', { ...list, use: 'suppress' })).status).toBe(422);
    expect((await own('', { ...list, partners: ['harbor'] })).status).toBe(422);
    expect((await own('', { ...list, offers: ['summit-west'] })).json).toMatchObject({ use: 'exclude', partners: [] });
  });

  it('limits the lists of a partner, and shows none of the operator', async () => {
    const token = await market.operatorToken(['configure']);
    const made = await call(`${market.url}/api/v1/operator/lists`, {
      method: 'POST',
      body: { key: 'dnc', name: 'Do not call', kind: 'phone', use: 'suppress' },
      headers: { authorization: `Bearer ${token}` },
    });
    expect(made.status).toBe(201);
    const own = sendAs(harbor);
    const answers: number[] = [];
    for (let number = 0; number < 21; number += 1) {
      answers.push((await own('', { ...customers, key: `list-${number}` })).status);
    }
    expect([answers.filter((status) => status === 201).length, answers.at(-1)]).toEqual([19, 409]);
    const { data } = (await own('')).json as { data: Array<{ partner: string }> };
    expect(new Set(data.map(({ partner }) => partner))).toEqual(new Set(['harbor']));
    expect((await own(`/${made.json.listId}`)).status).toBe(404);
  });
});
