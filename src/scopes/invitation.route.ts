// Routes for people who have no session: open the link of an invitation, and choose a password (contract 7.12).
import { Type } from 'typebox';

import { requestOrigin } from '../audit/request-author.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { hashPassword } from '../sessions/password.ts';
import type { PasswordSlots } from '../sessions/password-slots.ts';
import type { SessionKind } from '../sessions/session.ts';
import { limitSignIns } from '../sessions/sign-in-limit.route.ts';
import { acceptInvitation } from '../users/accept-invitation.ts';
import { findInvitation, type Invitation } from '../users/invitations.ts';
import { AcceptInvitationBody, InvitationSchema, OpenInvitationBody } from '../users/invitation.schema.ts';

export type InvitationDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  /** The accounts whose links work on these pages. */
  readonly kinds: readonly SessionKind[];
  /** The name of the partner or supplier; null for the console. */
  readonly accountOf: (invitation: Invitation) => string | null;
  /** Shared with the sign-in forms. */
  readonly passwordSlots: PasswordSlots;
  /** Called after a password was set: earlier sessions of the account have ended. */
  readonly onAccepted: () => void;
};

const BUSY = { status: 503, code: 'unavailable', headers: { 'retry-after': '1' } } as const;
const INVALID = { status: 410, code: 'invitation_invalid' } as const;

export function registerInvitation(scope: App, dependencies: InvitationDependencies): void {
  const { database, clock, kinds, accountOf, passwordSlots, onAccepted } = dependencies;
  const limited = { onRequest: limitSignIns(clock) };
  const find = async (secret: string): Promise<Invitation | null> => {
    const invitation = await findInvitation(database, secret, clock.now());
    return invitation !== null && kinds.includes(invitation.kind) ? invitation : null;
  };
  // POST although it changes nothing, so that the secret stands in no URL.
  scope.post(
    '/api/invitation',
    { ...limited, schema: { body: OpenInvitationBody, response: { 200: InvitationSchema } } },
    async (request, reply) => {
      const invitation = await find(request.body.secret);
      if (invitation === null) return sendProblem(request, reply, INVALID);
      return reply.send({
        account: accountOf(invitation),
        signsInAs: invitation.kind === 'operator' ? invitation.name : invitation.email,
        isNewPassword: invitation.accountId !== null,
        expiresAt: invitation.expiresAt.toISOString(),
      });
    },
  );
  scope.post(
    '/api/invitation/accept',
    { ...limited, schema: { body: AcceptInvitationBody, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const { secret, password } = request.body;
      // Hashing is slow: only with a link that works, and in the slots of sign-ins.
      if ((await find(secret)) === null) return sendProblem(request, reply, INVALID);
      const isHashed = await passwordSlots.run(async () => {
        const input = { secret, kinds, passwordHash: await hashPassword(password), origin: requestOrigin(request) };
        const outcome = await database.tx((tx) => acceptInvitation(tx, input, clock.now()));
        if (!outcome.ok) {
          const isInvalid = outcome.code === 'invitation_invalid';
          sendProblem(request, reply, isInvalid ? INVALID : { status: 409, code: outcome.code });
          return;
        }
        onAccepted();
        void reply.code(204).send(null);
      });
      return isHashed ? reply : sendProblem(request, reply, BUSY);
    },
  );
}
