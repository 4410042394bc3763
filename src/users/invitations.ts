// Invites users by a link that sets their password, lists and withdraws invitations (contract 7.12; decision 078).
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditAuthor, AuditChanges } from '../audit/audit-event.ts';
import { type InvitationId, newUuid, type Uuid } from '../base/ids.ts';
import { done, type Outcome, type Refusal, refuse } from '../base/outcome.ts';
import { DAY_MS } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import { lockCount } from '../platform/database/lock-count.ts';
import { ownersOf } from '../sessions/session-events.ts';
import { hashSession, newSessionSecret, type SessionKind } from '../sessions/session.ts';
import {
  countOtherInvitations,
  deleteInvitation,
  deleteInvitationsOfAccount,
  type InvitationRow,
  selectInvitation,
  selectInvitations,
  selectLastLink,
  selectPresentedInvitation,
  writeInvitation,
} from './invitation.sql.ts';
import { LINK_QUIET_MS, shownInviter } from './user.rules.ts';

/** A partner's or supplier's users, or the operators, whose key is empty. */
export type UserOwner = { readonly kind: SessionKind; readonly ownerKey: string };

export type Invitation = InvitationRow;

/** `secret` stands nowhere else: only its hash is stored. */
export type SentInvitation = {
  readonly invitationId: InvitationId;
  readonly secret: string;
  readonly expiresAt: Date;
};

export type NewInvitation = UserOwner & {
  /** In lower case. */
  readonly email: string;
  /** The operator's name, with which one signs in; the full name of another user. */
  readonly name: string;
  /** Of an operator exactly one. */
  readonly roles: readonly string[];
  /** The existing account that gets a new password; null for a new account. */
  readonly accountId: Uuid | null;
} & AuditAuthor;

/** An invitation may lie in a mailbox over a long weekend, and a link that a colleague has sent over a night. */
const INVITED_MS = 7 * DAY_MS;
const NEW_PASSWORD_MS = DAY_MS;
/** Of one account, with expired ones: more than any invites at once, and a bound on what a partner can have mailed to strangers. */
const INVITATIONS_MAX = 50;
/** Far more than an account has. */
const SHOWN = 500;

/** `rate_limited`: the link may be sent to this address in `waitSeconds`. */
export type InviteRefusal =
  | { readonly ok: false; readonly code: 'too_many_invitations' }
  | { readonly ok: false; readonly code: 'rate_limited'; readonly waitSeconds: number };
export type Invited<Value = SentInvitation> = { readonly ok: true; readonly value: Value } | InviteRefusal;

/** The link of an earlier invitation to the same address ends. */
export async function invite(tx: Tx, input: NewInvitation, now: Date): Promise<Invited> {
  const { kind, ownerKey, email, accountId } = input;
  await lockCount(tx, `invitations of ${kind} ${ownerKey}`);
  if (accountId === null) {
    const [count] = await tx.query(countOtherInvitations, { kind, ownerKey, email });
    if ((count?.invitations ?? 0) >= INVITATIONS_MAX) return { ok: false, code: 'too_many_invitations' };
  }
  return sendAnother(tx, input, now);
}

/** Operators may have theirs repeated at once, as after an email that failed. */
async function sendAnother(tx: Tx, input: NewInvitation, now: Date): Promise<Invited> {
  const { kind, ownerKey, email, actor } = input;
  const [earlier] = actor.type === 'operator' ? [] : await tx.query(selectLastLink, { kind, ownerKey, email });
  const quietUntil = earlier === undefined ? 0 : earlier.createdAt.getTime() + LINK_QUIET_MS;
  const waitMs = quietUntil - now.getTime();
  if (waitMs > 0) return { ok: false, code: 'rate_limited', waitSeconds: Math.ceil(waitMs / 1000) };
  return done(await writeNewLink(tx, input, now));
}

