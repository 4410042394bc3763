// Tests every check of a submission, with its message and its order, through the running service (contract 3.1 to 3.3).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { postLead } from '../support/api-client.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { storedLead } from '../support/stored-lead.ts';
import { marketYaml } from './market.ts';

const NAMED = { full_name: 'Jordan Rivera', email: 'jordan@example.com' };
const DAY_MS = 86_400_000;
const clock = handClock('2026-11-20T18:00:00.000Z');

let market: TestMarketplace;
let key: string;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml(), role: 'api', clock });
  key = await market.supplierKey('acme-media');
});
afterAll(() => market.close());

async function reasonFor(body: object | string): Promise<unknown> {
  const { status, json } = await postLead(market.url, key, body);
  return status === 422 ? json.reason : { status, code: json.code ?? 'accepted' };
}

async function fieldsOf(body: object | string): Promise<unknown> {
  const { status, json } = await postLead(market.url, key, body);
  return status === 202 ? (await storedLead(market.database, json.lead_id)).fields : { status, ...json };
}

const ACCEPTED = { status: 202, code: 'accepted' };

describe('Name and contact of a lead', () => {
  it.each<[object, unknown]>([
    [{}, 'email or phone required; name required'],
    [{ full_name: 'Jordan' }, 'email or phone required'],
    [{ email: 'a@b.co' }, 'name required'],
    [{ phone: '+15555550123' }, 'name required'],
    [{ full_name: 'Jordan', phone: '+15555550123' }, ACCEPTED],
    [{ full_name: 'Jordan', email: 'a@b.co' }, ACCEPTED],
    [{ first_name: 'Jordan', email: 'a@b.co' }, ACCEPTED],
    [{ last_name: 'Rivera', email: 'a@b.co' }, ACCEPTED],
    [{ name: 'Jordan', email: 'a@b.co' }, 'name required'],
    [{ full_name: null, email: null, phone: null }, 'email or phone required; name required'],
    [{ full_name: ' \t\n', email: '', phone: '\u200b\u00ad\u2060' }, 'email or phone required; name required'],
    [{ full_name: '\ufeff\u3000', email: 'a@b.co' }, 'name required'],
    [{ full_name: '\u202e\u200f', first_name: 'Jordan', email: 'a@b.co' }, ACCEPTED],
    // An invalid value is not a missing one.
    [{ full_name: 7, email: 'a@b.co' }, 'full_name invalid'],
    [{ full_name: ['Jordan'], email: {} }, 'full_name invalid; email invalid'],
    [{ full_name: 'Jordan', phone: 15_555_550_123 }, 'phone invalid'],
    [{ full_name: 'Jordan', email: 'no', phone: 'no' }, 'email invalid; phone invalid'],
    [{ full_name: 'Jordan', email: false }, 'email invalid'],
    [{ full_name: 'a\0b', email: 'a@b.co' }, 'full_name invalid'],
    [{ full_name: '\0', email: 'a@b.co' }, 'full_name invalid'],
  ])('%j: %j', async (body, seen) => {
    expect(await reasonFor(body)).toEqual(seen);
  });

  it('are joined from a first and a last name without a full name', async () => {
    expect(await fieldsOf({ first_name: ' Jordan ', last_name: ' Rivera', email: 'a@b.co' })).toMatchObject({
      fullName: 'Jordan Rivera',
    });
    expect(await fieldsOf({ full_name: ' ', last_name: 'Rivera', email: 'a@b.co' })).toMatchObject({
      fullName: 'Rivera',
    });
    expect(await fieldsOf({ full_name: 'J. Rivera', first_name: 'Jordan', email: 'a@b.co' })).toMatchObject({
      fullName: 'J. Rivera',
    });
  });

  it('are rejected with all errors at once, in the order of the fields', async () => {
    const faulty = Object.fromEntries(
      [
        ['test', 'yes'],
        ['appointment_at', 'tomorrow'],
        ['jornaya_lead_id', 1],
        ['trustedform_cert_url', 'ftp://x.example'],
        ['utm_content', {}],
        ['utm_term', {}],
        ['utm_campaign', {}],
        ['utm_medium', {}],
        ['utm_source', {}],
        ['lead_ip', '1.2.3'],
        ['consent_text', 'x'.repeat(501)],
        ['consent_version', 2],
        ['tcpa_consent', 'true'],
        ['source_form_url', 'nowhere'],
        ['consent_timestamp', '2026-11-20'],
        ['source', []],
        ['debt_amount', 'much'],
        ['state', 'ZZ'],
        ['business_name', 'x'.repeat(501)],
        ['last_name', {}],
        ['external_id', 5],
      ].map(([name, value]) => [name, value]),
    );
    expect(await reasonFor(faulty)).toBe(
      [
        'email or phone required',
        'external_id invalid',
        'last_name invalid',
        'business_name too long',
        'state invalid',
        'debt_amount invalid',
        'source invalid',
        'consent_timestamp invalid',
        'source_form_url invalid',
        'tcpa_consent invalid',
        'consent_version invalid',
        'consent_text too long',
        'lead_ip invalid',
        'utm_source invalid',
        'utm_medium invalid',
        'utm_campaign invalid',
        'utm_term invalid',
        'utm_content invalid',
        'trustedform_cert_url invalid',
        'jornaya_lead_id invalid',
        'appointment_at invalid',
        'test invalid',
      ].join('; '),
    );
  });

  it('are rejected with first_name and last_name after full_name', async () => {
    const body = { last_name: 1, first_name: 2, full_name: 3, email: 4, phone: 5, external_id: 6 };
    expect(await reasonFor(body)).toBe(
      'external_id invalid; full_name invalid; first_name invalid; last_name invalid; email invalid; phone invalid',
    );
  });
});

