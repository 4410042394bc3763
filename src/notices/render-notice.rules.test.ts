// The texts of notices: in plain words, and escaped for HTML and chats (contract 12.3).
import { describe, expect, it } from 'vitest';

import { accentShades } from '../base/accent-shades.ts';
import { chatText, noticeMail } from './render-notice.rules.ts';

const reader = {
  name: 'Summit Debt Relief',
  timeZone: 'America/Los_Angeles',
  currency: 'USD',
  publicUrl: 'https://leads.example.com',
};
const brand = { name: 'Lead Desk', shades: accentShades('#0b6b62'), logo: null };
const disabled = {
  kind: 'endpoint.disabled',
  data: { webhookUrl: 'https://crm.summit.example/…', reason: 'gone', since: '2026-11-20T17:03:12.418Z', waiting: 3 },
};
const low = { kind: 'funds.low', data: { available: 42.5, threshold: 100 } };

describe('An email about a notice', () => {
  it('says what happened, what follows, what to do and where', () => {
    const { subject, text } = noticeMail([disabled], reader, brand);
    expect(subject).toBe('Your webhook endpoint is disabled: you get no new leads');
    expect(text).toBe(
      `Your webhook endpoint is disabled: you get no new leads

Your webhook endpoint responded 410 Gone, which means that nothing more should be sent to it. We have stopped.

While it is disabled, no new leads are sold to you. Deliveries that are waiting to be sent there fail when their turn comes; you are not charged for them.

To receive leads again, set webhookUrl (PATCH /api/v1/buyer/account; the same URL is fine), or ask the operator of the marketplace to enable the endpoint.

DETAILS
Webhook URL:            https://crm.summit.example/…
Responded 410:          Fri 20 Nov 2026, 09:03:12 America/Los_Angeles (UTC-08:00)
Waiting to be sent:     3 deliveries
Settings in the portal: https://leads.example.com/portal/settings

-- 
Sent to Summit Debt Relief by Lead Desk.
`,
    );
  });

  it.each([
    ['gone', 0, /responded 410 Gone/, 'Responded 410:', '0 deliveries'],
    ['failing', 1, /has accepted nothing for a long time/, 'Failing since:', '1 delivery'],
  ] as const)(
    'contains the reason for an endpoint that is %s with %d waiting deliveries',
    (reason, waiting, said, label, count) => {
      const { text, html } = noticeMail([{ ...disabled, data: { ...disabled.data, reason, waiting } }], reader, brand);
      expect(text).toMatch(said);
      expect(html).toMatch(said);
      expect(text).toContain(label);
      expect(text).toMatch(new RegExp(`Waiting to be sent: +${count}\n`));
    },
  );

  it('escapes HTML in names and values', () => {
    const { html } = noticeMail(
      [{ ...disabled, data: { ...disabled.data, webhookUrl: 'https://a.example/"><script>' } }],
      { ...reader, name: '<b>Summit</b> & Sons' },
      brand,
    );
    expect(html).not.toMatch(/<script|<b>/);
    expect(html).toContain('&lt;b&gt;Summit&lt;/b&gt; &amp; Sons');
  });

  it('has all notices of a digest', () => {
    const { subject, text } = noticeMail([disabled, low], reader, brand);
    expect(subject).toBe('2 notices');
    expect(text).toContain('YOUR FUNDS ARE DOWN TO $42.50');
    expect(text).toContain('https://crm.summit.example/…');
  });

  it('has no link while the address of the service is not known', () => {
    const { text, html } = noticeMail([low], { ...reader, publicUrl: null }, brand);
    expect(text).toContain('Billing in the portal');
    expect(html).not.toContain('<a ');
  });

  it('names a kind that a later release has raised', () => {
    expect(noticeMail([{ kind: 'later.kind', data: {} }], reader, brand).subject).toBe('Notice: later.kind');
  });
});

describe('A chat message about a notice', () => {
  it('is a few lines with a link', () => {
    expect(chatText([low], reader)).toBe(
      'Your funds are down to $42.50\nWhen they are used up, no more leads are sold to you. Please top up your account.\nhttps://leads.example.com/portal/billing',
    );
  });

  it('has nothing in it that a chat takes for a command', () => {
    const text = chatText([{ kind: 'cap.reached', data: capOf('<!channel> @everyone <https://x.example|y>') }], reader);
    expect(text).not.toMatch(/[<>]|@everyone/);
  });

  it('lists at most 20 notices of a digest', () => {
    expect(
      chatText(
        Array.from({ length: 25 }, () => low),
        reader,
      ),
    ).toMatch(/… and 5 more$/);
  });
});

const capOf = (offer: string) => ({ offer, window: 'daily', leads: 5, spend: null, until: '2026-11-25T00:00:00Z' });
