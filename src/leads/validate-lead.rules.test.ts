import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countries, type Regions } from '../base/regions.ts';
import { newMembers, type Members } from '../base/json.ts';
import { standardNames } from '../suppliers/field-mapping.rules.ts';
import type { ValidLead } from './lead-fields.ts';
import { validateLead } from './validate-lead.rules.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const minimal = { full_name: 'Ann Lee', email: 'ann@example.com' };

function accepted(body: Members): ValidLead {
  const verdict = validateLead(body, { regions: countries }, now);
  if (!verdict.ok) throw new Error(verdict.reason);
  return verdict.lead;
}

function reasonOf(body: Members): string | null {
  const verdict = validateLead(body, { regions: countries }, now);
  return verdict.ok ? null : verdict.reason;
}

describe('validateLead', () => {
  it('normalises a complete submission', () => {
    const lead = accepted({
      external_id: ' X-1 ',
      full_name: ' Ann  Lee ',
      email: ' Ann.Lee+x@Example.com ',
      phone: ' +1 (555) 555-0123 ',
      business_name: 'Lee & Söhne 👍',
      state: ' ca ',
      debt_amount: ' 12000.5 ',
      source: 'fb',
      consent_timestamp: '2026-11-20T12:30:00+01:00',
      source_form_url: 'HTTPS://Forms.example.com/a?utm_source=Face+Book',
      tcpa_consent: false,
      consent_version: 'v1',
      consent_text: 'I agree',
      lead_ip: '2001:DB8::1',
      utm_medium: 'cpc',
      utm_campaign: 'c',
      utm_term: 't',
      utm_content: 'k',
      trustedform_cert_url: 'https://cert.trustedform.com/abc',
      jornaya_lead_id: 'J-1',
      appointment_at: '2026-12-01T09:00:00-08:00',
      test: true,
      responses: { a: ' 1 ' },
    });
    expect({ ...lead, extra: { ...lead.extra } }).toEqual({
      externalId: 'X-1',
      test: true,
      fullName: 'Ann  Lee',
      email: 'Ann.Lee+x@Example.com',
      phone: '+15555550123',
      businessName: 'Lee & Söhne 👍',
      state: 'CA',
      debtAmountCents: 1_200_050,
      source: 'fb',
      consentTimestamp: '2026-11-20T11:30:00.000Z',
      sourceFormUrl: 'HTTPS://Forms.example.com/a?utm_source=Face+Book',
      tcpaConsent: false,
      consentVersion: 'v1',
      consentText: 'I agree',
      leadIp: '2001:DB8::1',
      utmSource: 'Face Book',
      utmMedium: 'cpc',
      utmCampaign: 'c',
      utmTerm: 't',
      utmContent: 'k',
      trustedformCertUrl: 'https://cert.trustedform.com/abc',
      jornayaLeadId: 'J-1',
      appointmentAt: '2026-12-01T17:00:00.000Z',
      extra: { responses: { a: ' 1 ' } },
    });
  });

  it('returns null for all fields missing in a minimal submission', () => {
    const lead = accepted(minimal);
    expect(lead.tcpaConsent).toBe(false);
    expect(lead.test).toBe(false);
    for (const name of [
      'externalId',
      'phone',
      'state',
      'debtAmountCents',
      'leadIp',
      'utmSource',
      'appointmentAt',
    ] as const) {
      expect(lead[name]).toBeNull();
    }
    expect(Object.keys(lead.extra)).toEqual([]);
  });
});

