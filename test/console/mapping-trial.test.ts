// A sample is read with a field mapping before the mapping is saved, and what the mapping lacks is suggested (contract 3.7).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { SignedIn } from '../support/signed-in.ts';

const PATH = '/console/api/mapping-trial';
const YAML = `
marketplace: { currency: USD }
verticals:
  - { key: roofing, name: Roofing, fields: [{ name: roof_type, label: Roof type, type: text, required: true }] }
suppliers: [{ key: acme-media, name: Acme Media, status: approved }]
`;
const SAMPLE = {
  contact: { fname: 'Jordan', lname: 'Rivera', mobile: '(555) 555-0123' },
  'E-Mail': 'jordan@example.com',
  province: 'california',
  ts: 1_763_658_191,
  landing_page: 'https://forms.example.com/debt',
  colour: 'red',
};
const SUGGESTED = {
  'contact.fname': 'first_name',
  'contact.lname': 'last_name',
  'contact.mobile': { to: 'phone', transform: 'us_phone' },
  'E-Mail': 'email',
  province: { to: 'state', transform: 'state_name' },
  ts: { to: 'consent_timestamp', transform: 'epoch_s' },
  landing_page: 'source_form_url',
};

let market: TestMarketplace;
let operator: SignedIn;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: YAML });
  operator = await market.signedIn.operator();
});
afterAll(() => market.close());

const trial = (sample: unknown, more: object = {}) =>
  operator.send('POST', PATH, {
    ...{ sample: typeof sample === 'string' ? sample : JSON.stringify(sample), mapping: {} },
    ...{ vertical: null, verticals: [], ...more },
  });

describe('The trial of a field mapping', () => {
  it('suggests what the mapping lacks, with which the sample is accepted', async () => {
    const first = await trial(SAMPLE);
    expect([first.status, first.json.isAccepted, first.json.suggested]).toEqual([200, false, SUGGESTED]);
    const second = await trial(SAMPLE, { mapping: SUGGESTED });
    expect(second.json).toMatchObject({
      isAccepted: true,
      reason: null,
      suggested: {},
      reading: { extra: ['colour'] },
    });
    expect(second.json.score).toBeGreaterThan(0);
    expect(second.json.reading.fields).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: 'phone', from: 'contact.mobile', read: '+15555550123', fault: null }),
        expect.objectContaining({ field: 'state', from: 'province', sent: '"california"', read: 'CA' }),
        expect.objectContaining({ field: 'consent_timestamp', from: 'ts', sent: '1763658191' }),
      ]),
    );
    expect(await select(market.database, 'SELECT FROM lead')).toEqual([]);
  });

  it('says what is wrong, as the response to the supplier would', async () => {
    const { ts: _ts, ...unsent } = SUGGESTED;
    const { json } = await trial(SAMPLE, { mapping: { ...unsent, ts: 'consent_timestamp' } });
    expect(json).toMatchObject({ isAccepted: false, reason: 'consent_timestamp invalid', score: null });
    expect(json.reading.fields.find(({ field }: { field: string }) => field === 'consent_timestamp')).toMatchObject({
      fault: 'consent_timestamp invalid',
    });
  });

  it('knows the fields of the verticals', async () => {
    const { json } = await trial({ ...SAMPLE, 'Roof-Type': 'flat' }, { vertical: 'roofing' });
    expect(json.suggested).toMatchObject({ 'Roof-Type': 'roof_type' });
    expect((await trial({ ...SAMPLE, 'Roof-Type': 'flat' })).json.suggested).not.toHaveProperty('Roof-Type');
  });

  it('refuses what is no sample or no mapping', async () => {
    for (const sample of ['no json', '[]', '"text"', 'null', '{"a":1']) {
      const refused = await trial(sample);
      expect([sample, refused.status, refused.json.errors[0].field]).toEqual([sample, 422, 'sample']);
    }
    const wrong = await trial(SAMPLE, { mapping: { ts: 'moment' } });
    expect([wrong.status, wrong.json.errors[0].field]).toEqual([422, 'mapping/ts']);
  });
});
