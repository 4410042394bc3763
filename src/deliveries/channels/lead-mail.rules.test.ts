import { describe, expect, it } from 'vitest';

import { accentShades } from '../../base/accent-shades.ts';
import type { OwnFields } from '../../leads/lead-fields.ts';
import { bookingExample, saleExample, type DeliveryView } from '../delivery.schema.ts';
import { leadMail } from './lead-mail.rules.ts';

const recipient = { name: 'Summit Debt Relief', timeZone: 'America/Los_Angeles' };

const brand = { name: 'Lead Desk', shades: accentShades('#0b6b62'), logo: null };

type MailInput = { isTest?: boolean; slotMinutes?: number | null; currency?: string; fields?: { own?: OwnFields } };

function mailOf(
  delivery: DeliveryView,
  { isTest = false, slotMinutes = null, currency = 'USD', fields = {} }: MailInput = {},
) {
  return leadMail(recipient, { id: delivery.deliveryId, isTest, delivery, slotMinutes, fields }, { currency, brand });
}

describe('the mail of a sale', () => {
  it('shows everything as plain text', () => {
    const { subject, text, calendar } = mailOf(saleExample);
    expect(subject).toBe('Lead LS-100042: Jordan Rivera');
    expect(calendar).toBeNull();
    expect(text).toBe(
      `Lead LS-100042: Jordan Rivera

CONTACT
Name:        Jordan Rivera
Phone:       +15555550123
Email:       jordan.rivera@example.com
State:       CA
Debt amount: 24,500.00 USD

CONSENT AND ORIGIN
TCPA consent:  yes
Consent given: 2026-11-20T17:03:11.000Z
IP address:    203.0.113.24
Source:        search
Form:          https://forms.example.com/debt?utm_source=search

DELIVERY
Reference:   LS-100042
Delivery id: dlv_01m7wyk0h2emp81qch4dvtyn6a
Event:       Lead Sale
Payout:      45.00 USD
Delivered:   Fri 20 Nov 2026, 09:03:12 America/Los_Angeles (UTC-08:00)

-- 
Sent to Summit Debt Relief by Lead Desk. Your account lists it as dlv_01m7wyk0h2emp81qch4dvtyn6a.
`,
    );
  });

  it('shows the same as HTML', () => {
    const { text, html } = mailOf(saleExample);
    const values = [...text.matchAll(/^[A-Z][\w -]+: +(.+)$/gm)].map((match) => match[1] ?? '');
    expect(values.length).toBeGreaterThanOrEqual(15);
    for (const value of values) expect(html).toContain(`>${value}<`);
    expect(html).toContain('href="tel:+15555550123"');
    expect(html).toContain('href="mailto:jordan.rivera@example.com"');
    // Where a stranger's form stood is not pressed by accident.
    expect(html).not.toContain('href="https');
  });

  it('shows own fields with their labels, as plain text', () => {
    const own: OwnFields = {
      roof_age: { type: 'integer', value: 12, label: 'Age of the roof' },
      bill: { type: 'money', value: 1180.5, label: 'Monthly bill' },
      owner: { type: 'boolean', value: true },
      site: { type: 'url', value: 'https://evil.example/' },
      visit: { type: 'datetime', value: '2026-11-23T17:30:00.000Z', label: 'Visit' },
    };
    const fields = Object.fromEntries(Object.entries(own).map(([name, { value }]) => [name, value]));
    const { text, html } = mailOf({ ...saleExample, lead: { ...saleExample.lead, fields } }, { fields: { own } });
    expect(text).toContain(
      `DETAILS
Age of the roof: 12
Monthly bill:    1,180.50 USD
owner:           yes
site:            https://evil.example/
Visit:           Mon 23 Nov 2026, 09:30:00 America/Los_Angeles (UTC-08:00)
`,
    );
    expect(html).not.toContain('href="https');
    // A delivery that failed shows none, although the stored lead has them.
    expect(mailOf(saleExample, { fields: { own } }).text).not.toContain('DETAILS');
  });

  it('says "not given" for missing values', () => {
    const nothing = { email: null, phone: null, state: null, debtAmount: null, consentTimestamp: null };
    const lead = {
      ...saleExample.lead,
      ...nothing,
      leadIp: null,
      utmSource: null,
      sourceUrl: null,
      tcpaConsent: false,
    };
    const { text, html } = mailOf({ ...saleExample, lead });
    expect(text.match(/: +not given$/gm)).toHaveLength(8);
    expect(text).toMatch(/^TCPA consent: +no$/m);
    expect(html).not.toContain('href=');
  });

  it.each([
    [0, '', '0.00'],
    [45.5, 'USD', '45.50 USD'],
    [999.99, 'EUR', '999.99 EUR'],
    [1000, 'USD', '1,000.00 USD'],
    [999_999_999.99, 'USD', '999,999,999.99 USD'],
  ])('shows %d in "%s" as %s', (payout, currency, shown) => {
    expect(mailOf({ ...saleExample, payout }, { currency }).text).toContain(`Payout:      ${shown}\n`);
  });
});

