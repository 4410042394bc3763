// Takes the request of a user who has forgotten the password; a worker mails the link, so that no response depends on whether the address has
// an account (contract 7.12; decision 078).
import type { AuditOrigin } from '../audit/audit-event.ts';
import type { Tx } from '../platform/database/database.ts';
import { dueAtOnce } from '../platform/queue/due-at-once.ts';
import { beginAttempt } from '../sessions/sign-in-guard.ts';
import { insertLinkRequest } from './password-link-request.sql.ts';
import { linkGuardName } from './user.rules.ts';

export type LinkRequest = {
  /** In lower case. */
  readonly email: string;
  /** From `addressNet`. */
  readonly net: string;
  readonly origin: AuditOrigin;
};

/** Returns the seconds to wait before another request, which is then not taken; 0 for one that was taken. */
export async function requestPasswordLink(tx: Tx, { email, net, origin }: LinkRequest, now: Date): Promise<number> {
  // Never settled: each request counts as a failed sign-in does.
  const seconds = await beginAttempt(tx, { name: linkGuardName(email), net }, now);
  if (seconds === 0) await tx.query(insertLinkRequest, { email, ...origin, now, dueAt: dueAtOnce(now) });
  return seconds;
}
