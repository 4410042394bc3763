// Tenancy through a portal session: no route shows or reveals data of others under any foreign id, with and without row-level security.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor, noOrigin } from '../../src/audit/audit-event.ts';
import { defaultTerms } from '../../src/buyers/buyer-row.rules.ts';
import { type IdKind, newUuid, typeId } from '../../src/base/ids.ts';
import { issueInvoice } from '../../src/invoices/issue-invoice.ts';
import type { NoticeRecipient } from '../../src/notices/notice.ts';
import { raiseNotices } from '../../src/notices/raise-notices.ts';
import { postSupplierTransfers } from '../../src/ledger/post-supplier-transfers.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import { foldSome } from '../../src/reports/fold-reports.ts';
import { issueStatement } from '../../src/statements/issue-statement.ts';
import { sampleLead, marketYaml } from '../contract/market.ts';
import { plantDeliveries } from '../deliveries/plant-deliveries.ts';
import { type ApiResponse, postAsBuyer, postLead } from '../support/api-client.ts';
import { inside } from '../support/ask-inside.ts';
import { select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Route, routesOf } from '../support/routes.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { addUser } from '../../src/users/portal-users.ts';
import { invite } from '../../src/users/invitations.ts';
import { takeNextRights, WALLS } from '../support/walls.ts';

const newId = (kind: IdKind): string => typeId(kind, newUuid());

const withoutRequest = ({ status, text }: ApiResponse): unknown => [
  status,
  text.replaceAll(/"(?:requestId|instance)":"[^"]*"/g, ''),
];

/** Routes of only one of the two kinds of session. */
const isOf = (kind: 'buyer' | 'supplier', path: string): boolean =>
  !(kind === 'buyer' ? /\/supplier\// : /\/buyer\/|\/sheets-config$/).test(path);

/** Bodies of routes below a list, by the end of their path. */
const NO_WINDOWS = { daily: null, weekly: null, monthly: null };
const NO_LIMITS = { caps: NO_WINDOWS, budget: NO_WINDOWS, statesNot: [] };
const BODIES: Readonly<Record<string, object>> = {
  files: Buffer.from('Called twice.'),
  check: { value: 'ann@example.com' },
  'remove-values': { values: ['ann@example.com'] },
  loads: { mode: 'add' },
  parts: { number: 1, rows: 'email\n' },
  finish: { parts: 0 },
  roles: { roles: [] },
  ':viewId': { name: 'Mine' },
  limits: NO_LIMITS,
  trial: NO_LIMITS,
};
/** A file is sent as bytes. */
const headersOf = (path: string): Readonly<Record<string, string>> =>
  path.endsWith('/files') ? { 'content-type': 'application/octet-stream' } : {};
const bodyOf = (path: string): object => BODIES[path.slice(path.lastIndexOf('/') + 1)] ?? {};
/** What is below a list or lead is numbered. */
const withIds = (path: string, name: string, id: string): string =>
  path.replace(`:${name}`, id).replaceAll(/:\w+/g, '1');

/** Streams, which never end, and reads that write: showing the secret is audited. */
const NOT_COMPARED = ['/portal/api/stream', '/portal/api/v1/buyer/webhook-secret'];
/** Queries that run other statements than the plain route. MONTH stands for the first day of this month. */
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  '/portal/api/v1/buyer/leads': ['?status=Confirmed', '?page=2'],
  '/portal/api/v1/buyer/events': ['?limit=1'],
  '/portal/api/v1/buyer/export': ['?status=Confirmed', '?from=MONTH'],
  '/portal/api/buyer/deliveries': ['?eventType=Lead%20Sale', '?status=Confirmed', '?from=MONTH'],
  '/portal/api/buyer/deliveries/sums': ['?eventType=Lead%20Sale', '?status=Confirmed', '?from=MONTH'],
  '/portal/api/buyer/billing': ['?type=charge', '?type=credit', '?from=MONTH', '?type=charge&from=MONTH'],
  '/portal/api/buyer/ledger/sums': ['?type=charge', '?from=MONTH'],
  '/portal/api/buyer/claims': ['?kind=return', '?status=submitted', '?kind=return&status=submitted'],
  '/portal/api/buyer/claims/sums': ['?kind=return', '?status=submitted', '?kind=return&status=submitted'],
};
/** Responses that the activity in this test does not change. */
const STEADY = [
  '/portal/api/buyer/webhook-format',
  '/portal/api/buyer/webhook-format/responses',
  '/portal/api/buyer/webhook-format/secrets',
  '/portal/api/buyer/notices/settings',
  '/portal/api/session',
  '/portal/api/sessions',
  '/portal/api/v1/buyer/disputes',
  '/portal/api/v1/sheets-config',
  '/portal/api/supplier/notices/settings',
  '/portal/api/supplier/specification',
  '/portal/api/supplier/specification.md',
  '/portal/api/v1/supplier/callback-secret',
];

