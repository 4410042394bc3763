// Decides whether a replica may answer: its position in the primary's log, and whether it is a standby of this primary.

/** A position in the log of the primary. Everything that was committed before the instant `at` is at or below it. */
export type Sample = {
  /** Milliseconds of this process's own clock, from before the primary was asked. */
  readonly at: number;
  readonly position: string;
};

/** What a server says of itself. `position` is the end of its log, on a standby of the part that it has replayed. */
export type ServerFacts = {
  readonly isStandby: boolean;
  readonly position: string | null;
  /** The same on a primary and on all standbys made from it. */
  readonly systemId: string;
  readonly databaseId: number;
  /** Increases with each failover. A standby reports it when it has stored it, which may be some minutes later. */
  readonly timeline: number;
};

/** The samples that are still younger than `boundMs`, oldest first; `samples` are in that order. */
export function recentSamples(samples: readonly Sample[], nowMs: number, boundMs: number): readonly Sample[] {
  return samples.filter(({ at }) => nowMs - at <= boundMs);
}

/** Whether a server that has replayed to `position` has what is at `other`. Positions are PostgreSQL's `16/B374D848`. */
export function hasReached(position: string | null, other: string): boolean {
  return position !== null && valueOf(position) >= valueOf(other);
}

/**
 * How old the data of a server that has replayed to `position` may be, in milliseconds: the age of the newest sample that it has reached.
 * Null if it has reached none.
 */
export function lagOf(samples: readonly Sample[], position: string | null, nowMs: number): number | null {
  const newest = samples.findLast((sample) => hasReached(position, sample.position));
  return newest === undefined ? null : Math.max(0, nowMs - newest.at);
}

/** Why the server is no replica of the primary, as a sentence for the operator; null if it is one. */
export function replicaFault(primary: ServerFacts, replica: ServerFacts): string | null {
  if (!replica.isStandby) return 'it accepts writes, so it is no standby';
  if (replica.systemId !== primary.systemId) return 'it is not a copy of the database of DATABASE_URL';
  if (replica.databaseId !== primary.databaseId) return 'its URL names another database than DATABASE_URL';
  // Positions of two timelines cannot be compared: after a failover a standby may have what the new primary never had.
  if (replica.timeline !== primary.timeline) return 'it has not recorded the last failover yet';
  return null;
}

function valueOf(position: string): bigint {
  const [high = '', low = ''] = position.split('/');
  return BigInt(`0x${high}`) * 2n ** 32n + BigInt(`0x${low}`);
}
