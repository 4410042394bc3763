// A process and its minutes as the statements read them.
import type { Counts } from './process-counts.ts';

export type SeenProcess = {
  readonly role: 'all' | 'api' | 'worker';
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** It has ended without a word, or cannot write. */
  readonly isLost: boolean;
  /** How far its clock is ahead of the database's, negative where it is behind; null where that is not known or only some seconds. */
  readonly clockAheadMs: number | null;
  /** A proxy nearby that TRUST_PROXY does not name; null where it has met none. */
  readonly untrustedProxy: string | null;
};

export type Minute = Counts & { readonly minute: Date };
