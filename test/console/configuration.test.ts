import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readFileSettings } from '../../src/buyers/read-file-settings.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

const yaml = `
marketplace: { dedupDays: 10 }
suppliers:
  - key: acme
    name: Acme Media
    status: approved
    fieldMapping: { "contact.name": full_name, Mobile: { to: phone, transform: us_phone } }
  - { key: brightform, name: Brightform }
partners:
  - key: summit
    name: Summit Debt Relief
    timeZone: America/New_York
    channels: [webhook]
    settings: { webhookUrl: "https://crm.summit.example/leads", notificationEmail: ops@summit.example }
    returnPolicy: { windowBusinessDays: 7 }
    offers:
      - { key: summit-ca, eventType: Lead Sale, payout: 45.5, filters: { states: [CA] }, caps: { daily: 5 }, budget: { daily: 300 } }
      - { key: summit-any, eventType: Lead Sale, payout: 20 }
  - { key: valley, name: Valley Law }
`;

type Body = Record<string, unknown>;
let market: TestMarketplace;
let anna: SignedIn;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml });
  anna = await market.signedIn.operator('anna');
});
afterAll(() => market.close());

const change = async (what: 'preview' | 'apply', body: Body, who = anna) => {
  const response = await who.send('POST', `/console/api/configuration/${what}`, body);
  return { status: response.status, ...(response.json as Body) };
};
const versionOf = async (path: string): Promise<number> => (await anna.get(`/console/api/${path}`)).json.version;

describe('lists', () => {
  test('partners come by name, a page at a time, with what they came to', async () => {
    const { status, json } = await anna.get('/console/api/partners?pageSize=1&page=2');
    expect(status).toBe(200);
    expect(json).toMatchObject({ page: 2, pageSize: 1, total: 2 });
    expect(json.data).toEqual([
      {
        key: 'valley',
        name: 'Valley Law',
        status: 'active',
        timeZone: 'UTC',
        channels: [],
        billing: { mode: 'postpaid', creditLimit: null },
        endpointDisabledAt: null,
        figures: { sold: 0, revenue: 0, returned: 0, failed: 0, offers: 0, activeOffers: 0 },
      },
    ]);
  });

  test.each([
    ['suppliers?search=BRIGHT', ['brightform']],
    ['suppliers?status=approved', ['acme']],
    ['suppliers?search=%25', []],
    ['partners?search=debt%20rel', ['summit']],
    ['partners?search=_', []],
    ['partners?status=paused', []],
    ['offers?partner=summit', ['summit-any', 'summit-ca']],
    ['offers?partner=summit&search=ca', ['summit-ca']],
    ['offers?partner=valley', []],
    ['offers?search=summit&status=active', ['summit-any', 'summit-ca']],
  ])('%s finds what it says', async (path, keys) => {
    const { json } = await anna.get(`/console/api/${path}`);
    expect(json.data.map((row: Body) => row['key'])).toEqual(keys);
    expect(json.total).toBe(keys.length);
  });

  test('nobody but an operator sees them', async () => {
    const buyer = await market.signedIn.buyer('summit');
    for (const path of ['partners', 'partners/summit', 'offers', 'suppliers', 'marketplace', 'configuration/file']) {
      expect((await buyer.get(`/console/api/${path}`)).status).toBe(401);
    }
  });
});

