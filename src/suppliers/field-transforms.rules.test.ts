import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTransformName, transforms, type TransformName, transformWith } from './field-transforms.rules.ts';

const cases: ReadonlyArray<[TransformName, unknown, unknown]> = [
  ['trim', '  a b ', 'a b'],
  ['trim', 5, 5],
  ['upper', 'ca', 'CA'],
  ['upper', null, null],
  ['lower', 'A@X.COM', 'a@x.com'],
  ['lower', ['A'], ['A']],
  ['digits', '(555) 555-0123', '5555550123'],
  ['digits', 5555550123, '5555550123'],
  ['digits', 'none', 'none'],
  ['digits', -5, -5],
  ['digits', 1.5, 1.5],
  ['digits', true, true],
  ['us_phone', '(555) 555-0123', '+15555550123'],
  ['us_phone', '555.555.0123', '+15555550123'],
  ['us_phone', '1-555-555-0123', '+15555550123'],
  ['us_phone', '+1 555 555 0123', '+15555550123'],
  ['us_phone', '555\u2011555\u20130123', '+15555550123'],
  ['us_phone', 5555550123, '+15555550123'],
  ['us_phone', 15555550123, '+15555550123'],
  ['us_phone', '+44 20 7946 0958', '+44 20 7946 0958'],
  ['us_phone', '+5555550123', '+5555550123'],
  ['us_phone', '155-555-0123', '155-555-0123'],
  ['us_phone', '555-0123', '555-0123'],
  ['us_phone', '555-555-0123 x4', '+15555550123;ext=4'],
  ['us_phone', '\u202a(555) 555-0123\u202c', '+15555550123'],
  ['us_phone', '5555550123.0', '+15555550123'],
  ['us_phone', '1555555012.0', '1555555012.0'],
  ['us_phone', '155-555-012 / 3', '155-555-012 / 3'],
  ['us_phone', '555-555-0123 call', '555-555-0123 call'],
  ['us_phone', { number: 1 }, { number: 1 }],
  ['state_name', ' california', 'CA'],
  ['state_name', 'Washington, D.C.', 'DC'],
  ['state_name', 'tx', 'TX'],
  ['state_name', ' ontario', 'ON'],
  ['state_name', 'Québec', 'QC'],
  ['state_name', 'Bavaria', 'Bavaria'],
  ['state_name', 6, 6],
  ['money', '$12,345.67', '12345.67'],
  ['money', '12 345', '12345'],
  ['money', '12\u202f345', '12345'],
  ['money', "12'345", '12345'],
  ['money', ' USD 900 ', '900'],
  ['money', '900 USD', '900'],
  ['money', 'US$1,234,567', '1234567'],
  ['money', '12345.6', '12345.6'],
  ['money', 12345.67, '12345.67'],
  ['money', 12000, '12000'],
  ['money', 0, '0'],
  ['money', -1, -1],
  ['money', 0.001, 0.001],
  ['money', 1e21, 1e21],
  ['money', '12.345,67', '12.345,67'],
  ['money', '1,23', '1,23'],
  ['money', '1,234 567', '1,234 567'],
  ['money', '$10,000 - $20,000', '$10,000 - $20,000'],
  ['money', '-5', '-5'],
  ['money', '12k', '12k'],
  ['money', '$', '$'],
  ['money', '1,234,567,890', '1,234,567,890'],
  ['money', '€500', '€500'],
  ['epoch_s', 1_763_632_800, '2025-11-20T10:00:00.000Z'],
  ['epoch_s', '1763632800', '2025-11-20T10:00:00.000Z'],
  ['epoch_s', 1_763_632_800.25, '2025-11-20T10:00:00.250Z'],
  ['epoch_s', -1, -1],
  ['epoch_s', '2025-11-20', '2025-11-20'],
  ['epoch_s', 1e15, 1e15],
  ['epoch_s', '', ''],
  ['epoch_ms', 1_763_632_800_123, '2025-11-20T10:00:00.123Z'],
  ['epoch_ms', ' 1763632800123 ', '2025-11-20T10:00:00.123Z'],
  ['epoch_ms', 0, '1970-01-01T00:00:00.000Z'],
  ['epoch_ms', '9'.repeat(400), '9'.repeat(400)],
  ['epoch_ms', false, false],
  ['time', '2026-11-20 17:03:11', '2026-11-20T17:03:11.000Z'],
  ['time', 'yesterday', 'yesterday'],
  ['time', '\u200e2026\u201311\u201320 17:03\u202c', '2026-11-20T17:03:00.000Z'],
  ['boolean', '\u200bYes\u00a0', true],
  ['time', '1969-12-31', '1969-12-31'],
  ['time', 1_763_632_800, 1_763_632_800],
  ['date', '2026-11-20T23:03:11-05:00', '2026-11-20'],
  ['date', '11/20/2026', '11/20/2026'],
  ['boolean', 'TRUE', true],
  ['boolean', ' Yes ', true],
  ['boolean', 'on', true],
  ['boolean', '1', true],
  ['boolean', 1, true],
  ['boolean', 'checked', true],
  ['boolean', true, true],
  ['boolean', 'false', false],
  ['boolean', 'No', false],
  ['boolean', 'off', false],
  ['boolean', 0, false],
  ['boolean', '0', false],
  ['boolean', 'maybe', 'maybe'],
  ['boolean', 2, 2],
  ['boolean', ['true'], ['true']],
  ['public_ip', '10.0.0.1, 203.0.113.9', '203.0.113.9'],
  ['public_ip', '203.0.113.9:51234', '203.0.113.9'],
  ['public_ip', '192.168.1.4,172.20.0.1 , 198.51.100.7, 203.0.113.9', '198.51.100.7'],
  ['public_ip', 'unknown, 100.64.3.2, [2001:db8::7]:443', '2001:db8::7'],
  ['public_ip', 'fe80::1%eth0, fd00::2, 2001:db8::7', '2001:db8::7'],
  ['public_ip', '::ffff:203.0.113.9', '203.0.113.9'],
  ['public_ip', 'for=192.0.2.60;proto=http, for="[2001:db8:cafe::17]:4711"', '192.0.2.60'],
  ['public_ip', '127.0.0.1', '127.0.0.1'],
  ['public_ip', '10.0.0.1, 192.168.0.1', '10.0.0.1, 192.168.0.1'],
  ['public_ip', '203.0.113', '203.0.113'],
  ['public_ip', 3_405_803_785, 3_405_803_785],
];

