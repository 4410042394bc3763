import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { listAudit } from '../../src/audit/read-audit.ts';
import { readBuyers } from '../../src/buyers/read-buyers.ts';
import { saveBuyers } from '../../src/buyers/save-buyers.ts';
import type { BuyerSettings } from '../../src/buyers/buyer.ts';
import { bumpConfigVersion } from '../../src/marketplace/config-version.ts';
import { readSettings } from '../../src/marketplace/stored-settings.ts';
import { applyFile } from '../../src/marketplace-file/apply-file.ts';
import type { AppliedFile } from '../../src/marketplace-file/difference.rules.ts';
import { exportFile } from '../../src/marketplace-file/export-file.ts';
import type { MarketplaceFile } from '../../src/marketplace-file/marketplace-file.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { readOffers } from '../../src/routing/stored-offers.ts';
import { readSuppliers } from '../../src/suppliers/read-suppliers.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const now = new Date('2026-11-20T10:00:00.000Z');
const example = await readFile('examples/marketplace.yaml', 'utf8');
const { suppliers: exampleSuppliers, partners: examplePartners } = fileOf(example);
const exampleOffers = examplePartners.flatMap((entry) => entry.offers);

function fileOf(text: string): MarketplaceFile {
  const parsed = parseFile(text, { allowTargets: [] });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.file;
}

let home: TestDatabase;
beforeEach(async () => {
  home = await createTestDatabase();
  return () => home.drop();
});

type Done = AppliedFile & { ok: true };

async function apply(text: string, flags: { dryRun?: boolean; prune?: boolean } = {}): Promise<Done> {
  const applied = await tryApply(text, flags);
  if (!applied.ok) throw new Error(JSON.stringify(applied.errors));
  return applied;
}

async function tryApply(text: string, flags: { dryRun?: boolean; prune?: boolean } = {}): Promise<AppliedFile> {
  const parsed = parseFile(text, { allowTargets: [] });
  if (!parsed.ok) return parsed;
  const options = { dryRun: false, prune: false, actor: commandLineActor, ...flags };
  return home.database.tx((tx) => applyFile(tx, parsed.file, options, now));
}

const version = async (): Promise<number> => (await readSettings(home.database)).version;