async function writeNewLink(tx: Tx, input: NewInvitation, now: Date): Promise<SentInvitation> {
  const { kind, email, name, roles, accountId } = input;
  const sent = await writeLink(tx, input, { validMs: accountId === null ? INVITED_MS : NEW_PASSWORD_MS, now });
  const changes = { email: { from: null, to: email }, roles: { from: null, to: roles.join(', ') } };
  const event = accountId === null ? { action: 'invited', changes } : { action: 'password_link_sent', changes: {} };
  await recordUserEvent(tx, { ...input, ...event, target: kind === 'operator' ? name : email }, now);
  return sent;
}

/** Writes no audit event. */
export async function writeLink(
  tx: Tx,
  { kind, ownerKey, email, name, roles, accountId, actor }: Omit<NewInvitation, 'origin'>,
  { validMs, now }: { readonly validMs: number; readonly now: Date },
): Promise<SentInvitation> {
  const secret = newSessionSecret();
  const expiresAt = new Date(now.getTime() + validMs);
  const [written] = await tx.query(writeInvitation, {
    invitationId: newUuid(),
    secretHash: hashSession(secret),
    ...{ kind, ownerKey, email, name, roles, accountId },
    invitedBy: shownInviter(kind, actor),
    now,
    expiresAt,
  });
  if (written === undefined) throw new Error('the invitation was not written');
  return { invitationId: written.invitationId, secret, expiresAt };
}

/** Open and expired invitations to new accounts, by address. */
export function listInvitations(tx: Tx, { kind, ownerKey }: UserOwner): Promise<Invitation[]> {
  return tx.query(selectInvitations, { kind, ownerKey, limit: SHOWN });
}

type OneInvitation = UserOwner & { readonly invitationId: InvitationId } & AuditAuthor;

/** A new link in place of the old one. */
export async function renewInvitation(
  tx: Tx,
  { kind, ownerKey, invitationId, actor, origin }: OneInvitation,
  now: Date,
): Promise<Invited<SentInvitation & Pick<Invitation, 'email' | 'name'>> | Refusal<'invitation_not_found'>> {
  const [row] = await tx.query(selectInvitation, { kind, ownerKey, invitationId });
  if (row === undefined) return refuse('invitation_not_found');
  const { email, name, roles } = row;
  const sent = await sendAnother(tx, { kind, ownerKey, email, name, roles, accountId: null, actor, origin }, now);
  return sent.ok ? done({ ...sent.value, email, name }) : sent;
}

/** Its link ends. */
export async function withdrawInvitation(
  tx: Tx,
  { invitationId, ...input }: OneInvitation,
  now: Date,
): Promise<Outcome<null, 'invitation_not_found'>> {
  const [row] = await tx.query(selectInvitation, { kind: input.kind, ownerKey: input.ownerKey, invitationId });
  if (row === undefined) return refuse('invitation_not_found');
  await tx.query(deleteInvitation, { invitationId });
  const target = row.kind === 'operator' ? row.name : row.email;
  await recordUserEvent(tx, { ...input, action: 'invitation_withdrawn', target, changes: {} }, now);
  return done(null);
}

/** Ends an account's link to a new password, for one whose address changed or who may no longer sign in. */
export async function withdrawLinks(tx: Tx, accountId: Uuid): Promise<void> {
  await tx.query(deleteInvitationsOfAccount, { accountId });
}

/** Null for a link that was used, replaced, withdrawn or has expired. */
export async function findInvitation(tx: Tx, secret: string, now: Date): Promise<Invitation | null> {
  const [row] = await tx.query(selectPresentedInvitation, { secretHash: hashSession(secret), now });
  return row ?? null;
}

type UserEvent = UserOwner & {
  /** Without its first word. */
  readonly action: string;
  readonly target: string;
  readonly changes: AuditChanges;
} & AuditAuthor;

/** `operator.invited`, or `user.invited` in the audit log of the partner. */
export async function recordUserEvent(
  tx: Tx,
  { kind, ownerKey, action, target, changes, actor, origin }: UserEvent,
  now: Date,
): Promise<void> {
  await appendAudit(tx, [
    {
      at: now,
      actor,
      ...ownersOf({ kind, ownerKey }),
      action: `${kind === 'operator' ? 'operator' : 'user'}.${action}`,
      target,
      changes,
      ...origin,
    },
  ]);
}
