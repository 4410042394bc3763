// A reported process and the counts of one minute, as stored.
import type { Counts } from './process-counts.ts';

/** Three times the interval between two reports of an idle process: clocks differ and machines are busy. */
export const LOST_AFTER_MS = 30_000;

export type SeenProcess = {
  readonly role: 'all' | 'api' | 'worker';
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** It died without signing off, or cannot write to the database. */
  readonly isLost: boolean;
  /** How far its clock is ahead of the database's, negative when behind; null when unknown or only a few seconds. */
  readonly clockAheadMs: number | null;
  /** A proxy on a private address that TRUST_PROXY does not name; null when it has seen none. */
  readonly untrustedProxy: string | null;
};

export type Minute = Counts & { readonly minute: Date };
