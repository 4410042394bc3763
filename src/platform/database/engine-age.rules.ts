// Judges the version of the PostgreSQL server: whether it is supported, how long it is maintained, and whether fixes are missing.

/** Without `warning` all is well; `ok` is false where the service does not work with it. */
export type EngineAge = { readonly ok: boolean; readonly warning: boolean; readonly detail: string };

/** The months in which the community ends the maintenance of the versions that the service is tried with (postgresql.org, versioning). */
const MAINTAINED_UNTIL: ReadonlyMap<number, string> = new Map([
  [15, '2027-11'],
  [16, '2028-11'],
  [17, '2029-11'],
  [18, '2030-11'],
]);
const OLDEST = Math.min(...MAINTAINED_UNTIL.keys());
const NEWEST = Math.max(...MAINTAINED_UNTIL.keys());

/** An upgrade to another major version takes planning. */
const WARN_MONTHS_BEFORE = 6;
/** Each quarter brings a release with fixes: those of a year are missing. */
const WARN_RELEASES_BEHIND = 4;

/** `version` is the server's `server_version_num`: 150018 is 15.18. */
export function judgeEngine(version: number, now: Date): EngineAge {
  const major = Math.trunc(version / 10_000);
  const minor = version % 10_000;
  const name = `PostgreSQL ${major}.${minor}`;
  const until = MAINTAINED_UNTIL.get(major);
  if (major < OLDEST) {
    return { ok: false, warning: false, detail: `${name}: too old, ${OLDEST} or newer is needed` };
  }
  if (until === undefined) {
    return {
      ok: true,
      warning: true,
      detail: `${name}: newer than what this release was tried with, ${OLDEST} to ${NEWEST}`,
    };
  }
  const left = monthOf(until) - monthOf(now.toISOString().slice(0, 7));
  const behind = Math.max(0, releasesSince(major, now) - minor);
  const parts = [
    left < 0 ? `not maintained since the end of ${inWords(until)}` : `maintained until ${inWords(until)}`,
    ...(major === OLDEST ? ['the oldest version that is supported'] : []),
    ...(left < WARN_MONTHS_BEFORE ? [`plan the upgrade to ${NEWEST}`] : []),
    ...(behind > 0 ? [`at least ${behind} ${behind === 1 ? 'release' : 'releases'} with fixes behind`] : []),
  ];
  const warning = left < WARN_MONTHS_BEFORE || behind >= WARN_RELEASES_BEHIND;
  return { ok: true, warning, detail: `${name}, ${parts.join(', ')}` };
}

/**
 * How many minor releases of a major version there are by the community's schedule: in February, May, August and November, on the second
 * Thursday, from the November after the first release on. There may be more, so a server that has more is not ahead of its time.
 */
function releasesSince(major: number, now: Date): number {
  const first = monthOf(`${major + 2007}-11`);
  const month = monthOf(now.toISOString().slice(0, 7));
  // From the 15th on, the second Thursday is over.
  const lastOver = now.getUTCDate() >= 15 ? month : month - 1;
  return Math.max(0, Math.floor((lastOver - first) / 3) + 1);
}

/** Months since year 0. */
function monthOf(month: string): number {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return year * 12 + number - 1;
}

function inWords(month: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-15T00:00:00Z`),
  );
}
