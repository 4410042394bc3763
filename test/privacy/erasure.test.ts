// Erasing a person: nothing of it is left anywhere, and everything that is no person goes on as before (decision 021).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ClaimId, type DeliveryId, type LeadId, typeId, type Uuid, uuidOf } from '../../src/base/ids.ts';
import { commandLineActor, noOrigin } from '../../src/audit/audit-event.ts';
import { reviewClaim } from '../../src/claims/review-claim.ts';
import { findContactLeads } from '../../src/leads/find-contact-leads.ts';
import { requestRedelivery } from '../../src/deliveries/redelivery/request-redelivery.ts';
import { reviveDeliveries } from '../../src/routing/revive-deliveries.ts';
import { readMigrations } from '../../src/platform/database/migrate.ts';
import { traceLead } from '../../src/routing/trace-lead.ts';
import { getAsBuyer, postAsBuyer, postLead } from '../support/api-client.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  accepted,
  command,
  decided,
  deliveryOf,
  leadNow,
  PERSON,
  privacyYaml,
  rowsWith,
  TRACES,
} from './privacy-market.ts';

type Json = Record<string, unknown>;

let receiver: Receiver;
let market: TestMarketplace;
let key: string;
let summit: string;
let leadId: string;
let deliveryId: string;
/** As the partner saw it before. */
let seen: Json;

beforeAll(async () => {
  // A partner's endpoint that quotes what it takes.
  receiver = await startReceiver({ respond: ({ body }) => ({ status: 200, body }) });
  market = await startTestMarketplace({ yaml: privacyYaml(receiver.origin), allowTargets: [receiver.origin] });
  key = await market.supplierKey('acme-media');
  summit = await market.buyerToken('summit');
  leadId = await accepted(market, key, PERSON);
  await eventually('the lead is delivered, and its copy is kept', async () => {
    const [row] = await select<{ n: number }>(
      market.database,
      `SELECT count(*)::int AS n FROM attempt WHERE state = 'succeeded'`,
    );
    return row?.n === 2;
  });
  deliveryId = typeId('delivery', (await deliveryOf(market.database, leadId)).deliveryId as DeliveryId);
  const claim = await postAsBuyer(market.url, summit, '/api/v1/buyer/returns', {
    body: { deliveryId, reason: 'out_of_geo', proof: 'Quillon said on +1 202-555-0187 that he lives elsewhere.' },
    headers: { 'idempotency-key': 'return-1' },
  });
  if (claim.status !== 201) throw new Error(claim.text);
  await market.database.tx((tx) =>
    reviewClaim(
      tx,
      {
        claimId: (uuidOf('return', String(claim.json.returnId)) ?? '') as ClaimId,
        step: 'deny',
        note: 'Brightwater lives in CA.',
        actor: commandLineActor,
      },
      new Date(),
    ),
  );
  seen = await leadSeen();
});
afterAll(async () => {
  await market.close();
  await receiver.close();
});

const read = (path: string) => getAsBuyer(market.url, summit, path);
const leadSeen = async (): Promise<Json> => (await read('/api/v1/buyer/leads')).json.data[0] as Json;

describe('Before the erasure', () => {
  it('the personal data is in the lead, the log, the mail, the claim, its response and queued messages', async () => {
    const tables = new Set((await rowsWith(market.database, TRACES)).map((row) => row.split(':', 1)[0]));
    for (const table of ['lead', 'attempt', 'kept_mail', 'claim', 'idempotency_key', 'consent_record']) {
      expect([table, tables.has(table)]).toEqual([table, true]);
    }
  });
});

