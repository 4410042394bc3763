import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

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
  it('has the reference, the kind, the name and the phone', () => {
    expect(textOf(saleExample)).toBe('LS-100042 Lead Sale: Jordan Rivera +15555550123');
  });

  it.each([
    [ZONE, 'Mon Nov 23, 9:30 AM PST'],
    ['America/New_York', 'Mon Nov 23, 12:30 PM EST'],
    ['Asia/Tokyo', 'Tue Nov 24, 2:30 AM GMT+9'],
    ['UTC', 'Mon Nov 23, 5:30 PM UTC'],
  ])('has the time of a booking in the time zone %s', (zone, time) => {
    expect(textOf(bookingExample, { zone })).toBe(`CA-100041 Calendar Assigned: Dana Whitfield +15555550147, ${time}`);
  });

  it.each([
    ['2026-07-01T07:00:00.000Z', 'Wed Jul 1, 12:00 AM PDT'],
    ['2026-11-01T08:30:00.000Z', 'Sun Nov 1, 1:30 AM PDT'],
    ['2026-11-01T09:30:00.000Z', 'Sun Nov 1, 1:30 AM PST'],
    ['2026-12-31T20:05:00.000Z', 'Thu Dec 31, 12:05 PM PST'],
  ])('shows a booking at %s as %s', (appointmentAt, time) => {
    expect(textOf({ ...bookingExample, appointmentAt })).toContain(`, ${time}`);
  });

  it('begins with [TEST] for a test', () => {
    expect(textOf(saleExample, { isTest: true })).toBe('[TEST] LS-100042 Lead Sale: Jordan Rivera +15555550123');
  });

  it('has no gap for a missing phone', () => {
    const lead = { ...saleExample.lead, phone: null };
    expect(textOf({ ...saleExample, lead })).toBe('LS-100042 Lead Sale: Jordan Rivera');
    expect(textOf({ ...bookingExample, lead: { ...lead, fullName: 'Dana Whitfield' } })).toBe(
      'CA-100041 Calendar Assigned: Dana Whitfield, Mon Nov 23, 9:30 AM PST',
    );
  });

  it('has no data of the contact but name and phone', () => {
    for (const view of [saleExample, bookingExample]) {
      const { email, state, leadIp, utmSource, sourceUrl, debtAmount } = view.lead;
      const text = textOf(view);
      for (const other of [email, leadIp, utmSource, sourceUrl, String(debtAmount)])
        if (other !== null) expect(text).not.toContain(other);
      expect(text).not.toMatch(new RegExp(`\\b${state}\\b(?!-)`));
    }
  });

  it('is one line for any name', () => {
    expect(textOf(named(' Jordan\r\n\tRivera\u0085\u2028 '))).toContain(': Jordan Rivera +');
  });
});

describe('A long name in an SMS', () => {
  const fixed = 'LS-100042 Lead Sale:  +15555550123'.length;

  it('is complete if it fits into one SMS', () => {
    const name = 'a'.repeat(160 - fixed);
    expect(textOf(named(name))).toBe(`LS-100042 Lead Sale: ${name} +15555550123`);
  });

  it('is cut with a mark from the GSM alphabet', () => {
    const text = textOf(named('a'.repeat(161 - fixed)));
    expect(text).toBe(`LS-100042 Lead Sale: ${'a'.repeat(157 - fixed)}... +15555550123`);
    expect(text).toHaveLength(160);
  });

  it('is never cut after a space', () => {
    const head = 'a'.repeat(156 - fixed);
    expect(textOf(named(`${head} and more`))).toContain(`: ${head}... +`);
  });

  it.each(['[', '€', '~'])('of letters that count twice (%s) is cut at half the length', (letter) => {
    const room = 160 - fixed;
    expect(textOf(named(letter.repeat(room / 2)))).not.toContain('...');
    expect(textOf(named(letter.repeat(room / 2 + 1)))).toContain(`: ${letter.repeat((room - 4) / 2)}... +`);
  });

  it('with a letter outside of GSM is cut to two UTF-16 messages', () => {
    const text = textOf(named(`Zoë ${'漢'.repeat(200)}`));
    expect(text).toHaveLength(134);
    expect(text).toMatch(/漢… \+15555550123$/);
  });

  it('is never cut inside a character', () => {
    const text = textOf(named('👍'.repeat(200)));
    expect(text.isWellFormed()).toBe(true);
    expect(text).toMatch(/👍… \+15555550123$/u);
  });

  it('leaves room for all other parts', () => {
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