/** The lists that are read as CSV files. */
const EXPORTED = {
  buyer: ['deliveries', 'claims', 'ledger', 'lists', 'notices'],
  supplier: ['submissions', 'statements', 'notices'],
} as const;

/** Names and keys of partners, suppliers and an offer. */
const STRANGERS = { harbor: /\b(?:[Ss]ummit|[Aa]cme|[Rr]ival|West)/, rival: /\b(?:summit|harbor|acme)/i };

const TOOLS = 'betaTools: [timeline, delivery-logs, test-delivery, audit-log]';
// As many returns as deliveries, so that an extra delivery would be noticed.
const CAPS = 'returnPolicy: { monthlyCaps: { leads: "100%" } }';
// Both trading partners have mail and all beta tools, so that a refusal can only be due to the id.
const yaml = marketYaml().replaceAll(
  /^ {4}channels: \[\]$/gm,
  `    channels: [email]\n    settings: { notificationEmail: leads@partner.example }\n    ${TOOLS}\n    ${CAPS}`,
);

type Pair = { readonly buyer: string; readonly supplier: string; readonly state: string; readonly serial: number };
const OWN: Pair = { buyer: 'harbor', supplier: 'rival-media', state: 'NY', serial: 1 };
const OTHERS: Pair = { buyer: 'summit', supplier: 'acme-media', state: 'CA', serial: 2 };

type Traded = {
  readonly leadId: string;
  readonly deliveryId: string;
  readonly claimId: string;
  readonly invoiceId: string;
  readonly receiptId: string;
  readonly statementId: string;
  readonly listId: string;
  /** Of the partner and of the supplier. */
  readonly viewIds: readonly string[];
  /** Of the partner and of the supplier. */
  readonly userIds: readonly string[];
  readonly invitationIds: readonly string[];
};

