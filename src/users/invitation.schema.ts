// Opening the link of an invitation and choosing the password (contract 7.12).
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from '../sessions/operator.rules.ts';

/** In a body, because proxies log URLs. */
const secret = Type.String({ minLength: 1, maxLength: 100 });

export const OpenInvitationBody = Type.Object({ secret }, { additionalProperties: false });
export type OpenInvitation = Static<typeof OpenInvitationBody>;

export const InvitationSchema = Type.Object({
  /** The partner or supplier; null for the console. */
  account: orNull(Type.String()),
  /** With what one signs in. */
  signsInAs: Type.String(),
  isNewPassword: Type.Boolean(),
  expiresAt: Type.String({ format: 'date-time' }),
});
export type Invitation = Static<typeof InvitationSchema>;

export const AcceptInvitationBody = Type.Object(
  {
    secret,
    password: Type.String({
      minLength: PASSWORD_MIN,
      maxLength: PASSWORD_MAX,
      pattern: String.raw`^\P{Cc}*$`,
    }),
  },
  { additionalProperties: false },
);
export type AcceptInvitation = Static<typeof AcceptInvitationBody>;

/** `kept`: there is no mail server, and `leadmarket mail list` shows it. */
const SentMailSchema = Type.Object({
  state: Type.Enum(['sent', 'kept', 'failed']),
  error: orNull(Type.String()),
});

/** The result of sending a link. */
export const SentLinkSchema = Type.Object({ mail: SentMailSchema });
export type SentLink = Static<typeof SentLinkSchema>;
