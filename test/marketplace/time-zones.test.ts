// Time zones from the file and the pages to the work that computes with them: abbreviations are refused with the zone that is meant, names are
// kept in their canonical form, and what an earlier release has stored needs no repair (contract 1.1).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { leadBody } from '../support/leads.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { applyMarketplaceFile } from '../support/stored-market.ts';

const yaml = `
marketplace: { timeZone: GB, notices: { timeZone: nz } }
suppliers: [{ key: acme, status: approved, timeZone: us/central, pay: { model: fixed, amount: 1 } }]
partners:
  - { key: loud, timeZone: america/los_angeles, offers: [{ key: loud-offer, eventType: Lead Sale, payout: 50, caps: { daily: 5 } }] }
  - { key: calm, timeZone: Asia/Calcutta, offers: [{ key: calm-offer, eventType: Lead Sale, payout: 40 }] }
`;
let market: TestMarketplace;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml });
});
afterAll(() => market.close());

const rows = (sql: string): Promise<Array<Record<string, unknown>>> => select(market.database, sql);

describe('A time zone', () => {
  it('is stored under its canonical name, from the file', async () => {
    expect(
      await rows(`SELECT time_zone AS zone FROM buyer UNION ALL SELECT time_zone FROM supplier
                  UNION ALL SELECT time_zone FROM marketplace UNION ALL SELECT notices->>'timeZone' FROM marketplace ORDER BY 1`),
    ).toEqual(
      ['America/Chicago', 'America/Los_Angeles', 'Asia/Kolkata', 'Europe/London', 'Pacific/Auckland'].map((zone) => ({
        zone,
      })),
    );
  });

  it.each([
    ['marketplace: { timeZone: BST }', 'marketplace.timeZone', 'Europe/London'],
    ['marketplace: { notices: { timeZone: AKST } }', 'marketplace.notices.timeZone', 'America/Anchorage'],
    ['suppliers: [{ key: acme, timeZone: cst }]', 'suppliers[0].timeZone', 'America/Chicago'],
    ['partners: [{ key: loud, timeZone: EST }]', 'partners[0].timeZone', 'America/New_York'],
    ['partners: [{ key: loud, timeZone: Los Angeles }]', 'partners[0].timeZone', 'America/Los_Angeles'],
  ])('%s is refused, and the zone that is meant is offered', (text, path, zone) => {
    const parsed = parseFile(text, { allowTargets: [] });
    expect(parsed).toMatchObject({
      ok: false,
      errors: [{ path, message: `must be an IANA time zone (did you mean ${zone}?)` }],
    });
  });

  it('of notices is refused or stored in the same way by the portal', async () => {
    const loud = await market.signedIn.buyer('loud');
    const path = '/portal/api/buyer/notices/settings';
    const refused = await loud.send('POST', path, { timeZone: 'IST' });
    expect([refused.status, refused.json.errors]).toEqual([
      422,
      [
        {
          field: 'timeZone',
          code: 'invalid_format',
          message: 'must be an IANA time zone (did you mean Asia/Kolkata?)',
        },
      ],
    ]);
    const saved = await loud.send('POST', path, { timeZone: 'us/eastern' });
    expect([saved.status, saved.json.settings.timeZone]).toEqual([200, 'America/New_York']);
  });

  it('of a report is refused or taken in the same way', async () => {
    const ada = await market.signedIn.operator('ada');
    const ask = (zone: string) => ada.get(`/console/api/reports?by=day&timeZone=${encodeURIComponent(zone)}`);
    const refused = await ask('PST');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('did you mean America/Los_Angeles?')]);
    const taken = await ask('us/pacific');
    expect([taken.status, taken.json.timeZone]).toEqual([200, 'America/Los_Angeles']);
  });

  it('that the database does not know is refused where a file states it and where a report asks for it', async () => {
    await rows(
      `CREATE OR REPLACE FUNCTION knows_time_zone(zone text) RETURNS boolean LANGUAGE sql AS $$ SELECT zone <> 'America/Coyhaique' $$`,
    );
    const apply = (text: string) =>
      applyMarketplaceFile(market.database, { yaml: text, allowTargets: [], clock: { now: () => new Date() } });
    const message = 'is a time zone that the database does not know: America/Coyhaique';
    await expect(apply('partners: [{ key: new, timeZone: America/Coyhaique }]')).rejects.toThrow(message);
    await expect(apply('suppliers: [{ key: new, timeZone: America/Coyhaique }]')).rejects.toThrow(message);
    await expect(apply('marketplace: { timeZone: America/Coyhaique }')).rejects.toThrow(message);
    const ada = await market.signedIn.operator('eve');
    expect((await ada.get('/console/api/reports?by=day&timeZone=America/Coyhaique')).status).toBe(400);
  });
});

describe('A time zone that an earlier release has stored', () => {
  it('has the meaning of its abbreviation, everywhere and without a repair', async () => {
    await rows(`UPDATE buyer SET time_zone = 'PST' WHERE buyer_key = 'loud'`);
    await rows(`UPDATE supplier SET time_zone = 'CST'`);
    await rows(
      `UPDATE marketplace SET time_zone = 'BST', notices = notices || '{"timeZone": "IST"}', config_version = config_version + 1`,
    );
    await rows(
      `UPDATE notice_setting SET settings = '{"timeZone": "PST", "quietHours": {"from": "22:00", "to": "07:00"}}'`,
    );
    await market.runtime.refresh();
    const key = await market.supplierKey('acme');
    expect((await postLead(market.url, key, leadBody(1, { consent_timestamp: undefined }))).status).toBe(202);
    await eventually('the partner in PST has it', async () => {
      const sold = await rows('SELECT buyer_key FROM delivery');
      return sold.length === 1 && sold[0]?.['buyer_key'] === 'loud';
    });
    const acme = await market.signedIn.supplier('acme');
    const earnings = await acme.get('/portal/api/v1/supplier/earnings');
    expect([earnings.status, earnings.json.timeZone]).toEqual([200, 'America/Chicago']);
    const loud = await market.signedIn.buyer('loud');
    expect((await loud.get('/portal/api/buyer/overview')).json).toMatchObject({ timeZone: 'America/Los_Angeles' });
    const ada = await market.signedIn.operator('ada');
    const report = await ada.get('/console/api/reports?by=day');
    expect([report.status, report.json.timeZone]).toEqual([200, 'Europe/London']);
    expect(await rows(`SELECT kind FROM notice WHERE kind = 'account.left_out'`)).toEqual([]);
  });
});