async function count(table: string): Promise<number> {
  const { rows } = await home.database.pool.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`);
  return rows[0]?.n ?? 0;
}

/** What a buyer's PATCH of its account does. */
async function patch(buyerKey: string, settings: Partial<BuyerSettings>): Promise<void> {
  await home.database.tx(async (tx) => {
    await bumpConfigVersion(tx);
    const buyer = (await readBuyers(tx)).get(buyerKey);
    if (buyer === undefined) throw new Error(`no ${buyerKey}`);
    await saveBuyers(tx, [{ ...buyer, settings: { ...buyer.settings, ...settings } }], now);
  });
}

const settingsOf = async (buyerKey: string): Promise<BuyerSettings | undefined> =>
  (await readBuyers(home.database)).get(buyerKey)?.settings;

const partner = (settings: string): string =>
  `partners:\n  - { key: summit, timeZone: UTC, settings: { ${settings} } }\n`;
const offers = (...list: string[]): string =>
  `partners:\n  - key: summit\n    offers:\n${list.map((members) => `      - { eventType: Lead Sale, ${members} }\n`).join('')}`;

describe('Applying a file', () => {
  it('applies everything in it', async () => {
    const applied = await apply(example);
    expect(applied).toMatchObject({ applied: true, unmanaged: [] });
    expect(applied.changes.map(({ kind, key, action }) => `${action} ${kind} ${key}`)).toEqual([
      ...exampleSuppliers.map(({ supplierKey }) => `create supplier ${supplierKey}`),
      ...examplePartners.flatMap((entry) => [
        `create partner ${entry.buyer.buyerKey}`,
        ...entry.offers.map(({ offerKey }) => `create offer ${offerKey}`),
      ]),
    ]);
    const byKey = (one: string, other: string): number => (one < other ? -1 : 1);
    expect([...(await readSuppliers(home.database)).values()]).toEqual(
      exampleSuppliers.toSorted((one, other) => byKey(one.supplierKey, other.supplierKey)),
    );
    expect(await readOffers(home.database)).toEqual(
      exampleOffers.toSorted((one, other) => byKey(one.offerKey, other.offerKey)),
    );
    expect((await readBuyers(home.database)).get('summit')).toMatchObject({
      ...examplePartners[0]?.buyer,
      settings: { webhookUrl: 'https://crm.summit.example/leads', ccEmails: ['desk@summit.example'], smsNumber: null },
      endpointDisabledAt: null,
    });
  });

  it('opens an account and creates a signing secret for new partners and suppliers', async () => {
    await apply(example);
    const { rows: accounts } = await home.database.pool.query("SELECT 1 FROM account WHERE kind = 'buyer'");
    expect(accounts).toHaveLength(examplePartners.length);
    expect(await count('signing_secret')).toBe(exampleSuppliers.length + examplePartners.length);
  });

  it('keeps the order of a field mapping, which matters', async () => {
    await apply('suppliers: [{ key: acme, fieldMapping: { telephone: phone, cell: phone, a: phone } }]');
    const mapping = (await readSuppliers(home.database)).get('acme')?.fieldMapping;
    expect(Object.keys(mapping ?? {})).toEqual(['telephone', 'cell', 'a']);
    const turned = await apply('suppliers: [{ key: acme, fieldMapping: { a: phone, cell: phone, telephone: phone } }]');
    expect(Object.keys(turned.changes[0]?.fields ?? {})).toEqual(['fieldMapping']);
  });

  it('a second time changes nothing and writes nothing', async () => {
    await apply(example);
    const before = [await version(), await count('config_history'), await count('audit_event')];
    expect(await apply(example)).toMatchObject({ changes: [], unmanaged: [], applied: true });
    expect([await version(), await count('config_history'), await count('audit_event')]).toEqual(before);
  });

  it('returns the differences with the names of the file', async () => {
    await apply(offers('key: west, payout: 45, caps: { daily: 5 }, filters: { states: [CA] }'));
    const next = 'key: west, payout: 47.5, caps: { daily: 6, weekly: 9 }, sale: { sharedWith: 2 }';
    expect((await apply(offers(next))).changes).toEqual([
      {
        kind: 'offer',
        key: 'west',
        action: 'update',
        fields: {
          payout: { from: 45, to: 47.5 },
          sale: { from: 'exclusive', to: { sharedWith: 2 } },
          'filters.states': { from: ['CA'], to: [] },
          'caps.daily': { from: 5, to: 6 },
          'caps.weekly': { from: null, to: 9 },
        },
      },
    ]);
  });

  it('in a dry run returns the same changes and writes nothing', async () => {
    const before = await version();
    const dry = await apply(example, { dryRun: true });
    expect(dry.applied).toBe(false);
    expect(await version()).toBe(before);
    expect(await count('buyer')).toBe(0);
    expect((await apply(example)).changes).toEqual(dry.changes);
  });

  it('increments the version once and records each new definition under it', async () => {
    const before = await version();
    await apply(example);
    expect(await version()).toBe(before + 1);
    const { rows } = await home.database.pool.query(
      'SELECT kind, count(*) AS n, min(version) AS version FROM config_history GROUP BY kind ORDER BY kind',
    );
    expect(rows).toEqual([
      { kind: 'buyer', n: examplePartners.length, version: before + 1 },
      { kind: 'offer', n: exampleOffers.length, version: before + 1 },
      { kind: 'supplier', n: exampleSuppliers.length, version: before + 1 },
    ]);
    await apply('marketplace: { strategy: weighted }');
    expect((await readSettings(home.database)).settings.strategy).toBe('weighted');
    expect(await count("config_history WHERE kind = 'marketplace'")).toBe(1);
  });

  it('sets the name of the marketplace, and the default name if the file has none', async () => {
    const named = await apply('marketplace: { name: "  Leads & Söhne " }');
    expect(named.changes).toEqual([
      {
        kind: 'marketplace',
        key: 'marketplace',
        action: 'update',
        fields: { name: { from: 'Lead Marketplace', to: 'Leads & Söhne' } },
      },
    ]);
    expect((await readSettings(home.database)).settings.name).toBe('Leads & Söhne');
    expect((await exportFile(home.database)).content['marketplace']).toMatchObject({ name: 'Leads & Söhne' });
    await apply('marketplace: { currency: USD }');
    expect((await readSettings(home.database)).settings.name).toBe('Lead Marketplace');
  });

  it('leaves the settings of the marketplace unchanged if the file does not contain them', async () => {
    await apply('marketplace: { holdMinutes: 5 }');
    await apply('suppliers: []');
    expect((await readSettings(home.database)).settings.holdMinutes).toBe(5);
  });

  it('is rejected if its regions leave out a state on which an offer outside of the file filters', async () => {
    await apply(offers('key: north, payout: 45, filters: { states: [CA], statesNot: [ON] }'));
    expect(await tryApply('marketplace:\n  regions: [US]')).toEqual({
      ok: false,
      errors: [
        {
          line: 2,
          column: 12,
          path: 'marketplace.regions',
          message: 'the offer "north" filters on ON, which the regions leave out',
        },
      ],
    });
    expect((await readSettings(home.database)).settings.regions).toEqual(['US', 'CA']);
    await apply(`marketplace: { regions: [US] }\n${offers('key: north, payout: 45, filters: { states: [CA] }')}`);
    expect((await readSettings(home.database)).settings.regions).toEqual(['US']);
  });

  it('checks states against the current regions if the file names none', async () => {
    await apply('marketplace: { regions: any }');
    const parsed = parseFile(offers('key: west, payout: 45, filters: { states: [by] }'), {
      allowTargets: [],
      ...(await readSettings(home.database)).settings,
    });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    // Meanwhile somebody else narrows the regions.
    await apply('marketplace: { regions: [CA, US] }');
    const options = { dryRun: false, prune: false, actor: commandLineActor };
    const late = await home.database.tx((tx) => applyFile(tx, parsed.file, options, now));
    expect(late).toMatchObject({
      ok: false,
      errors: [{ message: 'the offer "west" filters on BY, which the regions leave out' }],
    });
    await apply('marketplace: { regions: any }');
    expect(await home.database.tx((tx) => applyFile(tx, parsed.file, options, now))).toMatchObject({ ok: true });
    const { text } = await home.database.tx((tx) => exportFile(tx));
    expect(text).toContain('regions: any');
    expect(await apply(text)).toMatchObject({ changes: [] });
  });

  it('is rejected as a whole if it moves an offer to another partner', async () => {
    await apply(offers('key: west, payout: 45'));
    const text = [
      'partners:',
      '  - key: summit',
      '    name: Renamed',
      '  - key: other',
      '    offers: [{ key: west, eventType: Lead Sale, payout: 45 }]',
    ].join('\n');
    expect(await tryApply(text)).toEqual({
      ok: false,
      errors: [
        {
          line: 5,
          column: 21,
          path: 'partners[1].offers[0].key',
          message: '"west" belongs to the partner "summit" and cannot move; choose another key',
        },
      ],
    });
    expect([...(await readBuyers(home.database)).values()].map(({ name }) => name)).toEqual(['summit']);
  });

  it('notes a channel without its setting and a filter on an unknown supplier', async () => {
    const { notes } = await apply(
      'partners: [{ key: a, channels: [sms], offers: [{ key: b, eventType: Lead Sale, payout: 1, filters: { suppliers: [c] } }] }]',
    );
    expect(notes).toEqual([
      'partner a: the channel sms needs smsNumber, which is not set',
      'offer b: its filters name the supplier c, which does not exist',
    ]);
  });

  it('on two connections at once happens one after the other', async () => {
    const before = await version();
    const texts = Array.from({ length: 8 }, (_, index) => offers(`key: west, payout: 45, priority: ${index + 1}`));
    const results = await Promise.all(texts.map((text) => apply(text)));
    // Each saw what the one before had left: one created, and every other one found another value to change.
    const actions = results.flatMap(({ changes }) =>
      changes.filter(({ kind }) => kind === 'offer').map(({ action }) => action),
    );
    expect(actions.toSorted()).toEqual(['create', ...Array.from({ length: 7 }, () => 'update')]);
    expect(await version()).toBe(before + 8);
    const froms = results.flatMap(({ changes }) => changes.flatMap(({ fields }) => fields['priority']?.from ?? []));
    expect(new Set(froms).size).toBe(froms.length);
  });

  it('with the same file twice at once changes everything once', async () => {
    const before = await version();
    const results = await Promise.all(Array.from({ length: 6 }, () => apply(example)));
    expect(results.filter(({ changes }) => changes.length > 0)).toHaveLength(1);
    expect(await version()).toBe(before + 1);
  });
});

describe('Partner settings in a file', () => {
  it('do not overwrite a buyer’s own changes when the same file is applied again', async () => {
    await apply(partner('webhookUrl: "https://a.example/", phone: "+15555550123"'));
    await patch('summit', { webhookUrl: 'https://own.example/', phone: null });
    expect((await apply(partner('webhookUrl: "https://a.example/", phone: "+15555550123"'))).changes).toEqual([]);
    expect(await settingsOf('summit')).toMatchObject({ webhookUrl: 'https://own.example/', phone: null });
  });

  it('are written only if the file states another value than before', async () => {
    await apply(partner('webhookUrl: "https://a.example/", phone: "+15555550123"'));
    await patch('summit', { webhookUrl: 'https://own.example/', phone: '+15555550199' });
    const { changes } = await apply(partner('webhookUrl: "https://b.example/", phone: "+15555550123"'));
    expect(changes[0]?.fields).toEqual({
      'settings.webhookUrl': { from: 'https://own.example/', to: 'https://b.example/' },
    });
    expect(await settingsOf('summit')).toMatchObject({ webhookUrl: 'https://b.example/', phone: '+15555550199' });
  });

  it('stay unchanged if left out, and are cleared by null', async () => {
    await apply(partner('webhookUrl: "https://a.example/"'));
    expect((await apply(partner(''))).changes).toEqual([]);
    expect(await settingsOf('summit')).toMatchObject({ webhookUrl: 'https://a.example/' });
    await apply(partner('webhookUrl: null'));
    expect(await settingsOf('summit')).toMatchObject({ webhookUrl: null });
  });

  it('are recorded as stated even if the buyer had the same value already', async () => {
    await apply(partner('phone: "+15555550123"'));
    await patch('summit', { phone: '+15555550199' });
    expect((await apply(partner('phone: "+15555550199"'))).changes).toEqual([]);
    await patch('summit', { phone: '+15555550155' });
    expect((await apply(partner('phone: "+15555550199"'))).changes).toEqual([]);
    expect(await settingsOf('summit')).toMatchObject({ phone: '+15555550155' });
  });

  it('enable a disabled endpoint with a new webhook URL, and with no other change', async () => {
    await apply(partner('webhookUrl: "https://a.example/"'));
    await home.database.pool.query('UPDATE buyer SET endpoint_disabled_at = $1', [now]);
    await apply(partner('webhookUrl: "https://a.example/", phone: "+15555550123"'));
    expect((await readBuyers(home.database)).get('summit')?.endpointDisabledAt).toEqual(now);
    await apply(partner('webhookUrl: "https://b.example/"'));
    expect((await readBuyers(home.database)).get('summit')?.endpointDisabledAt).toBeNull();
  });
});

describe('What the file leaves out', () => {
  const everything = exampleSuppliers.length + examplePartners.length + exampleOffers.length;

  it('stays unchanged and is listed', async () => {
    await apply(example);
    const { changes, unmanaged } = await apply('suppliers: [{ key: acme-media, name: Acme Media, status: approved }]');
    expect(changes).toMatchObject([{ kind: 'supplier', key: 'acme-media', action: 'update' }]);
    expect(unmanaged).toContainEqual({ kind: 'supplier', key: 'brightform' });
    expect(unmanaged).toContainEqual({ kind: 'partner', key: 'summit' });
    expect(unmanaged).toContainEqual({ kind: 'offer', key: 'summit-west' });
    expect(unmanaged).toHaveLength(everything - 1);
  });

  it('is closed by pruning and never deleted', async () => {
    await apply(example);
    const kept = offers('key: summit-west, payout: 45');
    const { changes, unmanaged } = await apply(kept, { prune: true });
    expect(unmanaged).toEqual([]);
    expect(changes.filter(({ action }) => action === 'close')).toHaveLength(everything - 2);
    expect(changes).toContainEqual({
      kind: 'offer',
      key: 'keystone-texas',
      action: 'close',
      fields: { status: { from: 'paused', to: 'closed' } },
    });
    const suppliers = [...(await readSuppliers(home.database)).values()].map(({ status }) => status);
    expect(new Set(suppliers)).toEqual(new Set(['suspended']));
    const states = (await readOffers(home.database)).map(({ offerKey, status }) => `${offerKey} ${status}`);
    expect(states.filter((state) => state.endsWith('closed'))).toHaveLength(exampleOffers.length - 1);
    expect(states).toHaveLength(exampleOffers.length);
    expect(await apply(kept, { prune: true })).toMatchObject({ changes: [], unmanaged: [] });
    expect(await apply(kept)).toMatchObject({ changes: [], unmanaged: [] });
  });

  it('comes back when the file names it again', async () => {
    await apply(example);
    await apply('{}', { prune: true });
    const { changes } = await apply(example);
    expect(changes).toHaveLength(everything);
    expect(changes.every(({ action, fields }) => action === 'update' && Object.keys(fields).join() === 'status')).toBe(
      true,
    );
  });
});

describe('The audit log', () => {
  it('shows a partner its own changes, but not supplier filters or priority', async () => {
    await apply(offers('key: west, payout: 45, filters: { suppliers: [acme], states: [CA] }, priority: 3'));
    await apply(offers('key: west, payout: 50, filters: { suppliersNot: [acme], states: [CA] }, priority: 2'));
    await apply(offers('key: west, payout: 50, filters: { suppliersNot: [acme], states: [CA] }, priority: 1'));
    const seen = await home.database.tx((tx) => listAudit(tx, 'summit', 50));
    expect(seen.map(({ action, target }) => `${action} ${target}`)).toEqual([
      'offer.updated west',
      'offer.created west',
      'partner.created summit',
    ]);
    expect(seen[0]).toMatchObject({ actor: commandLineActor, changes: { payout: { from: 45, to: 50 } } });
    expect(JSON.stringify(seen)).not.toMatch(/acme|priority/);
    const { rows } = await home.database.pool.query(
      'SELECT changes FROM audit_event WHERE buyer_key IS NULL ORDER BY audit_id',
    );
    expect(rows).toHaveLength(3);
    expect(rows[1]).toEqual({
      changes: {
        priority: { from: 3, to: 2 },
        'filters.suppliers': { from: ['acme'], to: [] },
        'filters.suppliersNot': { from: [], to: ['acme'] },
      },
    });
  });

  it('contains none of our secrets, even if an operator pasted one', async () => {
    const secret = `whsec_${'a1B2'.repeat(8)}`;
    await apply(`suppliers: [{ key: acme, name: "${secret}", callback: { url: "https://acme.example/${secret}" } }]`);
    const { rows } = await home.database.pool.query('SELECT changes::text AS changes FROM audit_event');
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

describe('The export', () => {
  const exported = (): Promise<{ text: string; content: unknown }> => home.database.tx((tx) => exportFile(tx));

  it('of the example changes nothing when applied, as text or as JSON', async () => {
    await apply(example);
    const { text, content } = await exported();
    expect(await apply(text)).toMatchObject({ changes: [], unmanaged: [] });
    expect(await apply(JSON.stringify(content))).toMatchObject({ changes: [], unmanaged: [] });
  });

  it('contains buyers’ own changes, closed entries, and texts that YAML would read as other types', async () => {
    await apply(example);
    await apply(
      [
        'marketplace: { strategy: round_robin, retrySeconds: [0], scoreWeights: { contact: 0.5 } }',
        'suppliers:',
        '  - key: "123"',
        '    name: "no"',
        '    fieldMapping: { "2026-01-01": full_name, "a: b": { transform: trim, to: email }, $set: { test: false, source: "" } }',
        'partners:',
        '  - key: "null"',
        '    name: "# 5: {odd} ü \'\\" [name]"',
        '    editableFields: []',
        '    billing: { mode: prepaid }',
        '    returnPolicy: { windowBusinessDays: 0, holidays: [2027-01-04], monthlyCaps: { leads: 0, bookings: "12.5%" } }',
        '    offers:',
        '      - { key: "1e3", eventType: Lead Sale, payout: 0.1, weight: 0, priority: 0, caps: { daily: 0 }, budget: { weekly: 0 },',
        '          filters: { sources: ["yes", "08:00"], debtAmount: { min: 0 }, minScore: 0 },',
        '          schedule: [{ days: [sat, sun], from: "00:00", to: "24:00" }, { days: [mon], from: "08:00", to: "09:30" }] }',
      ].join('\n'),
      { prune: true },
    );
    await patch('summit', { webhookUrl: null, phone: '+15555550199', ccEmails: ['a@b.example'] });
    const { text } = await exported();
    expect(await apply(text)).toMatchObject({ changes: [], unmanaged: [] });

    const other = await createTestDatabase();
    await home.drop();
    home = other;
    await apply(text);
    expect((await exported()).text).toBe(text);
  });

  it('of a new marketplace is a valid file', async () => {
    const { text } = await exported();
    expect(await apply(text)).toMatchObject({ changes: [], unmanaged: [] });
  });
});