describe('Field transforms', () => {
  it.each(cases)('with %s turn %j into %j', (name, value, expected) => {
    expect(transforms[name](value)).toEqual(expected);
  });

  it('of times and days go by their format and zone', () => {
    const time = transformWith('time', { format: 'MM/DD/YYYY h:mm A', timeZone: 'America/New_York' });
    expect(time('11/20/2026 5:03 PM')).toBe('2026-11-20T22:03:00.000Z');
    expect(time('2026-11-20T17:03:11Z')).toBe('2026-11-20T17:03:11Z');
    expect(transformWith('date', { format: 'DD.MM.YYYY' })('20.11.2026')).toBe('2026-11-20');
    expect(transformWith('time', { timeZone: 'Europe/Paris' })('2026-07-01')).toBe('2026-06-30T22:00:00.000Z');
  });

  it('leave a value alone by options that no check has seen', () => {
    expect(transformWith('time', { format: 'HH' })('17')).toBe('17');
    expect(transformWith('time', { timeZone: 'Mars/Olympus' })('2026-07-01')).toBe('2026-07-01');
  });

  it('never throw, and leave their own result unchanged', () => {
    const names = Object.keys(transforms).filter(isTransformName);
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' })), (name, value) => {
        const once = transforms[name](value);
        if (name.startsWith('epoch')) return;
        expect(transforms[name](once)).toEqual(once);
      }),
    );
  });

  it('are accepted only by the names of existing transforms', () => {
    expect(isTransformName('us_phone')).toBe(true);
    for (const name of ['toString', '__proto__', 'Trim', '', null, 5]) expect(isTransformName(name)).toBe(false);
  });
});