describe('one thing', () => {
  test('comes in the words of the marketplace file, with the version that it is of', async () => {
    const supplier = await anna.get('/console/api/suppliers/acme');
    expect(supplier.json).toMatchObject({
      supplier: {
        key: 'acme',
        fieldMapping: { 'contact.name': 'full_name', Mobile: { to: 'phone', transform: 'us_phone' } },
        callback: null,
        rateLimit: { perSecond: 100, burst: 200 },
      },
    });
    expect(Object.keys(supplier.json.supplier.fieldMapping)).toEqual(['contact.name', 'Mobile']);
    const partner = await anna.get('/console/api/partners/summit');
    expect(partner.json.partner).toMatchObject({
      settings: { webhookUrl: 'https://crm.summit.example/leads', ccEmails: [], phone: null },
      returnPolicy: { windowBusinessDays: 7, monthlyCaps: { leads: '10%', bookings: '10%' } },
    });
    const offer = await anna.get('/console/api/offers/summit-ca');
    expect(offer.json).toMatchObject({
      offer: { partner: 'summit', payout: 45.5, caps: { daily: 5, weekly: null, monthly: null }, schedule: null },
      timeZone: 'America/New_York',
      usage: { state: 'active', windows: { daily: { limit: 5, used: 0, budget: 300, spent: 0 } } },
    });
    const settings = await anna.get('/console/api/marketplace');
    expect(settings.json.marketplace).toMatchObject({ dedupDays: 10, retention: { leadDays: 'forever' } });
    expect(new Set([supplier, partner, offer, settings].map(({ json }) => json.version)).size).toBe(1);
  });

  test('forms are told what there is to choose from', async () => {
    const { json } = await anna.get('/console/api/form-choices');
    expect(json.states).toContainEqual({ code: 'CA', name: 'California' });
    expect(json.states).toContainEqual({ code: 'ON', name: 'Ontario' });
    expect(json.otherStates).toBe(false);
    expect(json.mappingTargets).toContain('full_name');
    expect(json.mappingTransforms).toContain('us_phone');
  });

  test.each(['suppliers/nobody', 'partners/nobody', 'offers/nothing', 'partners/acme', 'partners/..%2f'])(
    '%s is not found',
    async (path) => expect((await anna.get(`/console/api/${path}`)).status).toBe(404),
  );
});

describe('a preview', () => {
  test('says what would change, field by field, and changes nothing', async () => {
    const before = await versionOf('marketplace');
    const fragment = { partners: [{ key: 'summit', offers: [{ key: 'summit-ca', payout: 50, caps: { daily: 10 } }] }] };
    const seen = await change('preview', { fragment, version: before });
    expect(seen).toEqual({
      ...{ status: 200, version: before, applied: false },
      changes: [
        {
          kind: 'offer',
          key: 'summit-ca',
          action: 'update',
          fields: { payout: { from: 45.5, to: 50 }, 'caps.daily': { from: 5, to: 10 } },
        },
      ],
      ...{ unmanaged: [], notes: [], faults: [], meanwhile: [] },
    });
    expect(await versionOf('marketplace')).toBe(before);
  });

  test('leaves alone what is left out, and sets to its default what is null', async () => {
    const partner = { key: 'summit', name: 'Summit', returnPolicy: null };
    const seen = await change('preview', { fragment: { partners: [partner] } });
    expect(seen).toMatchObject({
      changes: [
        {
          kind: 'partner',
          fields: {
            name: { from: 'Summit Debt Relief', to: 'Summit' },
            'returnPolicy.windowBusinessDays': { from: 7, to: 5 },
          },
        },
      ],
    });
    const settings = await change('preview', { fragment: { marketplace: { holdMinutes: 20 } } });
    expect(settings).toMatchObject({ changes: [{ fields: { holdMinutes: { from: 15, to: 20 } } }] });
  });

  test.each([
    [{ partners: [{ key: 'summit', timeZone: 'Mars/Base' }] }, 'partners[0].timeZone', 'must be an IANA time zone'],
    [
      { partners: [{ key: 'valley', offers: [{ key: 'x', eventType: 'Lead Sale', payout: '45' }] }] },
      'partners[0].offers[0].payout',
      'must be an amount',
    ],
    [
      { partners: [{ key: 'valley', offers: [{ key: 'summit-ca', eventType: 'Lead Sale', payout: 4 }] }] },
      'partners[0].offers[0].key',
      'belongs to the partner "summit"',
    ],
    [
      { suppliers: [{ key: 'acme', callback: { url: 'http://acme.example/' } }] },
      'suppliers[0].callback.url',
      'is refused',
    ],
    [{ suppliers: [{ key: 'acme', fieldMapping: { a: 'nothing' } }] }, 'suppliers[0].fieldMapping.a', ''],
    [{ suppliers: [{ name: 'No key' }] }, 'suppliers[0].key', 'is missing'],
    [{ marketplace: { currency: 'dollars' } }, 'marketplace.currency', 'must be a currency code'],
  ])('%j is refused with its place', async (fragment, path, message) => {
    const seen = await change('preview', { fragment });
    expect(seen).toMatchObject({ status: 200, applied: false, changes: [] });
    expect((seen as Body)['faults']).toMatchObject([
      { path, message: expect.stringContaining(message) as string, line: null, column: null },
    ]);
  });

  test('a thing that is to be new must not exist', async () => {
    const taken = async (fragment: Body) =>
      (await change('preview', { fragment, isNew: true })) as unknown as { faults: Body[] };
    expect((await taken({ suppliers: [{ key: 'acme' }] })).faults).toMatchObject([
      { path: 'suppliers[0].key', message: '"acme" is taken: there is such a supplier already' },
    ]);
    expect((await taken({ partners: [{ key: 'summit' }] })).faults).toMatchObject([{ path: 'partners[0].key' }]);
    const offer = { key: 'summit-ca', eventType: 'Lead Sale', payout: 4 };
    expect((await taken({ partners: [{ key: 'summit', offers: [offer] }] })).faults).toMatchObject([
      { path: 'partners[0].offers[0].key' },
    ]);
    expect((await taken({ partners: [{ key: 'summit', offers: [{ ...offer, key: 'summit-tx' }] }] })).faults).toEqual(
      [],
    );
  });

  test('a body that is neither a part nor a whole is refused', async () => {
    expect(await change('preview', {})).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(await change('preview', { text: 'a', fragment: {} })).toMatchObject({ status: 422 });
    expect(await change('preview', { fragment: { offers: [] } })).toMatchObject({ status: 422 });
    expect(await change('apply', { fragment: {} })).toMatchObject({ status: 422, code: 'validation_failed' });
  });
});