describe('Text', () => {
  it.each<[string, unknown, unknown]>([
    ['full_name', 'x'.repeat(500), ACCEPTED],
    ['full_name', `  ${'x'.repeat(500)}  `, ACCEPTED],
    ['full_name', 'x'.repeat(501), 'full_name too long'],
    // Code points, not UTF-16 units.
    ['full_name', '😀'.repeat(500), ACCEPTED],
    ['full_name', '😀'.repeat(501), 'full_name too long'],
    ['external_id', 'x'.repeat(500), ACCEPTED],
    ['external_id', 'x'.repeat(501), 'external_id too long'],
    ['email', `${'x'.repeat(490)}@example.com`, 'email invalid'],
    ['source_form_url', `https://x.example/${'x'.repeat(2030)}`, ACCEPTED],
    ['source_form_url', `https://x.example/${'x'.repeat(2031)}`, 'source_form_url too long'],
    ['trustedform_cert_url', `https://x.example/${'x'.repeat(2031)}`, 'trustedform_cert_url too long'],
    ['source', 'a\u0000b', 'source invalid'],
    ['source', 'a\ud800b', 'source invalid'],
    ['source', '\udc00', 'source invalid'],
    ['source', 'a\u0001\u001b[31m\u007fb', ACCEPTED],
    ['source', ' ', ACCEPTED],
  ])('%s %j: %j', async (name, value, seen) => {
    expect(await reasonFor({ ...NAMED, [name]: value })).toEqual(seen);
  });

  it('is trimmed and otherwise stored as sent', async () => {
    const odd = 'Ünï 😀 <b>=cmd|"\'/\\ \u202e\u200b \u001b[0m é é';
    expect(await fieldsOf({ ...NAMED, full_name: `\n ${odd}\t`, source: `${odd} ` })).toMatchObject({
      fullName: odd,
      source: odd,
    });
  });
});