const refusals: ReadonlyArray<[string, Record<string, unknown>, string]> = [
  ['an empty body', {}, 'email or phone required; name required'],
  ['only a name', { full_name: 'A' }, 'email or phone required'],
  ['only an email', { email: 'a@b.co' }, 'name required'],
  ['only a phone', { phone: '+15555550123' }, 'name required'],
  ['nulls', { full_name: null, email: null, phone: null }, 'email or phone required; name required'],
  ['white space', { full_name: ' \t\u3000', email: '\n', phone: '' }, 'email or phone required; name required'],
  [
    'invisible characters',
    { full_name: '\u200b\u2060', first_name: '\u00ad', email: '\ufeff' },
    'email or phone required; name required',
  ],
  ['an invalid email, which counts as given', { full_name: 'A', email: 'x' }, 'email invalid'],
  ['an invalid phone, which counts as given', { full_name: 'A', phone: 5555550123 }, 'phone invalid'],
  ['wrong types, which count as given', { full_name: 5, email: {} }, 'full_name invalid; email invalid'],
  ['false and 0, which count as given', { full_name: false, phone: 0 }, 'full_name invalid; phone invalid'],
  ['empty lists and objects, which count as given', { full_name: [], phone: {} }, 'full_name invalid; phone invalid'],
  ['an invalid first name, which counts as given', { first_name: 5, email: 'a@b.co' }, 'first_name invalid'],
  [
    'invalid parts beside a full name',
    { ...minimal, first_name: 5, last_name: '\0' },
    'first_name invalid; last_name invalid',
  ],
  ['a NUL alone', { full_name: '\0', email: 'a@b.co' }, 'full_name invalid'],
  ['a NUL within', { full_name: 'A\0B', email: 'a@b.co' }, 'full_name invalid'],
  ['a lone surrogate', { full_name: 'A\ud800', email: 'a@b.co' }, 'full_name invalid'],
  ['a lone surrogate deep in a further member', { ...minimal, note: [{ a: 'b\ud800' }] }, 'note invalid'],
  ['a further member named by a lone surrogate', { ...minimal, '\udc00x': 1, ok: '😀\0' }, '\\udc00x invalid'],
  ['further members behind the fields', { note: '\ud800', email: 'x', full_name: 'A' }, 'email invalid; note invalid'],
  ['long names of further members', { ...minimal, [`${'x'.repeat(150)}\ud800`]: 1 }, `${'x'.repeat(100)} invalid`],
  ['long text', { ...minimal, source: 'x'.repeat(501) }, 'source too long'],
  ['long text of pairs', { ...minimal, source: '👍'.repeat(501) }, 'source too long'],
  ['a long URL', { ...minimal, source_form_url: `https://a.example/${'x'.repeat(2031)}` }, 'source_form_url too long'],
  ['a long phone', { full_name: 'A', phone: `+${'1'.repeat(501)}` }, 'phone too long'],
];

describe('validateLead of valid and invalid values', () => {
  it.each(refusals)('rejects %s', (_, body, reason) => {
    expect(reasonOf(body)).toBe(reason);
  });

  it('reports all errors at once, in the order of the contract', () => {
    const wrong = Object.fromEntries(standardNames.toReversed().map((name) => [name, [name]]));
    expect(reasonOf(wrong)).toBe(standardNames.map((name) => `${name} invalid`).join('; '));
    expect(reasonOf({ ...wrong, email: null, phone: ' ', full_name: null, first_name: null, last_name: null })).toBe(
      [
        'email or phone required',
        'name required',
        ...standardNames
          .filter((name) => !['full_name', 'first_name', 'last_name', 'email', 'phone'].includes(name))
          .map((name) => `${name} invalid`),
      ].join('; '),
    );
  });

  it('reports the two required items first', () => {
    expect(reasonOf({ external_id: 5, state: 'XX' })).toBe(
      'email or phone required; name required; external_id invalid; state invalid',
    );
  });

  it('returns the external id and the test flag of a rejection if they are valid', () => {
    expect(validateLead({ external_id: ' X ', test: true }, { regions: countries }, now)).toMatchObject({
      ok: false,
      externalId: 'X',
      test: true,
    });
    expect(validateLead({ external_id: 5, test: 'true' }, { regions: countries }, now)).toMatchObject({
      ok: false,
      externalId: null,
      test: false,
    });
  });

  it.each<[string, Regions, string | null]>([
    ['on', ['CA'], 'ON'],
    ['TX', ['CA'], null],
    ['ON', ['US'], null],
    ['by', 'any', 'BY'],
    ['b1', 'any', null],
    ['Bavaria', 'any', null],
  ])('reads the state %j with regions %j as %j', (state, regions, code) => {
    const verdict = validateLead({ ...minimal, state }, { regions }, now);
    expect(verdict).toMatchObject(code === null ? { reason: 'state invalid' } : { lead: { state: code } });
  });
});