describe('applying', () => {
  test('puts the change into force at once, with the operator on record', async () => {
    const version = await versionOf('partners/valley');
    const fragment = {
      partners: [
        {
          key: 'valley',
          name: 'Valley Law Group',
          offers: [{ key: 'valley-tx', eventType: 'Lead Sale', payout: 31.25 }],
        },
      ],
    };
    const done = await change('apply', { fragment, version });
    expect(done).toMatchObject({ status: 200, applied: true, version: version + 1, faults: [] });
    expect((await anna.get('/console/api/offers/valley-tx')).json.offer).toMatchObject({
      partner: 'valley',
      payout: 31.25,
    });
    const { json } = await anna.get('/console/api/configuration/changes?kind=partner&key=valley');
    expect(json.data.slice(0, 2)).toMatchObject([
      { kind: 'offer', key: 'valley-tx', action: 'offer.created', actor: { type: 'operator', name: 'anna' } },
      { kind: 'partner', key: 'valley', changes: { name: { from: 'Valley Law', to: 'Valley Law Group' } } },
    ]);
    // What a partner must not see of it is one change with the rest here.
    expect(json.data[0].changes).toMatchObject({ payout: { to: 31.25 }, priority: { to: 1 } });
    const rows = await market.testDatabase.database.pool.query(
      `SELECT ip, request_id FROM audit_event WHERE target = 'valley-tx'`,
    );
    expect(rows.rows[0]).toMatchObject({ ip: '127.0.0.1', request_id: expect.any(String) as string });
  });

  test('a new partner can take leads at once: it has a secret and an account', async () => {
    const version = await versionOf('marketplace');
    const fragment = {
      partners: [{ key: 'north', name: 'North', settings: { notificationEmail: 'a@north.example' } }],
    };
    expect(await change('apply', { fragment, isNew: true, version })).toMatchObject({ applied: true });
    expect(await market.secretOf('north')).toMatch(/^whsec_/);
    const token = await anna.send('POST', '/console/api/partners/north/credentials', { label: 'crm' });
    const account = await fetch(`${market.url}/api/v1/buyer/account`, {
      headers: { authorization: `Bearer ${token.json.secret}` },
    });
    expect(account.status).toBe(200);
  });

  test('is refused where somebody has changed the same meanwhile, and the preview says who and what', async () => {
    const version = await versionOf('offers/summit-any');
    const ben = await market.signedIn.operator('ben');
    const bens = { partners: [{ key: 'summit', offers: [{ key: 'summit-any', payout: 22, priority: 3 }] }] };
    expect(await change('apply', { fragment: bens, version }, ben)).toMatchObject({ applied: true });
    const annas = { partners: [{ key: 'summit', offers: [{ key: 'summit-any', weight: 5 }] }] };
    expect(await change('apply', { fragment: annas, version })).toMatchObject({
      status: 409,
      code: 'configuration_changed',
    });
    const seen = await change('preview', { fragment: annas, version });
    expect(seen).toMatchObject({
      version: version + 1,
      changes: [{ fields: { weight: { from: 1, to: 5 } } }],
      meanwhile: [
        {
          kind: 'offer',
          key: 'summit-any',
          actor: { type: 'operator', name: 'ben' },
          changes: { payout: { from: 20, to: 22 }, priority: { from: 1, to: 3 } },
        },
      ],
    });
    expect(await change('apply', { fragment: annas, version: version + 1 })).toMatchObject({ applied: true });
  });

  test('is not refused because of changes of other things', async () => {
    const version = await versionOf('suppliers/acme');
    const other = await change('apply', {
      fragment: { suppliers: [{ key: 'brightform', status: 'approved' }] },
      version,
    });
    expect(other).toMatchObject({ applied: true });
    const own = await change('apply', { fragment: { suppliers: [{ key: 'acme', name: 'Acme' }] }, version });
    expect(own).toMatchObject({ applied: true, meanwhile: [] });
  });

  test('a change of nothing writes nothing', async () => {
    const version = await versionOf('marketplace');
    const done = await change('apply', { fragment: { suppliers: [{ key: 'acme' }] }, version });
    expect(done).toMatchObject({ applied: true, changes: [], version });
  });

  test('with the same Idempotency-Key it happens once', async () => {
    const version = await versionOf('suppliers/acme');
    const body = { fragment: { suppliers: [{ key: 'acme', name: 'Acme again' }] }, version };
    const path = '/console/api/configuration/apply';
    const first = await anna.send('POST', path, body, { 'idempotency-key': 'once' });
    const again = await anna.send('POST', path, body, { 'idempotency-key': 'once' });
    expect(again.text).toBe(first.text);
    expect(await versionOf('suppliers/acme')).toBe(version + 1);
  });
});

