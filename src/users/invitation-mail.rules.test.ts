import { describe, expect, it } from 'vitest';

import { accentShades } from '../base/accent-shades.ts';
import { invitationMail } from './invitation-mail.rules.ts';

const mail = {
  brand: { name: 'Northwind Leads', shades: accentShades('#0b6b62'), logo: null },
  account: null,
  signsInAs: 'dana',
  invitedBy: 'alex',
  isNewPassword: false,
  link: 'https://leads.example.com/console/invitation#invitation=abc',
  expiresAt: new Date('2026-11-27T15:00:00Z'),
  timeZone: 'America/New_York',
};

describe('The email of an invitation', () => {
  it('has the link, its end and the name to sign in with', () => {
    const { subject, text, html } = invitationMail(mail);
    expect(subject).toBe('You are invited to Northwind Leads');
    expect(text).toBe(
      [
        'You are invited to Northwind Leads',
        '',
        'alex has invited you to the operator console of Northwind Leads.',
        '',
        'Open the link to choose a password. If you did not expect this email, ignore it.',
        '',
        'INVITATION',
        'Link:           https://leads.example.com/console/invitation#invitation=abc',
        'Works until:    Fri 27 Nov 2026, 10:00:00 America/New_York (UTC-05:00)',
        'You sign in as: dana',
        '',
        '-- ',
        'Sent by Northwind Leads. The link works once.',
        '',
      ].join('\n'),
    );
    expect(html).toContain('href="https://leads.example.com/console/invitation#invitation=abc"');
  });

  it('names the account of a partner, on one line', () => {
    const { text } = invitationMail({ ...mail, account: 'Summit\r\nBcc: x', signsInAs: 'dana@summit.example' });
    expect(text).toContain('alex has invited you to the account of Summit Bcc: x.');
    expect(text).toContain('Sent by Northwind Leads for Summit Bcc: x. The link works once.');
  });

  it('of a link to a new password says that the old one still works', () => {
    const { subject, text } = invitationMail({ ...mail, isNewPassword: true });
    expect(subject).toBe('Choose a new password for Northwind Leads');
    expect(text).toContain(
      'alex has sent you a link to choose a new password for the operator console of Northwind Leads.',
    );
    expect(text).toContain('Your password stays as it is until you choose a new one.');
  });

  it('of a link that was requested on the sign-in page names nobody', () => {
    const { subject, text } = invitationMail({ ...mail, account: 'Summit', invitedBy: null, isNewPassword: true });
    expect(subject).toBe('Choose a new password for Northwind Leads');
    expect(text).toContain(
      'A link to choose a new password for the account of Summit was requested on the sign-in page.',
    );
    expect(text).toContain('If you did not expect this email, ignore it.');
  });
});
