// Saved views of lists: whose they are, their names, what they may hold, and how many there may be (contract 7.13).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { addUser } from '../src/users/portal-users.ts';
import { noOrigin } from '../src/audit/audit-event.ts';
import { hashPassword } from '../src/sessions/password.ts';
import { marketYaml } from './contract/market.ts';
import { type ApiResponse, call } from './support/api-client.ts';
import { select } from './support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from './support/marketplace.ts';
import type { Json } from './support/scope-app.ts';
import { asBrowser, type SignedIn } from './support/signed-in.ts';

let market: TestMarketplace;
beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml() });
});
afterAll(() => market.close());

const PASSWORD = 'correct horse battery staple';
const view = (name: string, more: object = {}) => ({
  ...{ list: 'deliveries', name, query: 'status=Confirmed&from=2026-11-01', hiddenColumns: ['offer'], replaces: false },
  ...more,
});

type Caller = { readonly path: string; readonly who: SignedIn };
const save = ({ who, path }: Caller, body: object): Promise<ApiResponse> => who.send('POST', path, body);
const namesOf = async ({ who, path }: Caller): Promise<string[]> =>
  ((await who.get(path)).json.data as Json[]).map(({ name }) => name as string);
const inConsole = (who: SignedIn): Caller => ({ who, path: '/console/api/list-views' });
const inPortal = (who: SignedIn): Caller => ({ who, path: '/portal/api/list-views' });

async function userOf(ownerKey: string, email: string): Promise<Caller> {
  const passwordHash = await hashPassword(PASSWORD);
  const user = {
    kind: 'buyer',
    ownerKey,
    email,
    name: 'Dana',
    roles: ['view'],
    passwordHash,
    origin: noOrigin,
  } as const;
  await market.database.tx((tx) => addUser(tx, user, new Date()));
  const headers = { 'sec-fetch-site': 'same-origin' };
  const path = `${market.url}/portal/api/session/password`;
  const response = await call(path, { method: 'POST', headers, body: { email, password: PASSWORD } });
  return inPortal(asBrowser(market.url, response.headers.get('set-cookie')?.split(';', 1)[0] ?? ''));
}

