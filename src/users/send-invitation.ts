// Sends the link of an invitation by email, after its transaction has ended; a failed email can be sent again (contract 7.12).
import { newUuid, typeId } from '../base/ids.ts';
import { errorOf } from '../platform/outbound/send-outcome.ts';
import type { Mailer } from '../platform/outbound/mail/mail.ts';
import { type InvitationMail, invitationMail } from './invitation-mail.rules.ts';
import type { SentInvitation, UserOwner } from './invitations.ts';

export type InvitationPost = {
  readonly mailer: Pick<Mailer, 'send'>;
  /** Without one, mail is kept for `leadmarket mail`. */
  readonly hasMailServer: boolean;
};

const BUSY = 'The mail server takes no mail at the moment.';

export type SentMail = { readonly state: 'sent' | 'kept' | 'failed'; readonly error: string | null };

type Letter = Omit<InvitationMail, 'link' | 'expiresAt' | 'isNewPassword'> & {
  readonly kind: UserOwner['kind'];
  readonly to: string;
  /** Where the service is, such as `https://leads.example.com`. */
  readonly baseUrl: string;
  readonly invitation: SentInvitation;
  readonly isNewPassword: boolean;
};

/** The secret is in the fragment, which browsers send to no server. */
export async function sendInvitation({ mailer, hasMailServer }: InvitationPost, letter: Letter): Promise<SentMail> {
  const { kind, to, baseUrl, invitation, ...rest } = letter;
  const area = kind === 'operator' ? 'console' : 'portal';
  const link = `${baseUrl}/${area}/invitation#invitation=${invitation.secret}`;
  const outcome = await mailer.send({
    // A new id each time: a mailbox shows only one of two emails with the same.
    id: typeId('mail', newUuid()),
    to,
    cc: [],
    calendar: null,
    logo: letter.brand.logo,
    ...invitationMail({ ...rest, link, expiresAt: invitation.expiresAt }),
  });
  if (outcome.kind === 'taken') return { state: hasMailServer ? 'sent' : 'kept', error: null };
  return { state: 'failed', error: outcome.kind === 'deferred' ? BUSY : errorOf(outcome) };
}
