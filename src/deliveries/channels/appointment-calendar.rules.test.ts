import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type Appointment, appointmentCalendar } from './appointment-calendar.rules.ts';

const appointment: Appointment = {
  uid: 'dlv_01m7we0py8ft1rb9mf60efe9ex@lead-marketplace',
  startsAt: new Date('2026-11-23T17:30:00.000Z'),
  minutes: 30,
  summary: 'Dana Whitfield (CA-100041)',
  description: 'Name: Dana Whitfield\nPhone: +15555550147',
  stampedAt: new Date('2026-11-20T12:13:35.560Z'),
};

/** The lines as a calendar reads them. */
const unfolded = (calendar: string): string[] => calendar.replaceAll('\r\n ', '').split('\r\n');

describe('the calendar entry of a booking', () => {
  it('is a calendar entry of RFC 5545', () => {
    expect(appointmentCalendar(appointment)).toBe(
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//lead-marketplace//bookings//EN',
        'CALSCALE:GREGORIAN',
        'METHOD:PUBLISH',
        'BEGIN:VEVENT',
        'UID:dlv_01m7we0py8ft1rb9mf60efe9ex@lead-marketplace',
        'DTSTAMP:20261120T121335Z',
        'DTSTART:20261123T173000Z',
        'DTEND:20261123T180000Z',
        'SUMMARY:Dana Whitfield (CA-100041)',
        String.raw`DESCRIPTION:Name: Dana Whitfield\nPhone: +15555550147`,
        'STATUS:CONFIRMED',
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
    );
  });

  it('is the same on every attempt', () => {
    expect(appointmentCalendar(appointment)).toBe(appointmentCalendar({ ...appointment }));
  });

  it('has no end if the length is unknown', () => {
    expect(appointmentCalendar({ ...appointment, minutes: null })).not.toContain('DTEND');
  });

  it('may end on another day', () => {
    const late = { ...appointment, startsAt: new Date('2026-12-31T23:45:00.000Z') };
    expect(unfolded(appointmentCalendar(late))).toContain('DTEND:20270101T001500Z');
  });
});

describe('a text of the calendar entry', () => {
  it.each([
    ['a;b,c\\d', String.raw`SUMMARY:a\;b\,c\\d`],
    ['one\r\ntwo\nthree\rfour', String.raw`SUMMARY:one\ntwo\nthree\nfour`],
    ['x\u2028y\u0000z\u001b', String.raw`SUMMARY:x\nyz`],
    ['Name\r\nATTENDEE:mailto:x@evil.example', String.raw`SUMMARY:Name\nATTENDEE:mailto:x@evil.example`],
    ['a:b"c', 'SUMMARY:a:b"c'],
  ])('escapes %j as %s', (summary, line) => {
    expect(unfolded(appointmentCalendar({ ...appointment, summary }))).toContain(line);
  });

  it('is folded at 75 octets without loss', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const calendar = appointmentCalendar({ ...appointment, summary: text });
        const lines = calendar.split('\r\n');
        for (const line of lines) {
          expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
          expect(line.isWellFormed()).toBe(true);
        }
        expect(calendar.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
        const line = unfolded(calendar).find((one) => one.startsWith('SUMMARY:')) ?? '';
        const read = line
          .slice('SUMMARY:'.length)
          .replaceAll(/\\(.)/gu, (_, character) => (character === 'n' ? '\n' : character));
        // Whatever ends a line is a line break, and other controls have no place in a calendar.
        const lasting = text.replaceAll(/\r\n|[\r\u0085\u2028\u2029]/g, '\n').replaceAll(/[^\P{Cc}\n]/gu, '');
        expect(read).toBe(lasting);
      }),
    );
  });
});