describe('A lead that is erased', () => {
  it('is reported with the partners and the supplier that may hold a copy', async () => {
    const { exitCode, json } = await command(
      market.database,
      'lead',
      'erase',
      leadId,
      '--reason',
      'asked for',
      '--json',
    );
    expect([exitCode, json]).toEqual([
      0,
      {
        data: [
          {
            leadId,
            supplier: 'acme-media',
            erasedBefore: false,
            deliveries: [
              { deliveryId, deliveryRef: expect.stringMatching(/^LS-/), partner: 'summit', status: 'Confirmed' },
            ],
          },
        ],
        erased: 1,
      },
    ]);
  });

  it('leaves no personal data in any table', async () => {
    expect(await rowsWith(market.database, TRACES)).toEqual([]);
  });

  it('leaves the ledger unchanged', async () => {
    // Other leads of this market may still be on their way.
    await eventually('no attempt is under way', async () => {
      const leased = await select(market.database, 'SELECT FROM send_job WHERE attempt_id IS NOT NULL');
      return leased.length === 0;
    });
    expect(await ledgerFaults(market.database)).toEqual([]);
    expect(await leadNow(market.database, leadId)).toMatchObject({ state: 'routed', publicStatus: 'Lead Sale' });
  });

  it('stays a delivery for its partner, without personal data', async () => {
    const { lead, ...delivery } = await leadSeen();
    const { lead: before, ...rest } = seen;
    expect(before).toMatchObject({ fullName: PERSON.full_name });
    expect(delivery).toEqual(rest);
    expect(lead).toEqual({
      fullName: '[erased]',
      email: null,
      phone: null,
      state: null,
      debtAmount: null,
      // That it was given stays true.
      tcpaConsent: (before as Json)['tcpaConsent'],
      consentTimestamp: '2026-11-20T17:03:11.000Z',
      leadIp: null,
      utmSource: null,
      sourceUrl: null,
    });
  });

  it('is returned without an error by every route of its partner', async () => {
    const responses = {
      export: await read('/api/v1/buyer/export'),
      events: await read('/api/v1/buyer/events'),
      timeline: await read(`/api/v1/buyer/leads/${deliveryId}/timeline`),
      logs: await read('/api/v1/buyer/delivery-logs'),
      returns: await read('/api/v1/buyer/returns'),
      stats: await read('/api/v1/buyer/stats'),
      audit: await read('/api/v1/buyer/audit-log'),
    };
    for (const [name, { status, text }] of Object.entries(responses)) {
      expect([name, status]).toEqual([name, 200]);
      expect([name, TRACES.filter((trace) => text.toLowerCase().includes(trace))]).toEqual([name, []]);
    }
    expect(responses.export.text).toContain(',[erased],,,,,true,2026-11-20T17:03:11.000Z,v7,,,,,,,');
    expect(responses.returns.json.data[0]).toMatchObject({
      status: 'denied',
      proof: '[erased]',
      decisionNote: '[erased]',
    });
    expect(responses.audit.json.data[0]).toMatchObject({ action: 'delivery.erased', target: deliveryId });
  });

  it('cannot be sent again', async () => {
    const request = {
      deliveryIds: [uuidOf('delivery', deliveryId) ?? ('' as DeliveryId)],
      buyerKey: null,
      actor: commandLineActor,
      origin: noOrigin,
      revive: reviveDeliveries,
    };
    const report = await market.database.tx((tx) => requestRedelivery(tx, request, new Date()));
    expect(report).toMatchObject({ queued: [], skipped: [{ reason: 'delivery_not_redeliverable' }] });
  });

  it('is traced without personal data', async () => {
    const trace = await market.database.tx((tx) => traceLead(tx, (uuidOf('lead', leadId) ?? '') as LeadId));
    expect(trace?.decision?.offers).toEqual([
      { offerKey: 'summit-west', partnerKey: 'summit', result: 'sold', code: 'sold' },
    ]);
    expect(trace?.lead).toMatchObject({ leadId, fields: null, erasedAt: expect.any(String) as string });
  });

  it('keeps its external id from being reused', async () => {
    const plain = await accepted(market, key, {
      ...PERSON,
      external_id: 'A-1',
      phone: '+12025550199',
      email: undefined,
    });
    await command(market.database, 'lead', 'erase', plain);
    const again = await postLead(market.url, key, {
      ...PERSON,
      external_id: 'A-1',
      phone: '+12025550199',
      email: undefined,
    });
    expect([again.status, again.json.code]).toEqual([409, 'external_id_conflict']);
  });

  it('keeps the proof of consent without personal data, found by the contact', async () => {
    const proof = {
      leadId,
      storedAt: expect.any(String) as string,
      tcpaConsent: true,
      consentTimestamp: '2026-11-20T17:03:11.000Z',
      consentVersion: 'v7',
      consentText: 'I, [erased], agree to be called on [erased]',
      sourceFormUrl: 'https://forms.example.com/debt?name=[erased]&mail=[erased]',
      leadIp: '203.0.113.217',
      trustedformCertUrl: null,
      jornayaLeadId: 'certificate-4711',
    };
    expect((await command(market.database, 'lead', 'consent', leadId, '--json')).json).toEqual(proof);
    const found = async (...person: string[]): Promise<unknown> =>
      (await command(market.database, 'lead', 'consent', ...person, '--json')).json;
    expect(await found('--email', 'quillon.brightwater@canary-mail.example')).toEqual({ data: [proof] });
    expect(await found('--phone', '+1 (202) 555-0187')).toEqual({ data: [proof] });
    expect(await found('--phone', '+12025550188')).toEqual({ data: [] });
  });

  it('can be erased again, which changes nothing and writes no second event', async () => {
    const audited = async (): Promise<unknown> =>
      select(
        market.database,
        `SELECT action, target, changes FROM audit_event WHERE target IN ($1, $2) ORDER BY audit_id`,
        [leadId, deliveryId],
      );
    const before = await audited();
    expect(before).toContainEqual({
      action: 'lead.erased',
      target: leadId,
      changes: { reason: { from: null, to: 'asked for' } },
    });
    const again = await command(market.database, 'lead', 'erase', deliveryId, '--json');
    expect(again).toMatchObject({ exitCode: 0, json: { erased: 1, data: [{ leadId, erasedBefore: true }] } });
    expect(await audited()).toEqual(before);
  });

  it('is rejected if it does not exist', async () => {
    const none = await command(market.database, 'lead', 'erase', 'lead_01m7wyk0h2emp81qch4dvtyn6a', '--json');
    expect(none).toMatchObject({ exitCode: 1, json: { error: { code: 'lead_not_found' } } });
    expect((await command(market.database, 'lead', 'erase')).exitCode).toBe(2);
    expect((await command(market.database, 'lead', 'erase', leadId, '--email', 'a@b.example')).exitCode).toBe(2);
  });
});