const fieldCases: Readonly<Record<string, { good: readonly unknown[]; bad: readonly unknown[] }>> = {
  external_id: { good: ['x', 'x'.repeat(500), '👍'.repeat(500)], bad: [5, true, ['x'], 'a\0'] },
  email: {
    good: ['a@b.co', 'A.B+c_d@sub.Example.COM', "o'neil@x-y.org", `${'a'.repeat(64)}@example.com`],
    bad: [
      'a',
      'a@b',
      '@b.co',
      'a@',
      'a@@b.co',
      'a@b@c.co',
      'a b@c.co',
      'a@b .co',
      'a@.co',
      'a@b.',
      'a@b..co',
      'a@-b.co',
      'ä@b.co',
      'a@bücher.de',
      '<a@b.co>',
      'a@b.co,c@d.co',
      'a@[127.0.0.1]',
      'a@b_c.co',
      'a\n@b.co',
      'a..b@b.co',
      `${'a'.repeat(65)}@b.co`,
      'a@b.12',
      `a@${'b.'.repeat(126)}com`,
      `${'x'.repeat(500)}@b.co`,
    ],
  },
  state: {
    good: ['CA', 'ca', 'cA', ' tx ', 'DC', 'PR', 'AA', 'ON', 'qc'],
    bad: ['California', 'Ontario', 'BY', 'XX', 'C', 'CAL', 'ſd', 'C A', 'US-CA', 6],
  },
  debt_amount: {
    good: [
      '0',
      '12000',
      '12000.5',
      '12000.50',
      '999999999.99',
      '000000001',
      ' 7 ',
      12_000,
      12_000.5,
      0,
      -0,
      1e5,
      0.1,
      999_999_999.99,
    ],
    bad: [
      '-1',
      '+1',
      '1.',
      '.5',
      '1.234',
      '1,000',
      '$5',
      '1e5',
      '1 000',
      '1234567890',
      'NaN',
      '١٢',
      -1,
      -0.01,
      0.001,
      1e9,
      Number.POSITIVE_INFINITY,
      0.1 + 0.2,
      Number.NaN,
      true,
      ['5'],
    ],
  },
  consent_timestamp: {
    good: [
      '2026-11-20T12:00:00Z',
      '2000-01-01T00:00:00Z',
      '2026-11-21T12:00:00.000Z',
      '2026-11-21T13:00:00+01:00',
      ' 2024-02-29T00:00:00.123456Z ',
    ],
    bad: [
      '1999-12-31T23:59:59Z',
      '2026-11-21T12:00:00.001Z',
      '2026-11-20',
      '2026-02-30T00:00:00Z',
      '2026-11-20T12:00:00',
      'now',
      1_700_000_000,
      '0000-00-00T00:00:00Z',
    ],
  },
  source_form_url: {
    good: [
      'http://a.example',
      'https://a.example/p?q=1#f',
      'https://münchen.example/ü',
      'HTTPS://A.example:8443/',
      `https://a.example/${'x'.repeat(2030)}`,
    ],
    bad: [
      'a.example',
      '//a.example',
      'ftp://a.example',
      'javascript:alert(1)',
      'https:a.example',
      'https:/a.example',
      'https:///a.example',
      'https://',
      'https://a b.example',
      'https://a.example/a b',
      'https:\\\\a.example',
      'https://a.example/\u0007',
      'https://[::1',
      'mailto:a@b.co',
      {},
      'https://a.example:99999/',
    ],
  },
  tcpa_consent: { good: [true, false], bad: ['true', 'yes', 1, 0, {}] },
  lead_ip: {
    good: ['203.0.113.9', '0.0.0.0', '::', '::1', '2001:DB8:0:0:0:0:0:1', '::ffff:192.0.2.1', '64:ff9b::192.0.2.33'],
    bad: [
      '1.2.3',
      '1.2.3.256',
      '01.2.3.4',
      '0x7f.0.0.1',
      '2130706433',
      '1.2.3.4/32',
      '1.2.3.4:80',
      'fe80::1%eth0',
      '1::2::3',
      '::ffff:01.2.3.4',
      '::ffff:0x1.2.3.4',
      ':::',
      '12345::',
      'localhost',
      '[::1]',
      5,
    ],
  },
  trustedform_cert_url: { good: ['https://cert.trustedform.com/0a'], bad: ['cert.trustedform.com/0a'] },
  appointment_at: {
    good: ['2026-12-01T09:00:00Z', '2000-01-01T00:00:00Z', '2099-12-31T23:59:59.999Z'],
    bad: ['1999-12-31T23:59:59Z', '2100-01-01T00:00:00Z', '2026-12-01', 'tomorrow'],
  },
  test: { good: [true, false], bad: ['true', 1, {}] },
};

