import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { bookingExample, saleExample, type DeliveryView } from '../delivery.schema.ts';
import { smsText } from './sms-text.rules.ts';

const ZONE = 'America/Los_Angeles';

function named(fullName: string, view: DeliveryView = saleExample): DeliveryView {
  return { ...view, lead: { ...view.lead, fullName } };
}

function textOf(delivery: DeliveryView, { isTest = false, zone = ZONE } = {}): string {
  return smsText({ isTest, delivery }, zone);
}

describe('The text of an SMS', () => {
  test('says which delivery it is, of which kind, and whom to call', () => {
    expect(textOf(saleExample)).toBe('LS-100042 Lead Sale: Jordan Rivera +15555550123');
  });

  test.each([
    [ZONE, 'Mon Nov 23, 9:30 AM PST'],
    ['America/New_York', 'Mon Nov 23, 12:30 PM EST'],
    ['Asia/Tokyo', 'Tue Nov 24, 2:30 AM GMT+9'],
    ['UTC', 'Mon Nov 23, 5:30 PM UTC'],
  ])('of a booking says when, as clocks are in %s', (zone, time) => {
    expect(textOf(bookingExample, { zone })).toBe(`CA-100041 Calendar Assigned: Dana Whitfield +15555550147, ${time}`);
  });

  test.each([
    ['2026-07-01T07:00:00.000Z', 'Wed Jul 1, 12:00 AM PDT'],
    ['2026-11-01T08:30:00.000Z', 'Sun Nov 1, 1:30 AM PDT'],
    ['2026-11-01T09:30:00.000Z', 'Sun Nov 1, 1:30 AM PST'],
    ['2026-12-31T20:05:00.000Z', 'Thu Dec 31, 12:05 PM PST'],
  ])('of a booking at %s says %s', (appointmentAt, time) => {
    expect(textOf({ ...bookingExample, appointmentAt })).toContain(`, ${time}`);
  });

  test('of a test begins with a word that says so', () => {
    expect(textOf(saleExample, { isTest: true })).toBe('[TEST] LS-100042 Lead Sale: Jordan Rivera +15555550123');
  });

  test('has no gap where there is no phone', () => {
    const lead = { ...saleExample.lead, phone: null };
    expect(textOf({ ...saleExample, lead })).toBe('LS-100042 Lead Sale: Jordan Rivera');
    expect(textOf({ ...bookingExample, lead: { ...lead, fullName: 'Dana Whitfield' } })).toBe(
      'CA-100041 Calendar Assigned: Dana Whitfield, Mon Nov 23, 9:30 AM PST',
    );
  });

  test('has nothing of the person but name and phone', () => {
    for (const view of [saleExample, bookingExample]) {
      const { email, state, leadIp, utmSource, sourceUrl, debtAmount } = view.lead;
      const text = textOf(view);
      for (const other of [email, leadIp, utmSource, sourceUrl, String(debtAmount)])
        if (other !== null) expect(text).not.toContain(other);
      expect(text).not.toMatch(new RegExp(`\\b${state}\\b(?!-)`));
    }
  });

  test('is one line, whatever the name was typed with', () => {
    expect(textOf(named(' Jordan\r\n\tRivera\u0085\u2028 '))).toContain(': Jordan Rivera +');
  });
});

describe('A long name', () => {
  const fixed = 'LS-100042 Lead Sale:  +15555550123'.length;

  test('is whole as long as one SMS holds it', () => {
    const name = 'a'.repeat(160 - fixed);
    expect(textOf(named(name))).toBe(`LS-100042 Lead Sale: ${name} +15555550123`);
  });

  test('is cut with a mark that the alphabet of SMS has', () => {
    const text = textOf(named('a'.repeat(161 - fixed)));
    expect(text).toBe(`LS-100042 Lead Sale: ${'a'.repeat(157 - fixed)}... +15555550123`);
    expect(text).toHaveLength(160);
  });

  test('is not cut behind a space', () => {
    const head = 'a'.repeat(156 - fixed);
    expect(textOf(named(`${head} and more`))).toContain(`: ${head}... +`);
  });

  test.each(['[', '€', '~'])('of letters that take the room of two (%s) is cut at half the length', (letter) => {
    const room = 160 - fixed;
    expect(textOf(named(letter.repeat(room / 2)))).not.toContain('...');
    expect(textOf(named(letter.repeat(room / 2 + 1)))).toContain(`: ${letter.repeat((room - 4) / 2)}... +`);
  });

  test('with a letter that SMS does not have is cut to two messages of UTF-16', () => {
    const text = textOf(named(`Zoë ${'漢'.repeat(200)}`));
    expect(text).toHaveLength(134);
    expect(text).toMatch(/漢… \+15555550123$/);
  });

  test('is never cut within a character', () => {
    const text = textOf(named('👍'.repeat(200)));
    expect(text.isWellFormed()).toBe(true);
    expect(text).toMatch(/👍… \+15555550123$/u);
  });

  test('leaves room for everything else, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), fc.boolean(), (name, isTest) => {
        const text = textOf(named(name, bookingExample), { isTest });
        expect(text.length).toBeLessThanOrEqual(160);
        expect(text.startsWith(isTest ? '[TEST] CA-100041' : 'CA-100041')).toBe(true);
        expect(text.endsWith(' +15555550147, Mon Nov 23, 9:30 AM PST')).toBe(true);
      }),
    );
  });
});
