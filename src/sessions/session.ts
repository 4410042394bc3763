// What a session is: who somebody is at our pages, for how long, and what the browser holds of it (decision 022).
import { hash, randomBytes } from 'node:crypto';

import type { Uuid } from '../base/ids.ts';
import { DAY_MS } from '../base/time.ts';

export type SessionKind = 'buyer' | 'supplier' | 'operator';

/** Who a session is for, and what it was opened with. */
export type SessionOwner = {
  readonly kind: SessionKind;
  /** The buyer's or supplier's key, or the operator's name. */
  readonly ownerKey: string;
  /** The token or key of a partner, or the operator: the session ends with it. */
  readonly openedWith: Uuid;
};

const HOUR_MS = 3_600_000;

export type Lifetime = { readonly idleMs: number; readonly absoluteMs: number };

/**
 * A partner is signed in over a working day without being asked again, and brings the token once a week. An operator can move
 * everybody's money: half a day at most, and an evening's forgotten screen is locked after two hours.
 */
export const lifetimes: Readonly<Record<SessionKind, Lifetime>> = {
  buyer: { idleMs: 12 * HOUR_MS, absoluteMs: 7 * DAY_MS },
  supplier: { idleMs: 12 * HOUR_MS, absoluteMs: 7 * DAY_MS },
  operator: { idleMs: 2 * HOUR_MS, absoluteMs: 12 * HOUR_MS },
};

/** A use is written once a minute at most: enough to see who is there, and an idle time of hours is not measured in seconds. */
export const NOTE_EVERY_MS = 60_000;

/** 256 random bits in base64url; nobody guesses it, so a fast hash is enough to store. */
export function newSessionSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The only form in which a session's secret is stored or looked up. */
export function hashSession(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
