// Sessions of the portal and the console: owner, lifetime and the secret in the cookie (decision 022).
import { hash, randomBytes } from 'node:crypto';

import type { CredentialId, OperatorId, UserId } from '../base/ids.ts';
import { DAY_MS } from '../base/time.ts';

export type SessionKind = 'buyer' | 'supplier' | 'operator';

/** The owner of a session and the credential that opened it. */
export type SessionOwner = {
  readonly kind: SessionKind;
  /** The buyer's or supplier's key, or the operator's name. */
  readonly ownerKey: string;
  /** A partner's token, a supplier's key, the operator or the user: the session ends with it. */
  readonly openedWith: CredentialId | OperatorId | UserId;
};

const HOUR_MS = 3_600_000;

export type Lifetime = { readonly idleMs: number; readonly absoluteMs: number };

/**
 * A partner stays signed in over a working day and enters the token once a week. An operator can move every partner's money: half a day
 * at most, and a screen left open is locked after two hours.
 */
export const lifetimes: Readonly<Record<SessionKind, Lifetime>> = {
  buyer: { idleMs: 12 * HOUR_MS, absoluteMs: 7 * DAY_MS },
  supplier: { idleMs: 12 * HOUR_MS, absoluteMs: 7 * DAY_MS },
  operator: { idleMs: 2 * HOUR_MS, absoluteMs: 12 * HOUR_MS },
};

/** A use is written once a minute at most: precise enough for a list of sessions and for an idle limit of hours. */
export const USE_WRITTEN_EVERY_MS = 60_000;

/** Marks the secrets of users: the release before there were users, which knows no roles, does not read them. */
const USER_MARK = 'u';

export function newUserSessionSecret(): string {
  return USER_MARK + newSessionSecret();
}

/** 256 random bits in base64url; it cannot be guessed, so a fast hash is enough to store it. */
export function newSessionSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The only form in which a session's secret is stored or looked up. */
export function hashSession(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