describe('A phone', () => {
  it.each([
    ['+15555550123', '+15555550123'],
    [' +15555550123 ', '+15555550123'],
    ['+1 (555) 555-0123', '+15555550123'],
    ['+1.555.555.0123', '+15555550123'],
    ['+44 20 7946 0958', '+442079460958'],
    ['+49 30 123456', '+4930123456'],
    ['+1-555-555-0123', '+15555550123'],
    ['+1 555 555 0123 ext 5', '+15555550123'],
    ['tel:+1-555-555-0123;ext=5', '+15555550123'],
    ['+１５５５５５５０１２３', '+15555550123'],
    ['+1\u00a0555\u00a0555\u20110123', '+15555550123'],
    ['\u202a+1 (555) 555-0123\u202c', '+15555550123'],
  ])('%s is shown as %s', async (phone, shown) => {
    expect(await fieldsOf({ full_name: 'Jordan', phone })).toMatchObject({ phone: shown });
  });

  it.each([
    '15555550123',
    '5555550123',
    '+1555555012',
    '+155555501234',
    '+05555550123',
    '+1555555O123',
    '+1 555 555 0123 ext 12345678',
    '+1 555 555 0123 or 4',
    '+1/555/555/0123',
    '++15555550123',
    '+15555550123+',
    '+1555555012345678',
    '+123456',
    '+999999999999',
    'tel:5555550123',
  ])('%s is invalid', async (phone) => {
    expect(await reasonFor({ full_name: 'Jordan', phone })).toBe('phone invalid');
  });
});

describe('An email address', () => {
  it.each([
    'a@b.co',
    'First.Last+tag@Example.COM',
    "o'neil@mail.example.co.uk",
    'x_y-z@1.example',
    'A@xn--bcher-kva.example',
  ])('%s is shown as sent', async (email) => {
    expect(await fieldsOf({ full_name: 'Jordan', email })).toMatchObject({ email });
  });

  it.each([
    'a',
    'a@b',
    'a@@b.co',
    'a@b@c.co',
    '@b.co',
    'a@',
    'a@.co',
    'a@b.',
    'a b@c.co',
    'ä@b.co',
    'a@bücher.example',
    'a@b..co',
    'a@b_c.co',
    '<a@b.co>',
  ])('%s is invalid', async (email) => {
    expect(await reasonFor({ full_name: 'Jordan', email })).toBe('email invalid');
  });
});

describe('An amount of debt', () => {
  it.each([
    ['"24500"', 2_450_000],
    ['"24500.5"', 2_450_050],
    ['"24500.50"', 2_450_050],
    ['"0"', 0],
    ['"0.00"', 0],
    ['"007"', 700],
    ['" 900 "', 90_000],
    ['"999999999.99"', 99_999_999_999],
    ['24500', 2_450_000],
    ['24500.5', 2_450_050],
    ['24500.10', 2_450_010],
    ['0', 0],
    ['0.1', 10],
    ['999999999.99', 99_999_999_999],
    ['null', null],
    ['""', null],
  ])('%s is %j cents', async (written, cents) => {
    expect(await fieldsOf(`{"full_name":"Jordan","email":"a@b.co","debt_amount":${written}}`)).toMatchObject({
      debtAmountCents: cents,
    });
  });

  it.each([
    '"-1"',
    '-1',
    '"24,500"',
    '"$24500"',
    '"1.234"',
    '1.234',
    '"1e3"',
    '".5"',
    '"5."',
    '"1000000000"',
    '1000000000',
    '"Infinity"',
    '"NaN"',
    '"٢٤"',
    'true',
    '[24500]',
    '{"amount":1}',
    '0.001',
    '1e-7',
  ])('%s is invalid', async (written) => {
    expect(await reasonFor(`{"full_name":"Jordan","email":"a@b.co","debt_amount":${written}}`)).toBe(
      'debt_amount invalid',
    );
  });
});

describe('A state', () => {
  it.each(['CA', 'ca', 'cA', ' NY ', 'DC', 'AS', 'GU', 'MP', 'PR', 'VI', 'AA', 'AE', 'AP', 'ap', 'ON', 'qc'])(
    '%j is known, in any case',
    async (state) => {
      expect(await fieldsOf({ ...NAMED, state })).toMatchObject({ state: state.trim().toUpperCase() });
    },
  );

  it.each<unknown>(['California', 'ZZ', 'C', 'CAL', 'UM', 'FM', 'BY', 'Ontario', 'ıl', 5, ['CA'], true])(
    '%j is invalid',
    async (state) => {
      expect(await reasonFor({ ...NAMED, state })).toBe('state invalid');
    },
  );
});