describe('A contact', () => {
  const other = { ...PERSON, external_id: undefined, state: 'NY', full_name: 'Zebulonia Vexwright' };

  it('is found by email and phone in every submission, and erased only with --yes', async () => {
    const mine = [
      await accepted(market, key, { ...other, email: 'zeb@canary-two.example', phone: '+12025550111' }),
      await accepted(market, key, { ...other, email: 'ZEB+x@canary-two.example', phone: '+12025550112' }),
    ];
    const byPhone = await accepted(market, key, { ...other, email: undefined, phone: '+12025550111' });
    const stranger = await accepted(market, key, {
      ...other,
      email: 'my.zeb@canary-two.example',
      phone: '+12025550113',
    });
    const refused = await postLead(market.url, key, { ...other, email: 'zeb@canary-two.example', state: 'nowhere' });
    expect(refused.status).toBe(422);

    const search = ['lead', 'erase', '--email', 'zeb@canary-two.example', '--phone', '+12025550111', '--json'];
    const listed = (await command(market.database, ...search)).json as { data: { leadId: string }[]; erased: number };
    expect(listed).toMatchObject({ erased: 0 });
    const found = listed.data.map((lead) => lead.leadId);
    expect(found).toHaveLength(4);
    expect(found).toEqual(expect.arrayContaining([...mine, byPhone]));
    expect(found).not.toContain(stranger);
    expect(await rowsWith(market.database, ['zeb@canary-two'])).not.toEqual([]);

    expect((await command(market.database, ...search, '--yes')).json).toMatchObject({ erased: 4 });
    const left = await rowsWith(market.database, ['zeb@canary-two', 'zeb+x@canary-two', '2025550111']);
    expect(left.filter((row) => !row.includes('my.zeb@canary-two.example'))).toEqual([]);
    expect((await command(market.database, ...search, '--yes')).json).toEqual({ data: [], erased: 0 });
    await decided(market, stranger, 'routed');
    await eventually('the books are even', async () => (await ledgerFaults(market.database)).length === 0);
  });

  it('is found by an address that is no longer valid', async () => {
    const refused = await postLead(market.url, key, { ...other, email: 'zeb..v@canary-three.example' });
    expect(refused.status).toBe(422);
    const search = ['lead', 'erase', '--email', 'zeb..v@canary-three.example', '--json'];
    expect((await command(market.database, ...search, '--yes')).json).toMatchObject({ erased: 1 });
    expect(await rowsWith(market.database, ['zeb..v@canary-three'])).toEqual([]);
  });

  it('is found among hundreds of bodies, in several steps', async () => {
    const email = 'mona@canary-three.example';
    const bodies = [
      `"${email}"`,
      `"no@canary-three.example"`,
      `"mona+a@canary-three.example."`,
      `"${email}"`,
      '"mona"',
    ];
    for (const note of bodies) {
      const { status } = await postLead(market.url, key, JSON.parse(`{"note":${note}}`) as object);
      expect(status).toBe(422);
    }
    const found: string[] = [];
    const sizes: number[] = [];
    let after: Uuid | null = null;
    do {
      const part: Awaited<ReturnType<typeof findContactLeads>> = await market.database.tx((tx) =>
        findContactLeads(
          tx,
          { contact: { email, phone: null }, after: after as LeadId },
          { leads: 10_000, candidates: 2 },
        ),
      );
      found.push(...part.found);
      sizes.push(part.found.length);
      after = part.next;
    } while (after !== null);
    expect(new Set(found).size).toBe(3);
    expect(sizes.every((size) => size <= 2)).toBe(true);
  });

  it('is no longer named by the external id of a rejected submission', async () => {
    const id = 'olga.petrova@canary-four.example';
    const { status } = await postLead(market.url, key, { external_id: id, email: id });
    expect(status).toBe(422);
    const erase = ['lead', 'erase', '--email', id, '--yes', '--json'];
    expect((await command(market.database, ...erase)).json).toMatchObject({ erased: 1 });
    expect(await rowsWith(market.database, [id])).toEqual([]);

    // Earlier versions left it there; a migration takes it away.
    const left = { id, erased: `external_id LIKE 'erased:%' AND NOT is_accepted` };
    await select(market.database, `UPDATE lead SET external_id = '${left.id}' WHERE ${left.erased} RETURNING 1`);
    expect(await rowsWith(market.database, [id])).not.toEqual([]);
    const migration = (await readMigrations()).find(({ name }) => name.endsWith('erased-ids-of-refused.sql'));
    for (const _repeat of [1, 2]) await select(market.database, `${migration?.sql ?? ''} SELECT 1`);
    expect(await rowsWith(market.database, [id])).toEqual([]);

    // Of a lead that was accepted the id stays, so that what is sent again does not bring the person back.
    const { json } = await postLead(market.url, key, { ...other, external_id: 'A-4711', email: id });
    const again = (json as { lead_id: string }).lead_id;
    expect((await command(market.database, ...erase)).json).toMatchObject({ erased: 1 });
    const [lead] = await select(
      market.database,
      `SELECT external_id FROM lead WHERE lead_id = '${uuidOf('lead', again)}'`,
    );
    expect(lead).toEqual({ external_id: 'A-4711' });
  });
});