describe('the settings of a partner', () => {
  test('that a form states are what the operator wants, whatever the last file said', async () => {
    const set = async (webhookUrl: string) => {
      const fragment = { partners: [{ key: 'summit', settings: { webhookUrl } }] };
      return change('apply', { fragment, version: await versionOf('partners/summit') });
    };
    const file = 'https://crm.summit.example/leads';
    expect(await set('https://other.summit.example/leads')).toMatchObject({ applied: true });
    // As the file had it: a file that stated it again would be no change.
    expect(await set(file)).toMatchObject({ changes: [{ fields: { 'settings.webhookUrl': { to: file } } }] });
    expect(await set('https://third.summit.example/leads')).toMatchObject({ applied: true });
    const statements = await readFileSettings(market.database);
    expect(statements.get('summit')).toEqual({ webhookUrl: file, notificationEmail: 'ops@summit.example' });
    // So that the file, applied once more, leaves the operator's own change alone.
    const text = `partners: [{ key: summit, settings: { webhookUrl: "${file}" } }]`;
    const seen = (await change('preview', { text })) as unknown as { changes: Array<{ fields: Body }> };
    expect(seen.changes.flatMap(({ fields }) => Object.keys(fields))).not.toContain('settings.webhookUrl');
  });

  test('a URL whose host is inside of the network is refused at its field', async () => {
    const fragment = { partners: [{ key: 'summit', settings: { webhookUrl: 'https://localhost/leads' } }] };
    expect(await change('preview', { fragment })).toMatchObject({
      faults: [{ path: 'partners[0].settings.webhookUrl', line: null }],
    });
  });
});