describe('a saved view of a list', () => {
  it('belongs to one operator, one user, or one account, and nobody else sees or changes it', async () => {
    const callers: Readonly<Record<string, Caller>> = {
      ada: inConsole(await market.signedIn.operator('ada', 'read-only')),
      // An operator with the name of a partner.
      named: inConsole(await market.signedIn.operator('summit')),
      summit: inPortal(await market.signedIn.buyer('summit')),
      user: await userOf('summit', 'dana@summit.example'),
      colleague: await userOf('summit', 'ben@summit.example'),
      harbor: inPortal(await market.signedIn.buyer('harbor')),
      supplier: inPortal(await market.signedIn.supplier('acme-media')),
    };
    const ids: Record<string, string> = {};
    for (const [name, caller] of Object.entries(callers)) {
      const saved = await save(caller, view(`Of ${name}`));
      expect([saved.status, saved.json]).toEqual([
        201,
        {
          ...{ id: expect.stringMatching(/^lvw_/), list: 'deliveries', name: `Of ${name}` },
          ...{ query: 'status=Confirmed&from=2026-11-01', hiddenColumns: ['offer'] },
        },
      ]);
      ids[name] = saved.json.id as string;
    }
    for (const [name, caller] of Object.entries(callers)) {
      expect(await namesOf(caller)).toEqual([`Of ${name}`]);
      for (const [other, id] of Object.entries(ids)) {
        if (other === name) continue;
        const address = `${caller.path}/${id}`;
        expect((await caller.who.send('PUT', address, { name: 'Mine' })).status, `${name}: ${other}`).toBe(404);
        expect((await caller.who.send('DELETE', address)).status, `${name}: ${other}`).toBe(404);
      }
    }
    // Another token of the same account has the views of the account.
    expect(await namesOf(inPortal(await market.signedIn.buyer('summit')))).toEqual(['Of summit']);
  });

  it('has a name of its own in its list, and is replaced only on request', async () => {
    const ada = inConsole(await market.signedIn.operator('names'));
    expect((await save(ada, view('Late'))).status).toBe(201);
    const taken = await save(ada, view('Late', { query: 'status=Failed' }));
    expect([taken.status, taken.json.code]).toEqual([409, 'view_name_taken']);
    expect((await save(ada, view('Late', { list: 'leads' }))).status).toBe(201);
    const replaced = await save(ada, view('Late', { query: 'status=Failed', hiddenColumns: [], replaces: true }));
    expect([replaced.status, replaced.json.query, replaced.json.hiddenColumns]).toEqual([201, 'status=Failed', []]);
    expect(await namesOf(ada)).toEqual(['Late', 'Late']);
    const both = await Promise.all([1, 2].map(() => save(ada, view('Twice'))));
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409]);
  });

  it('is renamed and deleted', async () => {
    const ada = inConsole(await market.signedIn.operator('renames'));
    const { json } = await save(ada, view('Old'));
    await save(ada, view('Other'));
    const address = `${ada.path}/${json.id as string}`;
    expect((await ada.who.send('PUT', address, { name: 'Other' })).json.code).toBe('view_name_taken');
    const renamed = await ada.who.send('PUT', address, { name: 'New' });
    expect([renamed.status, renamed.json]).toEqual([200, { ...json, id: renamed.json.id, name: 'New' }]);
    expect(await namesOf(ada)).toEqual(['New', 'Other']);
    expect((await ada.who.send('DELETE', `${ada.path}/${renamed.json.id as string}`)).status).toBe(204);
    expect((await ada.who.send('DELETE', `${ada.path}/${renamed.json.id as string}`)).status).toBe(404);
    expect(await namesOf(ada)).toEqual(['Other']);
  });

  it.each([
    ['an address', { query: 'https://elsewhere.example/' }],
    ['a path', { query: '/console/operators' }],
    ['a script', { query: 'javascript:alert(1)' }],
    ['a fragment', { query: 'a=1#x' }],
    ['a line break', { query: 'a=1\nb=2' }],
    ['a long query', { query: 'a'.repeat(1001) }],
    ['a search', { query: 'status=Failed&search=zoe%40example.com' }],
    ['a search by an encoded name', { query: 'se%61rch=zoe' }],
    ['an empty name', { name: ' ' }],
    ['a long name', { name: 'n'.repeat(81) }],
    ['a list that is none', { list: '../leads' }],
    ['columns that are none', { hiddenColumns: ['<b>'] }],
    ['many columns', { hiddenColumns: Array.from({ length: 61 }, () => 'a') }],
  ])('holds a query of its page only: rejects %s', async (_what, more) => {
    const summit = inPortal(await market.signedIn.buyer('summit'));
    const before = await namesOf(summit);
    expect((await save(summit, view('Garbage', more))).status).toBe(422);
    expect(await namesOf(summit)).toEqual(before);
  });

  it('is one of at most 200 of its holder', async () => {
    const ada = inConsole(await market.signedIn.operator('many'));
    await save(ada, view('First'));
    await select(
      market.database,
      `INSERT INTO list_view SELECT gen_random_uuid(), holder_kind, holder, 'leads', 'View ' || n, query, hidden_columns, created_at
       FROM list_view, generate_series(2, 199) n WHERE name = 'First'`,
    );
    // At the same moment.
    const last = await Promise.all([1, 2, 3].map((number) => save(ada, view(`Last ${number}`))));
    expect(last.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409, 409]);
    const more = await save(ada, view('More'));
    expect([more.status, more.json.code]).toEqual([409, 'too_many_views']);
    const [one] = (await ada.who.get(ada.path)).json.data as Json[];
    expect((await save(ada, view('First', { replaces: true }))).status).toBe(201);
    const address = `${ada.path}/${one?.id as string}`;
    expect((await ada.who.send('PUT', address, { name: 'Renamed' })).status).toBe(200);
    expect((await namesOf(ada)).length).toBe(200);
  });
});