describe('An instant', () => {
  it.each([
    ['2026-11-20T17:03:11Z', '2026-11-20T17:03:11.000Z'],
    ['2026-11-20T17:03:11.5Z', '2026-11-20T17:03:11.500Z'],
    ['2026-11-20T17:03:11.123456Z', '2026-11-20T17:03:11.123Z'],
    ['2026-11-20T09:03:11-08:00', '2026-11-20T17:03:11.000Z'],
    ['2026-11-20t17:03:11z', '2026-11-20T17:03:11.000Z'],
    ['2000-01-01T00:00:00Z', '2000-01-01T00:00:00.000Z'],
    ['2024-02-29T12:00:00+00:00', '2024-02-29T12:00:00.000Z'],
    // 24 hours ahead of the clock, to the millisecond.
    ['2026-11-21T18:00:00Z', '2026-11-21T18:00:00.000Z'],
  ])('%s is read as %s', async (sent, stored) => {
    expect(await fieldsOf({ ...NAMED, consent_timestamp: sent })).toMatchObject({
      consentTimestamp: stored,
      tcpaConsent: true,
    });
  });

  it.each<unknown>([
    '2026-11-20',
    '2026-11-20T17:03Z',
    '2026-11-20T17:03:11',
    '2026-11-20 17:03:11Z',
    '2026-02-30T12:00:00Z',
    '2025-02-29T12:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T23:60:00Z',
    '2026-11-20T17:03:11+25:00',
    '1999-12-31T23:59:59Z',
    '2026-11-21T18:00:00.001Z',
    '+002026-11-20T17:03:11Z',
    'now',
    'infinity',
    1_763_658_191,
    '1763658191',
  ])('%j is invalid', async (consent) => {
    expect(await reasonFor({ ...NAMED, consent_timestamp: consent })).toBe('consent_timestamp invalid');
  });
});

describe('A URL', () => {
  it.each([
    'https://forms.example.com/debt?utm_source=x#y',
    'http://10.0.0.1:8080/',
    'HTTPS://X.example',
    'https://bücher.example/ä',
  ])('%s is stored as sent', async (url) => {
    expect(await fieldsOf({ ...NAMED, source_form_url: url })).toMatchObject({ sourceFormUrl: url });
  });

  it.each([
    'forms.example.com',
    '//x.example',
    'ftp://x.example',
    'javascript:alert(1)',
    'https://',
    'https:x',
    'https://x y',
    'https:\\\\x',
    'https://x\n.example',
    'data:text/html,x',
  ])('%j is invalid', async (url) => {
    expect(await reasonFor({ ...NAMED, source_form_url: url })).toBe('source_form_url invalid');
    expect(await reasonFor({ ...NAMED, trustedform_cert_url: url })).toBe('trustedform_cert_url invalid');
  });
});

describe('An address of the lead', () => {
  it.each(['203.0.113.24', '2001:db8::1', '::ffff:203.0.113.24', '::1'])('%s is stored as sent', async (ip) => {
    expect(await fieldsOf({ ...NAMED, lead_ip: ip })).toMatchObject({ leadIp: ip });
  });

  it.each<unknown>([
    '203.0.113',
    '203.0.113.256',
    '0x7f.1',
    '2130706433',
    '203.0.113.24/32',
    '[::1]',
    'fe80::1%eth0',
    1,
  ])('%j is invalid', async (ip) => {
    expect(await reasonFor({ ...NAMED, lead_ip: ip })).toBe('lead_ip invalid');
  });

  it('is never that of the server that sends the lead', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.99', forwarded: 'for=203.0.113.99', 'x-real-ip': '203.0.113.99' };
    const { json } = await postLead(market.url, key, NAMED, headers);
    expect((await storedLead(market.database, json.lead_id)).fields?.leadIp).toBeNull();
  });
});

