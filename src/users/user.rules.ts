// The users of a partner or supplier: whose they are, and how their roles are written (contract 7.12).
import type { AuditActor } from '../audit/audit-event.ts';
import { type UserRole, userRoles } from '../platform/http/permission.rules.ts';
import type { SessionKind } from '../sessions/session.ts';

export type PartnerKind = 'buyer' | 'supplier';

/** After a link, of whatever sender, no other is mailed to the address for this long, so that nobody can fill a mailbox. */
export const LINK_QUIET_MS = 300_000;

/** In their fixed order, without repetitions. Every user may view. */
export function normalizedRoles(roles: readonly string[]): readonly UserRole[] {
  return userRoles.filter((role) => role === 'view' || roles.includes(role));
}

/** The name under which attempts to sign in are counted: no operator's name has a colon. */
export function guardName(email: string): string {
  return `user:${email}`;
}

/** The name under which requests for a link to a new password are counted, apart from attempts to sign in. */
export function linkGuardName(email: string): string {
  return `link:${email}`;
}

/** As the list of invitations names the one who invites. Partners and suppliers do not learn the names of operators, as in their audit log. */
export function shownInviter(kind: SessionKind, actor: AuditActor): string {
  return kind !== 'operator' && actor.type === 'operator' ? 'operator' : actor.name;
}