describe('the whole file', () => {
  test('can be read, downloaded, and changes nothing when it is applied as it is', async () => {
    const { json } = await anna.get('/console/api/configuration/file');
    expect(json.text).toContain('key: summit-ca');
    expect(parseFile(json.text, { allowTargets: [] }).ok).toBe(true);
    expect(await change('apply', { text: json.text, version: json.version })).toMatchObject({
      applied: true,
      changes: [],
      unmanaged: [],
    });
    const download = await anna.get('/console/api/configuration/export');
    expect(download.headers.get('content-disposition')).toBe('attachment; filename="marketplace.yaml"');
    expect(download.headers.get('content-type')).toContain('yaml');
    expect(download.text).toBe(json.text);
  });

  test('faults come with line and column', async () => {
    const text = 'suppliers:\n  - key: acme\n    status: aproved\n';
    expect(await change('preview', { text })).toMatchObject({
      faults: [
        { path: 'suppliers[0].status', line: 3, column: 13, message: expect.stringContaining('approved') as string },
      ],
    });
    expect(await change('preview', { text: 'a: [' })).toMatchObject({ faults: [{ line: 1 }] });
  });

  test('what is missing from it is told, and closed only on request', async () => {
    const text = 'suppliers: [{ key: acme, status: approved }]';
    const seen = (await change('preview', { text })) as unknown as { unmanaged: Body[]; changes: Body[] };
    expect(seen.unmanaged).toContainEqual({ kind: 'partner', key: 'summit' });
    const pruned = (await change('preview', { text, prune: true })) as unknown as {
      unmanaged: Body[];
      changes: Body[];
    };
    expect(pruned.unmanaged).toEqual([]);
    expect(pruned.changes).toContainEqual({
      kind: 'partner',
      key: 'summit',
      action: 'close',
      fields: { status: { from: 'active', to: 'suspended' } },
    });
    // A form names one thing; the rest is no business of it.
    const part = await change('preview', { fragment: { suppliers: [{ key: 'acme' }] }, prune: true });
    expect(part).toMatchObject({ changes: [], unmanaged: [] });
  });

  test('is refused where anything has changed since it was read', async () => {
    const { json } = await anna.get('/console/api/configuration/file');
    await change('apply', { fragment: { marketplace: { dedupDays: 11 } }, version: json.version });
    expect(await change('apply', { text: json.text, version: json.version })).toMatchObject({ status: 409 });
    expect(await change('preview', { text: json.text, version: json.version })).toMatchObject({
      meanwhile: [{ kind: 'marketplace', actor: { name: 'anna' }, changes: { dedupDays: { from: 10, to: 11 } } }],
    });
  });

  test('a large one is read in a thread of its own, and is the same', async () => {
    const partners = Array.from({ length: 500 }, (_, index) => ({
      key: `many-${index}`,
      name: `Many ${index}`,
      timeZone: 'UTC',
    }));
    const text = JSON.stringify({ partners });
    expect(text.length).toBeGreaterThan(20_000);
    const seen = (await change('preview', { text: `${text}\n# ${'x'.repeat(5000)}` })) as unknown as {
      changes: Body[];
    };
    expect(seen.changes).toHaveLength(500);
    const faulty = await change('preview', { text: `${text.slice(0, -2)},{"key":"many-0"}]}${' '.repeat(5000)}` });
    expect(faulty).toMatchObject({ faults: [{ path: 'partners[500].key', line: 1 }] });
  });
});

describe('status and endpoint', () => {
  test('a partner is paused and a supplier suspended, in force at once', async () => {
    const buyer = await market.signedIn.buyer('valley');
    expect((await buyer.get('/portal/api/v1/buyer/leads')).status).toBe(200);
    const suspended = await anna.send('POST', '/console/api/partners/valley/status', { status: 'suspended' });
    expect(suspended.json).toMatchObject({ key: 'valley', status: 'suspended' });
    expect((await buyer.get('/portal/api/v1/buyer/leads')).status).toBe(403);
    await anna.send('POST', '/console/api/partners/valley/status', { status: 'active' });
    expect((await buyer.get('/portal/api/v1/buyer/leads')).status).toBe(200);
    const supplier = await anna.send('POST', '/console/api/suppliers/brightform/status', { status: 'suspended' });
    expect(supplier.json).toMatchObject({ status: 'suspended' });
    const { json } = await anna.get('/console/api/configuration/changes?kind=supplier&key=brightform');
    expect(json.data[0]).toMatchObject({ action: 'supplier.status_set', actor: { name: 'anna' } });
    expect((await anna.send('POST', '/console/api/partners/valley/status', { status: 'closed' })).status).toBe(422);
    expect((await anna.send('POST', '/console/api/partners/nobody/status', { status: 'paused' })).status).toBe(404);
  });

  test('an endpoint that answered 410 is enabled', async () => {
    await market.testDatabase.database.pool.query(
      `UPDATE buyer SET endpoint_disabled_at = '2026-11-20T10:00:00Z' WHERE buyer_key = 'summit'`,
    );
    expect((await anna.get('/console/api/partners/summit')).json.partner.endpointDisabledAt).toBe(
      '2026-11-20T10:00:00.000Z',
    );
    const path = '/console/api/partners/summit/endpoint/enable';
    expect((await anna.send('POST', path)).json).toEqual({ enabled: true, wasDisabled: true });
    expect((await anna.send('POST', path)).json).toEqual({ enabled: true, wasDisabled: false });
    expect((await anna.get('/console/api/partners/summit')).json.partner.endpointDisabledAt).toBeNull();
  });
});