describe('Derived values', () => {
  it.each<[object, boolean]>([
    [{ tcpa_consent: true }, true],
    [{ tcpa_consent: false }, false],
    [{ tcpa_consent: false, consent_timestamp: '2026-11-20T17:03:11Z' }, false],
    [{ tcpa_consent: null, consent_timestamp: '2026-11-20T17:03:11Z' }, true],
    [{ consent_timestamp: '2026-11-20T17:03:11Z' }, true],
    [{ consent_timestamp: ' ' }, false],
    [{}, false],
  ])('of consent for %j: %j', async (more, consent) => {
    expect(await fieldsOf({ ...NAMED, ...more })).toMatchObject({ tcpaConsent: consent });
  });

  const url = 'https://x.example/?utm_source=from%20url&utm_source=second';
  it.each<[object, string | null]>([
    [{ utm_source: 'own', source_form_url: url, source: 'label' }, 'own'],
    [{ utm_source: ' ', source_form_url: url, source: 'label' }, 'from url'],
    [{ source_form_url: 'https://x.example/?utm_medium=cpc', source: 'label' }, 'label'],
    [{ source_form_url: 'https://x.example/?utm_source=', source: 'label' }, 'label'],
    [{ source: 'label' }, 'label'],
    [{}, null],
  ])('of utmSource for %j: %j', async (more, utmSource) => {
    expect(await fieldsOf({ ...NAMED, ...more })).toMatchObject({ utmSource });
  });
});

describe('An additional member', () => {
  it('is kept as received', async () => {
    const extra = {
      responses: { 'How much?': '20k', nested: [1, null, true, { deep: 'x' }] },
      score: 99,
      lead_id: 'x',
      constructor: 'y',
    };
    expect(await fieldsOf({ ...NAMED, ...extra })).toMatchObject({ extra });
  });

  it('may be a requested appointment or another field of a campaign', async () => {
    const more = {
      consent_version: 'v2',
      consent_text: 'I agree',
      utm_medium: 'cpc',
      utm_campaign: 'west',
      utm_term: 'debt',
      utm_content: 'a',
      trustedform_cert_url: 'https://cert.example/1',
      jornaya_lead_id: '01-AB',
      appointment_at: '2026-12-01T09:00:00-08:00',
    };
    expect(await fieldsOf({ ...NAMED, ...more })).toMatchObject({
      consentVersion: 'v2',
      consentText: 'I agree',
      utmMedium: 'cpc',
      utmCampaign: 'west',
      utmTerm: 'debt',
      utmContent: 'a',
      trustedformCertUrl: 'https://cert.example/1',
      jornayaLeadId: '01-AB',
      appointmentAt: '2026-12-01T17:00:00.000Z',
      extra: {},
    });
  });
});

describe('The states of a lead', () => {
  const reasonOfState = (state: string): Promise<unknown> => reasonFor({ ...NAMED, state });

  it('are the ones that the marketplace currently accepts', async () => {
    const settings = (regions: string): string => marketYaml().replace('{ currency: USD }', `{ regions: ${regions} }`);
    await market.apply(settings('any'));
    expect([await reasonOfState('by'), await reasonOfState('ON'), await reasonOfState('B1')]).toEqual([
      ACCEPTED,
      ACCEPTED,
      'state invalid',
    ]);
    await market.apply(settings('[US]'));
    expect([await reasonOfState('by'), await reasonOfState('ON'), await reasonOfState('NY')]).toEqual([
      'state invalid',
      'state invalid',
      ACCEPTED,
    ]);
    await market.apply(marketYaml());
    expect(await reasonOfState('ON')).toEqual(ACCEPTED);
  });
});

// The last one, because it moves the clock.
describe('The clock of the service', () => {
  it('limits how far in the future consent may be', async () => {
    const body = { ...NAMED, consent_timestamp: '2026-11-22T18:00:00Z' };
    expect(await reasonFor(body)).toBe('consent_timestamp invalid');
    clock.advance(DAY_MS);
    expect(await reasonFor(body)).toEqual(ACCEPTED);
  });
});
