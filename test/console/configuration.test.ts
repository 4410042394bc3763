import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { accentShades } from '../../src/base/accent-shades.ts';
import { readFileSettings } from '../../src/buyers/file-settings.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { call } from '../support/api-client.ts';
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

function logoOf(kind: string, content: string): Body {
  const logo = `data:image/${kind};base64,${Buffer.from(content).toString('base64')}`;
  return { marketplace: { brand: { logo } } };
}

describe('lists of partners, offers and suppliers', () => {
  it('are sorted by name and paged, with figures', async () => {
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
        billing: {
          mode: 'postpaid',
          creditLimit: null,
          dueDays: 14,
          taxPercent: 0,
          taxId: null,
          address: [],
          email: null,
          pauseBelow: null,
        },
        endpointDisabledAt: null,
        fundsPausedAt: null,
        ownPause: null,
        figures: { sold: 0, revenue: 0, returned: 0, failed: 0, offers: 0, activeOffers: 0 },
        activity: { availableFunds: null, lastLeadAt: null, endpoint: 'none', today: null, trend: Array(14).fill(0) },
      },
    ]);
  });

  it.each([
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
  ])('filters %s', async (path, keys) => {
    const { json } = await anna.get(`/console/api/${path}`);
    expect(json.data.map((row: Body) => row['key'])).toEqual(keys);
    expect(json.total).toBe(keys.length);
  });

  it('refuse partners and suppliers', async () => {
    const buyer = await market.signedIn.buyer('summit');
    for (const path of ['partners', 'partners/summit', 'offers', 'suppliers', 'marketplace', 'configuration/file']) {
      expect((await buyer.get(`/console/api/${path}`)).status).toBe(401);
    }
  });
});