describe('validateLead of single fields', () => {
  it.each(Object.entries(fieldCases).flatMap(([name, { good }]) => good.map((value) => [name, value] as const)))(
    'accepts %s: %j',
    (name, value) => {
      expect(reasonOf({ ...minimal, [name]: value })).toBeNull();
    },
  );

  it.each(Object.entries(fieldCases).flatMap(([name, { bad }]) => bad.map((value) => [name, value] as const)))(
    'rejects %s: %j',
    (name, value) => {
      expect(reasonOf({ ...minimal, [name]: value })).toBe(`${name} invalid`);
    },
  );

  it('treats blank values as absent in every field', () => {
    for (const value of [null, '', ' \u200b', undefined]) {
      const blank = Object.fromEntries(standardNames.map((name) => [name, value]));
      expect(reasonOf({ ...blank, ...minimal })).toBeNull();
    }
  });

  it.each([
    ['0', 0],
    [-0, 0],
    ['12000.5', 1_200_050],
    ['12000.05', 1_200_005],
    [12_000.5, 1_200_050],
    [1e5, 10_000_000],
    [0.29, 29],
    ['999999999.99', 99_999_999_999],
  ])('reads the amount %j as %j cents', (amount, cents) => {
    expect(accepted({ ...minimal, debt_amount: amount }).debtAmountCents).toBe(cents);
  });

  it.each([
    [{ full_name: 'Ann Lee', first_name: 'X', last_name: 'Y' }, 'Ann Lee'],
    [{ first_name: ' Ann ', last_name: ' Lee ' }, 'Ann Lee'],
    [{ full_name: ' ', first_name: 'Ann' }, 'Ann'],
    [{ first_name: '\u200b', last_name: 'Lee' }, 'Lee'],
  ])('reads the name of %j as %s', (body, name) => {
    expect(accepted({ email: 'a@b.co', ...body }).fullName).toBe(name);
  });

  it.each<[string, string, keyof ValidLead, unknown]>([
    ['full_name', '\u200f\u202bAnn Lee\u202c\u200e', 'fullName', 'Ann Lee'],
    // Joiners inside of words, and behind the last mark of a word, are part of how a name is written.
    ['full_name', '\u0645\u06cc\u200c\u0631\u0627\u200b', 'fullName', '\u0645\u06cc\u200c\u0631\u0627'],
    ['full_name', '\u0d05\u0d35\u0d28\u0d4d\u200d', 'fullName', '\u0d05\u0d35\u0d28\u0d4d\u200d'],
    ['full_name', 'Ann \u2764\ufe0f', 'fullName', 'Ann \u2764\ufe0f'],
    ['source', '\ufefffb\u2060', 'source', 'fb'],
    ['email', 'ann\u200b@exam\u00adple.com\u200e', 'email', 'ann@example.com'],
    ['state', '\u200eC\u2060A', 'state', 'CA'],
    ['debt_amount', '1\u200b2000.5\u00a0', 'debtAmountCents', 1_200_050],
    ['debt_amount', '\uff11\uff12', 'debtAmountCents', 1200],
    ['consent_timestamp', '2026\u201111\u201120T10:00:00\u200bZ', 'consentTimestamp', '2026-11-20T10:00:00.000Z'],
    ['lead_ip', '203.0.113.9\u200b', 'leadIp', '203.0.113.9'],
    ['source_form_url', 'https://a.example/\u200bp\u202c', 'sourceFormUrl', 'https://a.example/p'],
    ['phone', '\u202a+1\u00a0555\u2011555\u20130123\u202c', 'phone', '+15555550123'],
  ])('reads %s %j without what cannot be seen', (name, sent, field, read) => {
    expect(accepted({ ...minimal, [name]: sent })[field]).toBe(read);
  });

  it.each([
    ['email', 'ann\u2013lee@example.com'],
    ['email', 'ann\u00a0lee@example.com'],
    ['state', 'C\u00a0A'],
    ['debt_amount', '\u22125'],
    ['source_form_url', 'https://a.example/a\u00a0b'],
  ])('does not make another value of %s %j', (name, sent) => {
    expect(reasonOf({ ...minimal, [name]: sent })).toBe(`${name} invalid`);
  });

  it('keeps the extension of a phone number as a further member', () => {
    const lead = accepted({ ...minimal, phone: '+1 (555) 555-0130 ext. 4' });
    expect([lead.phone, { ...lead.extra }]).toEqual(['+15555550130', { phone_extension: '4' }]);
    const sent = accepted({ ...minimal, phone: '+15555550130;ext=4', phone_extension: 'desk 9' });
    expect({ ...sent.extra }).toEqual({ phone_extension: 'desk 9' });
    expect({ ...accepted({ ...minimal, phone: '+1 (555) 555-0130' }).extra }).toEqual({});
  });

  it.each([
    [{ full_name: 'Ann Lee' }, {}],
    [
      { first_name: ' Mary Ann ', last_name: 'Lopez Garcia' },
      { firstName: 'Mary Ann', lastName: 'Lopez Garcia' },
    ],
    [{ full_name: 'A. Lee', first_name: 'Ann', last_name: ' ' }, { firstName: 'Ann' }],
    [
      { full_name: 'Una Gray', middle_name: 'M.', name_prefix: 'Dr.', name_suffix: 'Jr.', first_name: null },
      { middleName: 'M.', namePrefix: 'Dr.', nameSuffix: 'Jr.' },
    ],
  ])('keeps the parts of the name that %j has', (body, parts) => {
    const { firstName, middleName, lastName, namePrefix, nameSuffix } = accepted({ email: 'a@b.co', ...body });
    expect(JSON.parse(JSON.stringify({ firstName, middleName, lastName, namePrefix, nameSuffix }))).toEqual(parts);
  });

  it('keeps first and last name beside a full name as extra members', () => {
    const extra = { ...accepted({ ...minimal, first_name: ' Ann', last_name: null }).extra };
    expect(extra).toEqual({ first_name: ' Ann' });
    expect({ ...accepted({ email: 'a@b.co', first_name: 'Ann' }).extra }).toEqual({});
  });

  it.each([
    [{}, false],
    [{ consent_timestamp: '2026-11-20T10:00:00Z' }, true],
    [{ consent_timestamp: '2026-11-20T10:00:00Z', tcpa_consent: false }, false],
    [{ tcpa_consent: true }, true],
  ])('reads the consent of %j as %s', (body, consent) => {
    expect(accepted({ ...minimal, ...body }).tcpaConsent).toBe(consent);
  });

  it.each([
    [{ utm_source: 'u', source_form_url: 'https://a.example/?utm_source=q', source: 's' }, 'u'],
    [{ source_form_url: 'https://a.example/?x=1&utm_source=q%20r#utm_source=f', source: 's' }, 'q r'],
    [{ source_form_url: 'https://a.example/?utm%5Fsource=q', source: 's' }, 'q'],
    [{ source_form_url: 'https://a.example/?utm_source=', source: 's' }, 's'],
    [{ source_form_url: 'https://a.example/?utm_source=%00', source: 's' }, 's'],
    [{ source_form_url: `https://a.example/?utm_source=${'x'.repeat(501)}`, source: 's' }, 's'],
    [{ source_form_url: 'https://a.example/?utm_source=%ff', source: 's' }, '\ufffd'],
    [{ source_form_url: 'https://a.example/#?utm_source=q', source: 's' }, 's'],
    [{ source_form_url: 'https://a.example/' }, null],
    [{ source: 's' }, 's'],
  ])('reads the UTM source of %j as %j', (body, utmSource) => {
    expect(accepted({ ...minimal, ...body }).utmSource).toBe(utmSource);
  });

  it('ignores inherited members', () => {
    const inherited: Members = Object.setPrototypeOf(newMembers(), { ...minimal });
    expect(reasonOf(inherited)).toBe('email or phone required; name required');
  });

  it('accepts extra members of any name and value without changing a prototype', () => {
    const body = Object.assign(newMembers(), minimal, { constructor: { prototype: { x: 1 } } });
    body['__proto__'] = { test: true };
    const lead = accepted(body);
    expect(lead.test).toBe(false);
    expect(Object.getPrototypeOf(lead.extra)).toBeNull();
    expect(Object.keys(lead.extra)).toEqual(['constructor', '__proto__']);
    expect('x' in {}).toBe(false);
  });
});

