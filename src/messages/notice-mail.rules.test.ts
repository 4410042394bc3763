import { describe, expect, it } from 'vitest';

import { noticeMail } from './notice-mail.rules.ts';

const reader = { name: 'Summit Debt Relief', timeZone: 'America/Los_Angeles' };
const data = {
  webhookUrl: 'https://crm.summit.example/…',
  reason: 'gone',
  since: '2026-11-20T17:03:12.418Z',
  waiting: 3,
} as const;

describe('the notice of a disabled endpoint', () => {
  it('says what happened, what stops and what to do', () => {
    const { subject, text } = noticeMail('endpoint.disabled', data, reader);
    expect(subject).toBe('Your webhook endpoint is disabled: you get no new leads');
    expect(text).toBe(
      `Your webhook endpoint is disabled: you get no new leads

Your webhook endpoint responded 410 Gone, which means that nothing more should be sent to it. We have stopped.

While it is disabled, no new leads are sold to you. Deliveries that are waiting to be sent there fail when their turn comes; you are not charged for them.

To receive leads again, set webhookUrl (PATCH /api/v1/buyer/account; the same URL is fine), or ask the operator of the marketplace to enable the endpoint.

ENDPOINT
Webhook URL:        https://crm.summit.example/…
Responded 410:      Fri 20 Nov 2026, 09:03:12 America/Los_Angeles (UTC-08:00)
Waiting to be sent: 3 deliveries

-- 
Sent to Summit Debt Relief by the lead marketplace.
`,
    );
  });

  it.each([
    ['gone', 0, /responded 410 Gone/, 'Responded 410:', '0 deliveries'],
    ['failing', 1, /has accepted nothing for a long time/, 'Failing since:', '1 delivery'],
  ] as const)(
    'contains the reason for an endpoint that is %s with %d waiting deliveries',
    (reason, waiting, said, label, count) => {
      const { text, html } = noticeMail('endpoint.disabled', { ...data, reason, waiting }, reader);
      expect(text).toMatch(said);
      expect(html).toMatch(said);
      expect(text).toContain(label);
      expect(text).toContain(`Waiting to be sent: ${count}\n`);
    },
  );

  it('escapes HTML in names and URLs', () => {
    const { html } = noticeMail(
      'endpoint.disabled',
      { ...data, webhookUrl: 'https://a.example/"><script>' },
      { ...reader, name: '<b>Summit</b> & Sons' },
    );
    expect(html).not.toMatch(/<script|<b>/);
    expect(html).toContain('&lt;b&gt;Summit&lt;/b&gt; &amp; Sons');
  });
});