describe('one configured entry', () => {
  it('has the members of the marketplace file and the configuration version', async () => {
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

  it('offers the choices of the forms', async () => {
    const { json } = await anna.get('/console/api/form-choices');
    expect(json.states).toContainEqual({ code: 'CA', name: 'California' });
    expect(json.states).toContainEqual({ code: 'ON', name: 'Ontario' });
    expect(json.otherStates).toBe(false);
    expect(json.mappingTargets).toContain('full_name');
    expect(json.mappingTransforms).toContain('us_phone');
  });

  it.each(['suppliers/nobody', 'partners/nobody', 'offers/nothing', 'partners/acme', 'partners/..%2f'])(
    '%s is not found',
    async (path) => expect((await anna.get(`/console/api/${path}`)).status).toBe(404),
  );
});

describe('the preview of a change', () => {
  it('lists the changed fields and changes nothing', async () => {
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

  it('says which offers stop receiving leads, before it is applied', async () => {
    const clearing = { key: 'summit', settings: { webhookUrl: null } };
    const seen = await change('preview', { fragment: { partners: [clearing] } });
    expect(seen).toMatchObject({
      stops: [
        'Summit Debt Relief: 2 offers stop receiving leads: summit-any (0 leads for $0.00 in 28 days), summit-ca (0 leads for $0.00 in 28 days). Nowhere to deliver: no webhook URL is set.',
      ],
    });
    const pausing = { key: 'summit', offers: [{ key: 'summit-any', status: 'paused' }] };
    expect(await change('preview', { fragment: { partners: [pausing] } })).toMatchObject({
      stops: [expect.stringContaining('summit-any') as string],
    });
    const text = 'suppliers: [{ key: acme, status: approved }]';
    expect(await change('preview', { text, prune: true })).toMatchObject({
      stops: [expect.stringContaining('The offer is closed') as string],
    });
  });

  it('keeps omitted members and resets null ones to their defaults', async () => {
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

  it.each([
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
      { partners: [{ key: 'summit', offers: [{ key: 'summit-ca', price: 'answered', priceMin: 5 }] }] },
      'partners[0].offers[0].price',
      '"answered" needs a custom format of the partner’s webhook',
    ],
    [
      { suppliers: [{ key: 'acme', callback: { url: 'http://acme.example/' } }] },
      'suppliers[0].callback.url',
      'is refused',
    ],
    [{ suppliers: [{ key: 'acme', fieldMapping: { a: 'nothing' } }] }, 'suppliers[0].fieldMapping.a', ''],
    [{ suppliers: [{ name: 'No key' }] }, 'suppliers[0].key', 'is missing'],
    [{ marketplace: { currency: 'dollars' } }, 'marketplace.currency', 'must be a currency code'],
    [{ marketplace: { brand: { accentColor: 'teal' } } }, 'marketplace.brand.accentColor', 'must be a color'],
    [logoOf('svg+xml', '<svg onload="alert(1)"/>'), 'marketplace.brand.logo', 'must be a PNG or JPEG image'],
    [logoOf('png', '<svg onload="alert(1)"/>'), 'marketplace.brand.logo', 'must be a PNG or JPEG image'],
    [logoOf('png', 'x'.repeat(30_000)), 'marketplace.brand.logo', 'must be a PNG or JPEG image'],
  ])('refuses %j with the path of the error', async (fragment, path, message) => {
    const seen = await change('preview', { fragment });
    expect(seen).toMatchObject({ status: 200, applied: false, changes: [] });
    expect((seen as Body)['faults']).toMatchObject([
      { path, message: expect.stringContaining(message) as string, line: null, column: null },
    ]);
  });

  it('shows a new logo and accent color to everyone, signed in or not', async () => {
    const logo = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')}`;
    const brand = { accentColor: '#123ABC', logo };
    const version = await versionOf('marketplace');
    expect(await change('apply', { fragment: { marketplace: { brand } }, version })).toMatchObject({ applied: true });
    for (const area of ['portal', 'console']) {
      const { json } = await call(`${market.url}/${area}/api/session`);
      expect(json).toMatchObject({
        session: null,
        brand: { name: 'Lead Marketplace', logo, shades: accentShades(brand.accentColor) },
      });
    }
  });

  it('refuses a new entry that exists already', async () => {
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

  it('refuses a body that is neither a fragment nor a file', async () => {
    expect(await change('preview', {})).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(await change('preview', { text: 'a', fragment: {} })).toMatchObject({ status: 422 });
    expect(await change('preview', { fragment: { offers: [] } })).toMatchObject({ status: 422 });
    expect(await change('apply', { fragment: {} })).toMatchObject({ status: 422, code: 'validation_failed' });
  });
});

describe('applying a change', () => {
  it('takes effect at once and records the operator', async () => {
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
    // For the operator, changes hidden from the partner are part of the same change.
    expect(json.data[0].changes).toMatchObject({ payout: { to: 31.25 }, priority: { to: 1 } });
    const rows = await market.testDatabase.database.pool.query(
      `SELECT ip, request_id FROM audit_event WHERE target = 'valley-tx'`,
    );
    expect(rows.rows[0]).toMatchObject({ ip: '127.0.0.1', request_id: expect.any(String) as string });
  });

  it('gives a new partner a secret and an account at once', async () => {
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

  it('refuses a change of entries that changed meanwhile, and the preview names the change', async () => {
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

  it('accepts a change although other entries changed meanwhile', async () => {
    const version = await versionOf('suppliers/acme');
    const other = await change('apply', {
      fragment: { suppliers: [{ key: 'brightform', status: 'approved' }] },
      version,
    });
    expect(other).toMatchObject({ applied: true });
    const own = await change('apply', { fragment: { suppliers: [{ key: 'acme', name: 'Acme' }] }, version });
    expect(own).toMatchObject({ applied: true, meanwhile: [] });
  });

  it('writes nothing for an empty change', async () => {
    const version = await versionOf('marketplace');
    const done = await change('apply', { fragment: { suppliers: [{ key: 'acme' }] }, version });
    expect(done).toMatchObject({ applied: true, changes: [], version });
  });

  it('applies once for repeated requests with one key', async () => {
    const version = await versionOf('suppliers/acme');
    const body = { fragment: { suppliers: [{ key: 'acme', name: 'Acme again' }] }, version };
    const path = '/console/api/configuration/apply';
    const first = await anna.send('POST', path, body, { 'idempotency-key': 'once' });
    const again = await anna.send('POST', path, body, { 'idempotency-key': 'once' });
    expect(again.text).toBe(first.text);
    expect(await versionOf('suppliers/acme')).toBe(version + 1);
  });
});

describe('the settings of a partner in the form', () => {
  it('override those of an earlier file', async () => {
    const set = async (webhookUrl: string) => {
      const fragment = { partners: [{ key: 'summit', settings: { webhookUrl } }] };
      return change('apply', { fragment, version: await versionOf('partners/summit') });
    };
    const file = 'https://crm.summit.example/leads';
    expect(await set('https://other.summit.example/leads')).toMatchObject({ applied: true });
    // The same value as in the file, which therefore would not change it.
    expect(await set(file)).toMatchObject({ changes: [{ fields: { 'settings.webhookUrl': { to: file } } }] });
    expect(await set('https://third.summit.example/leads')).toMatchObject({ applied: true });
    const statements = await readFileSettings(market.database);
    expect(statements.get('summit')).toEqual({ webhookUrl: file, notificationEmail: 'ops@summit.example' });
    // So that applying the file again keeps the operator's change.
    const text = `partners: [{ key: summit, settings: { webhookUrl: "${file}" } }]`;
    const seen = (await change('preview', { text })) as unknown as { changes: Array<{ fields: Body }> };
    expect(seen.changes.flatMap(({ fields }) => Object.keys(fields))).not.toContain('settings.webhookUrl');
  });

  it('refuse a URL with a private host at its field', async () => {
    const fragment = { partners: [{ key: 'summit', settings: { webhookUrl: 'https://localhost/leads' } }] };
    expect(await change('preview', { fragment })).toMatchObject({
      faults: [{ path: 'partners[0].settings.webhookUrl', line: null }],
    });
  });
});

describe('the marketplace file in the console', () => {
  it('can be read and downloaded, and changes nothing when applied unchanged', async () => {
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

  it('reports errors with line and column', async () => {
    const text = 'suppliers:\n  - key: acme\n    status: aproved\n';
    expect(await change('preview', { text })).toMatchObject({
      faults: [
        { path: 'suppliers[0].status', line: 3, column: 13, message: expect.stringContaining('approved') as string },
      ],
    });
    expect(await change('preview', { text: 'a: [' })).toMatchObject({ faults: [{ line: 1 }] });
  });

  it('lists entries that are missing from it, and closes them only on request', async () => {
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
    // A form names one entry, so nothing else is reported as missing.
    const part = await change('preview', { fragment: { suppliers: [{ key: 'acme' }] }, prune: true });
    expect(part).toMatchObject({ changes: [], unmanaged: [] });
  });

  it('is refused if anything changed since it was read', async () => {
    const { json } = await anna.get('/console/api/configuration/file');
    await change('apply', { fragment: { marketplace: { dedupDays: 11 } }, version: json.version });
    expect(await change('apply', { text: json.text, version: json.version })).toMatchObject({ status: 409 });
    expect(await change('preview', { text: json.text, version: json.version })).toMatchObject({
      meanwhile: [{ kind: 'marketplace', actor: { name: 'anna' }, changes: { dedupDays: { from: 10, to: 11 } } }],
    });
  });

  it('is read in a worker thread if it is large, with the same result', async () => {
    const partners = Array.from({ length: 50 }, (_, index) => ({
      key: `many-${index}`,
      name: `Many ${index} ${'of the same long name '.repeat(20)}`,
      timeZone: 'UTC',
    }));
    const text = JSON.stringify({ partners });
    expect(text.length).toBeGreaterThan(20_000);
    const seen = (await change('preview', { text: `${text}\n# ${'x'.repeat(5000)}` })) as unknown as {
      changes: Body[];
    };
    expect(seen.changes).toHaveLength(50);
    const faulty = await change('preview', { text: `${text.slice(0, -2)},{"key":"many-0"}]}${' '.repeat(5000)}` });
    expect(faulty).toMatchObject({ faults: [{ path: 'partners[50].key', line: 1 }] });
  });
});

describe('the status and endpoint of an account', () => {
  it('pauses a partner and suspends a supplier at once', async () => {
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

  it('enables an endpoint that was disabled by a 410', async () => {
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
