// Writes the email with the link of an invitation, or with the link to a new password (contract 7.12).
import {
  localTime,
  type MailBrand,
  type MailPage,
  oneLine,
  pageHtml,
  pageText,
} from '../platform/outbound/mail/mail-page.rules.ts';

export type InvitationMail = {
  readonly brand: MailBrand;
  /** Whose account it is: the partner's or supplier's name; null for the console. */
  readonly account: string | null;
  /** With what one signs in: the operator's name, or the address. */
  readonly signsInAs: string;
  /** Null for a link that was requested on the sign-in page. */
  readonly invitedBy: string | null;
  /** Whether the account exists already. */
  readonly isNewPassword: boolean;
  readonly link: string;
  readonly expiresAt: Date;
  /** An IANA name. */
  readonly timeZone: string;
};

export function invitationMail(mail: InvitationMail): {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
} {
  const { brand, account, signsInAs, link, expiresAt, timeZone, isNewPassword } = mail;
  const { name: marketplace } = brand;
  const page: MailPage = {
    title: isNewPassword ? `Choose a new password for ${marketplace}` : `You are invited to ${marketplace}`,
    banner: null,
    paragraphs: [
      sentence(mail),
      isNewPassword
        ? 'Your password stays as it is until you choose a new one. If you did not expect this email, ignore it.'
        : 'Open the link to choose a password. If you did not expect this email, ignore it.',
    ],
    groups: [
      {
        heading: isNewPassword ? 'New password' : 'Invitation',
        rows: [
          { label: 'Link', value: link, href: link },
          { label: 'Works until', value: localTime(expiresAt, timeZone) },
          { label: 'You sign in as', value: signsInAs },
        ],
      },
    ],
    footer: `Sent by ${marketplace}${account === null ? '' : ` for ${account}`}. The link works once.`,
  };
  return { subject: oneLine(page.title), text: pageText(page), html: pageHtml(page, brand) };
}

function sentence({ account, invitedBy, isNewPassword, brand }: InvitationMail): string {
  const where = account === null ? `the operator console of ${brand.name}` : `the account of ${account}`;
  if (invitedBy === null) return `A link to choose a new password for ${where} was requested on the sign-in page.`;
  return isNewPassword
    ? `${invitedBy} has sent you a link to choose a new password for ${where}.`
    : `${invitedBy} has invited you to ${where}.`;
}