describe.each(WALLS)('a session $walls', ({ withoutWall }) => {
  // Frozen, so that a response changes only through activity.
  const clock = handClock(new Date().toISOString());
  let market: TestMarketplace;
  let [harbor, rival, summit, acme]: SignedIn[] = [];
  /** By route parameter: an id of Summit or Acme, and an unknown one. */
  let foreign: Readonly<Record<string, ReadonlyArray<readonly [theirs: string, nobodys: string]>>>;
  /** Responses by session and path, before and after the activity of Summit and Acme. */
  let before: Readonly<Record<string, ReadonlyMap<string, string>>>;
  let after: typeof before;

  beforeAll(async () => {
    market = await startTestMarketplace({ yaml, withoutWall, clock });
    if (!withoutWall) await takeNextRights(market);
    // Thousands of requests, in which no socket has a part.
    const sessions = [
      await market.signedIn.buyer('harbor'),
      await market.signedIn.supplier('rival-media'),
      await market.signedIn.buyer('summit'),
      await market.signedIn.supplier('acme-media'),
    ];
    [harbor, rival, summit, acme] = sessions.map((session) => inside(market.runtime.app, session));
    await trade(OWN);
    await foldReports();
    // Their own notices are sent in the background, which their list shows.
    await eventually('no notice waits', async () => {
      const waiting = `SELECT FROM notice WHERE state = 'raised' UNION ALL
        SELECT FROM notice_send WHERE state = 'waiting' AND (lease_id IS NOT NULL OR due_at <= '${clock.now().toISOString()}')`;
      return (await select(market.database, waiting)).length === 0;
    });
    before = await readAll();
    const { leadId, deliveryId, claimId, invoiceId, receiptId, statementId, listId, viewIds, userIds, invitationIds } =
      await trade(OTHERS);
    await foldReports();
    after = await readAll();
    const idsIn = async (signedIn: SignedIn | undefined, path: string): Promise<string[]> =>
      ((await signedIn!.get(path)).json.data as { id: string }[]).map(({ id }) => id);
    const [credential = ''] = await idsIn(summit, '/portal/api/buyer/tokens');
    const [key = ''] = await idsIn(acme, '/portal/api/supplier/keys');
    const [session = ''] = await idsIn(summit, '/portal/api/sessions');
    const [supplierSession = ''] = await idsIn(acme, '/portal/api/sessions');
    foreign = {
      // A list of the console, and none.
      list: [['leads', 'people']],
      deliveryId: [[deliveryId, newId('delivery')]],
      leadId: [[leadId, newId('lead')]],
      claimId: [[claimId, newId('return')]],
      invoiceId: [[invoiceId, newId('invoice')]],
      receiptId: [[receiptId, newId('receipt')]],
      statementId: [[statementId, newId('statement')]],
      offerKey: [['summit-west', 'nobodys-offer']],
      listId: [[listId, newId('list')]],
      loadId: [['1', '2']],
      viewId: viewIds.map((id) => [id, newId('listView')]),
      fileId: [[newId('file'), newId('file')]],
      userId: userIds.map((id) => [id, newId('user')]),
      invitationId: invitationIds.map((id) => [id, newId('invitation')]),
      // Claims, tokens, keys and sessions.
      id: [
        [claimId, newId('return')],
        [credential, newId('token')],
        [key, newId('key')],
        [session, newId('session')],
        [supplierSession, newId('session')],
      ],
    };
  });
  afterAll(() => market.close());

  /** Creates earlier deliveries, a sold and a rejected lead, a claim, an invoice, an account change, and a failing endpoint. */
  async function trade({ buyer, supplier, state, serial }: Pair): Promise<Traded> {
    const name = `For ${buyer}`;
    const now = clock.now();
    const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
    // Some at the start of the partner's month, which other statements count.
    const hours = [2, 6].map((hour) => ({ at: new Date(Math.min(now.getTime(), month + hour * 3_600_000)) }));
    const seeds = [...hours, ...Array.from({ length: 4 }, () => ({ at: now }))];
    await plantDeliveries(market.database, buyer, seeds);
    const [key, token] = [await market.supplierKey(supplier), await market.buyerToken(buyer)];
    const { json } = await postLead(market.url, key, sampleLead(serial, { full_name: name, state }));
    await postLead(market.url, key, { full_name: `Refused by ${supplier}` });
    const session = buyer === 'harbor' ? harbor : summit;
    const leads = await eventually('the lead is delivered', async () => {
      const { data } = (await session!.get('/portal/api/v1/buyer/leads')).json;
      const [newest] = data;
      return newest.lead.fullName === name && newest.status === 'Confirmed' ? (data as Json[]) : null;
    });
    const [{ deliveryId }] = leads as [Json];
    // One claim of the first and two of the second, so that the counts differ.
    const claims: string[] = [];
    for (const one of leads.slice(0, serial)) {
      const body = { deliveryId: one.deliveryId, reason: 'duplicate' };
      const filed = await postAsBuyer(market.url, token, '/api/v1/buyer/returns', { body });
      if (filed.status !== 201) throw new Error(filed.text);
      claims.push(String(filed.json.returnId));
    }
    const changed = await session!.send('PATCH', '/portal/api/v1/buyer/account', { phone: `+1202555010${serial}` });
    if (changed.status !== 200) throw new Error(changed.text);
    const list = { key: 'own', name: `Customers of ${buyer}`, kind: 'email' };
    const created = await session!.send('POST', '/portal/api/buyer/lists', list);
    if (created.status !== 201) throw new Error(created.text);
    const view = { list: 'claims', name: `View for lead ${serial}`, query: '', hiddenColumns: [], replaces: false };
    const viewIds: string[] = [];
    for (const holder of [session, supplier === 'rival-media' ? rival : acme])
      viewIds.push(String((await holder!.send('POST', '/portal/api/list-views', view)).json.id));
    const invoiceId = await invoice(buyer);
    await raise({ supplier });
    await eventually('nothing waits to be sent, which would say that the endpoint is well again', async () => {
      const jobs = 'SELECT FROM send_job UNION ALL SELECT FROM message_job';
      return (await select(market.database, jobs)).length === 0;
    });
    await select(
      market.database,
      `INSERT INTO endpoint_health VALUES ('buyer', $1, 'email', 1, NULL, NULL, 'no answer', $2)`,
      [buyer, clock.now()],
    );
    return {
      leadId: String(json.lead_id),
      deliveryId,
      claimId: claims[0] ?? '',
      invoiceId,
      receiptId: await receipt(buyer, serial),
      statementId: await statement(supplier),
      listId: String(created.json.listId),
      viewIds,
      ...(await people({ buyer, supplier })),
    };
  }

  async function raise(recipient: NoticeRecipient): Promise<void> {
    const data = { channel: 'webhook', since: clock.now().toISOString() };
    const notice = { kind: 'endpoint.recovered', recipient, occurrence: 'x', data } as const;
    await market.database.tx((tx) => raiseNotices(tx, [notice], clock.now()));
  }

  /** A partner's reports are as of the last fold. */
  async function foldReports(): Promise<void> {
    while (await market.database.tx((tx) => foldSome(tx, clock.now())));
  }

  async function receipt(buyerKey: string, serial: number): Promise<string> {
    const receiptId = newUuid();
    await select(
      market.database,
      `INSERT INTO receipt VALUES ($1, $2, 'RCP-2026-00000' || $4::int, gen_random_uuid(), 100, 'x', $3, 'UTC', 'USD', 's', '{}', 'b', '{}', $3)`,
      [receiptId, buyerKey, clock.now(), serial],
    );
    return typeId('receipt', receiptId);
  }

  /** A user and an invitation of each of the two. */
  async function people({
    buyer,
    supplier,
  }: Pick<Pair, 'buyer' | 'supplier'>): Promise<Pick<Traded, 'userIds' | 'invitationIds'>> {
    const [userIds, invitationIds]: [string[], string[]] = [[], []];
    for (const owner of [
      { kind: 'buyer', ownerKey: buyer },
      { kind: 'supplier', ownerKey: supplier },
    ] as const) {
      const person = { ...owner, name: `User of ${owner.ownerKey}`, roles: ['view'] };
      await market.database.tx(async (tx) => {
        const input = {
          ...person,
          email: `one@${owner.ownerKey}.example`,
          passwordHash: '$argon2id$',
          origin: noOrigin,
        };
        const added = await addUser(tx, input, clock.now());
        if (!added.ok) throw new Error(added.code);
        userIds.push(typeId('user', added.value.userId));
        const invited = { ...person, email: `two@${owner.ownerKey}.example`, accountId: null };
        const sent = await invite(tx, { ...invited, actor: commandLineActor, origin: noOrigin }, clock.now());
        if (!sent.ok) throw new Error(sent.code);
        invitationIds.push(typeId('invitation', sent.value.invitationId));
      });
    }
    return { userIds, invitationIds };
  }

  async function statement(supplierKey: string): Promise<string> {
    const lastMonth = new Date(clock.now());
    lastMonth.setUTCDate(0);
    const bonus = {
      businessKey: `${supplierKey}:1`,
      type: 'adjustment',
      supplierKey,
      amountCents: 100,
      description: 'Bonus',
    } as const;
    await market.database.tx((tx) => postSupplierTransfers(tx, [bonus], lastMonth));
    const supplier = { supplierKey, name: supplierKey, timeZone: 'UTC' };
    const input = { supplier, month: lastMonth.toISOString().slice(0, 7), actor: commandLineActor };
    const issued = await market.database.tx((tx) => issueStatement(tx, input, clock.now()));
    if (!issued.ok || issued.value.statement === null) throw new Error('there is no statement');
    return typeId('statement', issued.value.statement.statementId);
  }

  async function invoice(buyerKey: string): Promise<string> {
    const lastMonth = new Date(clock.now());
    lastMonth.setUTCDate(0);
    const charge = {
      businessKey: `${buyerKey}:1`,
      type: 'charge',
      buyerKey,
      amountCents: 100,
      description: 'One',
    } as const;
    await market.database.tx((tx) => postTransfers(tx, [charge], lastMonth));
    const buyer = { buyerKey, name: buyerKey, timeZone: 'UTC', billing: defaultTerms };
    const input = { buyer, month: lastMonth.toISOString().slice(0, 7), actor: commandLineActor };
    const issued = await market.database.tx((tx) => issueInvoice(tx, input, clock.now()));
    if (!issued.ok || issued.value.invoice === null) throw new Error('there is no invoice');
    return typeId('invoice', issued.value.invoice.invoiceId);
  }

  /** Every path without an id that both kinds of session can read. */
  async function readAll(): Promise<Record<string, Map<string, string>>> {
    const month = `${clock.now().toISOString().slice(0, 'YYYY-MM'.length)}-01`;
    const read: Record<string, Map<string, string>> = {};
    for (const [name, kind, session] of [
      ['harbor', 'buyer', harbor],
      ['rival', 'supplier', rival],
      ['summit', 'buyer', summit],
      ['acme', 'supplier', acme],
    ] as const) {
      const responses = new Map<string, string>();
      for (const list of EXPORTED[kind]) {
        const address = `/portal/api/${kind}/exports/${list}`;
        const { status, text } = await session!.get(address);
        expect([name, address, status]).toEqual([name, address, 200]);
        responses.set(address, text);
      }
      for (const { method, path } of portalRoutes((route) => !route.includes('/:'))) {
        if (method !== 'GET' || !isOf(kind, path) || NOT_COMPARED.includes(path)) continue;
        for (const address of ['', ...(FILTERS[path] ?? [])].map((query) => path + query)) {
          const { status, text } = await session!.get(address.replace('MONTH', month));
          expect([name, address, status]).toEqual([name, address, 200]);
          // The last use of a key or token is written with a delay.
          responses.set(address, text.replaceAll(/"lastUsedAt":(?:null|"[^"]*")/g, '"lastUsedAt":0'));
        }
      }
      if (kind === 'buyer') responses.set('export', (await exported(session!, {})).text);
      read[name] = responses;
    }
    return read;
  }

  const exported = (session: SignedIn, body: object): Promise<ApiResponse> =>
    session.send('POST', '/portal/api/buyer/deliveries/export', body);

  function portalRoutes(which: (path: string) => boolean): Route[] {
    const app = market.runtime.app;
    if (app === null) throw new Error('the marketplace has no API');
    return routesOf(app).filter(({ path }) => path.startsWith('/portal/api/') && which(path));
  }
  const withId = (path: string): boolean => path.includes('/:');

  it('finds nothing under ids of others', async () => {
    const routes = portalRoutes(withId);
    expect(routes.length).toBeGreaterThan(12);
    for (const [kind, signedIn] of [
      ['buyer', harbor],
      ['supplier', rival],
    ] as const) {
      for (const { method, path } of routes.filter((route) => isOf(kind, route.path))) {
        const name = /\/:(\w+)/.exec(path)?.[1] ?? '';
        const pairs = foreign[name];
        expect(pairs, `${path}: this test does not know what :${name} is`).toBeDefined();
        for (const [theirs, nobodys] of pairs ?? []) {
          const ask = (id: string): Promise<ApiResponse> =>
            method === 'GET'
              ? signedIn!.get(withIds(path, name, id))
              : signedIn!.send(
                  method,
                  withIds(path, name, id),
                  method === 'DELETE' ? undefined : bodyOf(path),
                  headersOf(path),
                );
          const [one, other] = [await ask(theirs), await ask(nobodys)];
          expect([method, path, theirs, one.status]).toEqual([method, path, theirs, 404]);
          expect([method, path, withoutRequest(one)]).toEqual([method, path, withoutRequest(other)]);
        }
      }
    }
  });

  it('reads nothing of other partners or suppliers', () => {
    for (const [name, words] of Object.entries(STRANGERS)) {
      for (const [address, text] of after[name] ?? [])
        expect([name, address, words.exec(text)?.[0]]).toEqual([name, address, undefined]);
    }
  });

  it('of each partner reads its own balance and return counts', () => {
    const of = (name: string, path: string): Json =>
      JSON.parse(after[name]?.get(`/portal/api/v1/buyer/${path}`) ?? '{}');
    const numbers = ['harbor', 'summit'].map((name) => [
      of(name, 'billing').currentBalance,
      of(name, 'return-policy').monthlyCaps.leads.used,
    ]);
    expect(numbers).toEqual([
      [-41.5, 1],
      [-46, 2],
    ]);
  });

  it('reads the same regardless of others’ activity', () => {
    for (const name of ['harbor', 'rival']) {
      const responses = [...(before[name] ?? [])];
      expect(responses.length).toBeGreaterThan(8);
      for (const [address, text] of responses)
        expect([name, address, after[name]?.get(address)]).toEqual([name, address, text]);
    }
    // The owner sees the changes, so the check above is meaningful.
    const steady = ['summit', 'acme'].flatMap((name) =>
      [...(before[name] ?? [])].filter(([address, text]) => after[name]?.get(address) === text),
    );
    expect(new Set(steady.map(([address]) => address))).toEqual(new Set(STEADY));
  });

  it('finds no delivery of others by personal data, and cannot file on it', async () => {
    const [[deliveryId, nobodys] = ['', '']] = foreign['deliveryId'] ?? [];
    for (const search of [
      'For summit',
      sampleLead(OTHERS.serial)['email'],
      sampleLead(OTHERS.serial)['phone'],
      deliveryId,
    ]) {
      const headers = { 'x-search': encodeURIComponent(String(search)) };
      const found = async (session: SignedIn | undefined): Promise<[unknown, number]> => [
        (await session!.get('/portal/api/buyer/deliveries', headers)).json.total,
        (await exported(session!, { search })).text.trimEnd().split('\n').length - 1,
      ];
      expect([search, await found(harbor), await found(summit)]).toEqual([search, [0, 0], [1, 1]]);
    }
    for (const path of ['returns', 'returns?dryRun=true', 'disputes', 'disputes?dryRun=true']) {
      const file = (id: string): Promise<ApiResponse> =>
        harbor!.send('POST', `/portal/api/v1/buyer/${path}`, {
          deliveryId: id,
          reason: 'bot',
          ...(path.startsWith('d') ? { detail: 'So.' } : {}),
        });
      const [one, other] = [await file(deliveryId), await file(nobodys)];
      expect([path, one.status, withoutRequest(one)]).toEqual([path, 404, withoutRequest(other)]);
    }
    const several = async (path: string, id: string): Promise<unknown> => {
      const filing = path === 'returns' ? { reason: 'bot', proof: null } : {};
      const response = await harbor!.send('POST', `/portal/api/buyer/${path}`, { deliveryIds: [id], ...filing });
      return [response.status, response.text.replace(id, '')];
    };
    for (const path of ['returns', 'returns/preview']) {
      const answered = await several(path, deliveryId);
      expect(answered).toEqual([
        200,
        path === 'returns' ? expect.stringMatching('delivery_not_found.*"caps":\\[\\]') : '{"data":[]}',
      ]);
      expect([path, answered]).toEqual([path, await several(path, nobodys)]);
    }
  });

  it('of a supplier cannot open partners’ routes, nor the reverse', async () => {
    for (const { method, path } of portalRoutes(withId)) {
      if (isOf('buyer', path) === isOf('supplier', path)) continue;
      const stranger = isOf('buyer', path) ? rival : harbor;
      const address = path.replaceAll(/:(\w+)/g, (_, name: string) => foreign[name]?.[0]?.[0] ?? '');
      const response = method === 'GET' ? await stranger!.get(address) : await stranger!.send(method, address, {});
      expect([method, path, response.status]).toEqual([method, path, 401]);
    }
  });

  // The following routes read nothing of a partner.
  if (withoutWall) return;

  it('of a partner cannot open the console', async () => {
    const app = market.runtime.app;
    const routes = routesOf(app!).filter(
      ({ path }) =>
        path.startsWith('/console/api/') && !/^\/console\/api\/(?:session|invitation(?:\/accept)?)$/.test(path),
    );
    expect(routes.length).toBeGreaterThan(40);
    for (const { method, path } of routes) {
      const cookie = harbor!.cookie.replace(/^sid=/, 'console=');
      for (const headers of [{}, { cookie }]) {
        const response =
          method === 'GET' ? await harbor!.get(path, headers) : await harbor!.send(method, path, {}, headers);
        expect([method, path, response.status]).toEqual([method, path, 401]);
      }
    }
  });

  it('does not open the public API, which ignores cookies', async () => {
    expect((await harbor!.get('/api/v1/buyer/leads')).status).toBe(401);
    expect((await rival!.get('/api/v1/supplier/stats')).status).toBe(401);
  });
});