describe('the mail of a booking', () => {
  it('begins with the appointment in the partner’s time zone, and has a calendar entry', () => {
    const { subject, text, calendar } = mailOf(bookingExample, { slotMinutes: 30 });
    expect(subject).toBe('Booking CA-100041: Dana Whitfield');
    expect(text).toContain(
      'APPOINTMENT\nStarts: Mon 23 Nov 2026, 09:30:00 America/Los_Angeles (UTC-08:00)\nLength: 30 minutes\n\nCONTACT\n',
    );
    for (const line of [
      'UID:dlv_01m7we0py8ft1rb9mf60efe9ex@lead-marketplace',
      'DTSTART:20261123T173000Z',
      'DTEND:20261123T180000Z',
      'SUMMARY:Dana Whitfield (CA-100041)',
    ]) {
      expect(calendar).toContain(`\r\n${line}\r\n`);
    }
    expect(calendar?.replaceAll('\r\n ', '')).toContain(
      String.raw`DESCRIPTION:Name: Dana Whitfield\nPhone: +15555550147\nReference: CA-100041`,
    );
  });
});

describe('the mail of a test', () => {
  it('is marked as a test in subject and text', () => {
    const { subject, text, html, calendar } = mailOf(bookingExample, { isTest: true, slotMinutes: 30 });
    expect(subject).toBe('[TEST] Booking CA-100041: Dana Whitfield');
    expect(text.startsWith('*** This is a test: nothing was sold, and nothing will be billed. ***\n')).toBe(true);
    expect(html).toContain('This is a test: nothing was sold');
    expect(calendar).toContain('SUMMARY:[TEST] Dana Whitfield');
  });
});

describe('untrusted text in the mail', () => {
  const nasty =
    '"><script>alert(1)</script><img src=x onerror=alert(1)>\r\nBcc: spy@evil.example\n<a href="javascript:alert(1)">';
  const tagsOf = (html: string): string[] => [...html.matchAll(/<\/?(\w+)/g)].map(([tag]) => tag);

  it.each(['fullName', 'email', 'phone', 'state', 'consentTimestamp', 'leadIp', 'utmSource', 'sourceUrl'] as const)(
    'is inert in %s',
    (field) => {
      const delivery = { ...bookingExample, lead: { ...bookingExample.lead, [field]: nasty } };
      const { subject, text, html, calendar } = mailOf(delivery, { slotMinutes: 30 });
      const plain = mailOf({ ...bookingExample, lead: { ...bookingExample.lead, [field]: 'x' } }, { slotMinutes: 30 });
      expect(tagsOf(html)).toEqual(tagsOf(plain.html));
      expect(html).not.toMatch(/<script|<img|href="javascript/i);
      expect(text.split('\n')).toHaveLength(plain.text.split('\n').length);
      expect(calendar?.replaceAll('\r\n ', '').split('\r\n')).toHaveLength(
        plain.calendar?.replaceAll('\r\n ', '').split('\r\n').length ?? 0,
      );
      expect(subject).not.toMatch(/[\r\n]/);
    },
  );

  it('is shortened in the subject', () => {
    const lead = { ...saleExample.lead, fullName: '👩‍💻'.repeat(200) };
    const { subject } = mailOf({ ...saleExample, lead });
    expect(subject.isWellFormed()).toBe(true);
    expect([...subject]).toHaveLength('Lead LS-100042: '.length + 100);
  });

  it('is encoded in a link', () => {
    const lead = { ...saleExample.lead, email: "o'neil?subject=x&cc=y@example.com" };
    expect(mailOf({ ...saleExample, lead }).html).toContain(
      'href="mailto:o&#39;neil%3Fsubject%3Dx%26cc%3Dy@example.com"',
    );
  });
});