const anyText = fc.string({ unit: 'binary', maxLength: 600 });
const values = fc.oneof(
  fc.jsonValue(),
  anyText,
  fc.constantFrom<unknown>(
    'a@b.co',
    '+15555550123',
    ' Ann ',
    'ca',
    '5.5',
    '2026-11-20T10:00:00Z',
    'https://a.example/?utm_source=x',
    '::1',
    true,
  ),
);
const bodies = fc.dictionary(fc.oneof(fc.constantFrom(...standardNames), fc.string()), values, { maxKeys: 30 });

describe('validateLead of any JSON', () => {
  it('never throws, and names only fields and errors in a rejection', () => {
    // A further member with ill-formed text is named as it is called.
    const reason =
      /^(?:[a-z_ ]+ (?:required|invalid|too long)|[^;]* invalid)(?:; (?:[a-z_ ]+ (?:required|invalid|too long)|[^;]* invalid))*$/;
    fc.assert(
      fc.property(bodies, (body) => {
        expect(reasonOf(body) ?? 'name required').toMatch(reason);
      }),
      { numRuns: 500 },
    );
  });

  it('returns well-formed, trimmed and bounded texts for an accepted lead', () => {
    const sound = fc.record({ name: fc.constantFrom(...standardNames), value: values });
    fc.assert(
      fc.property(fc.array(sound), (members) => {
        // Only what passes by itself, or hardly any body would be accepted.
        const parts = members.filter(({ name, value }) => reasonOf({ ...minimal, [name]: value }) === null);
        const body = Object.fromEntries(parts.map(({ name, value }) => [name, value]));
        for (const [name, text] of Object.entries(accepted({ ...body, ...minimal }))) {
          const isSound =
            typeof text !== 'string' ||
            (text !== '' && text === text.trim() && text.isWellFormed() && !text.includes('\0') && text.length <= 4096);
          expect(isSound, name).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('accepts a valid value with any surrounding white space', () => {
    const blanks = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u3000') });
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(fieldCases)), fc.nat(), blanks, (name, index, blank) => {
        const texts = fieldCases[name]?.good.filter((value) => typeof value === 'string') ?? [];
        if (texts.length === 0) return;
        expect(reasonOf({ ...minimal, [name]: blank + texts[index % texts.length] + blank })).toBeNull();
      }),
    );
  });
});
