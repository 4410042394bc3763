// What one process counts by the minute until it is written down, for the console's overview. Counting costs an addition; the writing is
// somebody else's (report-process.ts).
import type { Clock } from '../clock.ts';
import type { HttpMeter } from '../http/http-meter.ts';

export const countedNames = [
  'accepted',
  'refused',
  'conflicts',
  'apiAnswers',
  'apiFaults',
  'pageAnswers',
  'pageFaults',
  'confirmed',
  'retried',
  'failed',
] as const;

/** `faults` are answers with a status of 500 and above; `page` is what the portal and the console ask for. */
export type CountedName = (typeof countedNames)[number];
export type Counts = Readonly<Record<CountedName, number>>;

/** What a minute came to so far. */
export type CountedMinute = { readonly minute: Date; readonly counts: Counts };

export type ProcessCounts = {
  count(name: CountedName, by?: number): void;
  /** Meters as before, and counts. */
  metered(meter: HttpMeter): HttpMeter;
  /** The minutes that moved since they were last taken; those that are over are then forgotten. */
  take(): CountedMinute[];
  /** Those that could not be written are to be taken again. */
  giveBack(minutes: readonly CountedMinute[]): void;
};

const MINUTE_MS = 60_000;
/** While nothing can be written: an hour is what anybody looks back, and the memory stays bounded. */
const KEPT_MINUTES = 60;

type Minute = { readonly counts: Record<CountedName, number>; moved: boolean };

export function createProcessCounts(clock: Clock): ProcessCounts {
  const minutes = new Map<number, Minute>();

  const current = (): Minute => {
    const now = clock.now().getTime();
    const start = now - (now % MINUTE_MS);
    let minute = minutes.get(start);
    if (minute === undefined) {
      minutes.set(start, (minute = { counts: noCounts(), moved: false }));
      if (minutes.size > KEPT_MINUTES) minutes.delete(Math.min(...minutes.keys()));
    }
    return minute;
  };

  const count = (name: CountedName, by = 1): void => {
    if (by === 0) return;
    const minute = current();
    minute.counts[name] += by;
    minute.moved = true;
  };

  return {
    count,
    metered: (meter) => ({
      forRoute(method, template) {
        const observe = meter.forRoute(method, template);
        const names = namesOf(template);
        if (names === null) return observe;
        return (status, elapsedMs) => {
          observe(status, elapsedMs);
          count(names.responses);
          if (status >= 500) count(names.faults);
        };
      },
    }),
    take() {
      const now = clock.now().getTime();
      const moved = [...minutes].filter(([, minute]) => minute.moved);
      for (const [start, minute] of minutes) {
        minute.moved = false;
        // A later minute may still be counted into while the clock is being set back a little.
        if (start + 2 * MINUTE_MS <= now) minutes.delete(start);
      }
      return moved.map(([start, { counts }]) => ({ minute: new Date(start), counts: { ...counts } }));
    },
    giveBack(taken) {
      for (const { minute, counts } of taken) {
        const start = minute.getTime();
        const known = minutes.get(start);
        // What is still counted here holds what was taken already.
        if (known === undefined) minutes.set(start, { counts: { ...counts }, moved: true });
        else known.moved = true;
      }
    },
  };
}

type ResponseNames = { readonly responses: CountedName; readonly faults: CountedName };

/** Health checks and files say nothing about how partners and operators are served. */
function namesOf(template: string): ResponseNames | null {
  if (template.startsWith('/api/v1/')) return { responses: 'apiAnswers', faults: 'apiFaults' };
  const isPage = template.startsWith('/portal/api/') || template.startsWith('/console/api/');
  return isPage ? { responses: 'pageAnswers', faults: 'pageFaults' } : null;
}

function noCounts(): Record<CountedName, number> {
  return {
    accepted: 0,
    refused: 0,
    conflicts: 0,
    apiAnswers: 0,
    apiFaults: 0,
    pageAnswers: 0,
    pageFaults: 0,
    confirmed: 0,
    retried: 0,
    failed: 0,
  };
}
