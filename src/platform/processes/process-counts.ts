// Counts what one process does, by the minute, for the console's overview. Counting costs an addition; report-process.ts stores the counts.
import type { Clock } from '../clock.ts';
import type { HttpMeter } from '../http/app.ts';

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

/** `…Faults` are responses with a status of 500 and above; `page…` are requests of the portal and the console. */
export type CountedName = (typeof countedNames)[number];
export type Counts = Readonly<Record<CountedName, number>>;

/** The counts of one minute so far. */
export type CountedMinute = { readonly minute: Date; readonly counts: Counts };

export type ProcessCounts = {
  count(name: CountedName, by?: number): void;
  /** Wraps a meter so that it also counts. */
  metered(meter: HttpMeter): HttpMeter;
  /** Returns the minutes that changed since the last call, and drops the minutes that are over. */
  take(): CountedMinute[];
  /** Returns minutes that could not be written; the next `take` includes them again. */
  giveBack(minutes: readonly CountedMinute[]): void;
};

const MINUTE_MS = 60_000;
/** Bounds the memory while nothing can be written; the overview shows no more than an hour. */
const KEPT_MINUTES = 60;

type Minute = { readonly counts: Record<CountedName, number>; isChanged: boolean };

export function createProcessCounts(clock: Clock): ProcessCounts {
  const minutes = new Map<number, Minute>();

  const current = (): Minute => {
    const now = clock.now().getTime();
    const start = now - (now % MINUTE_MS);
    let minute = minutes.get(start);
    if (minute === undefined) {
      minutes.set(start, (minute = { counts: noCounts(), isChanged: false }));
      if (minutes.size > KEPT_MINUTES) minutes.delete(Math.min(...minutes.keys()));
    }
    return minute;
  };

  const count = (name: CountedName, by = 1): void => {
    if (by === 0) return;
    const minute = current();
    minute.counts[name] += by;
    minute.isChanged = true;
  };

  return {
    count,
    metered: (meter) => ({
      forRoute(method, template) {
        const observe = meter.forRoute(method, template);
        const names = responseNames(template);
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
      const changed = [...minutes].filter(([, minute]) => minute.isChanged);
      for (const [start, minute] of minutes) {
        minute.isChanged = false;
        // The previous minute may still be counted into when the clock is set back a little.
        if (start + 2 * MINUTE_MS <= now) minutes.delete(start);
      }
      return changed.map(([start, { counts }]) => ({ minute: new Date(start), counts: { ...counts } }));
    },
    giveBack(taken) {
      for (const { minute, counts } of taken) {
        const start = minute.getTime();
        const known = minutes.get(start);
        // The counts of a minute that is still here include what was taken.
        if (known === undefined) minutes.set(start, { counts: { ...counts }, isChanged: true });
        else known.isChanged = true;
      }
    },
  };
}

type ResponseNames = { readonly responses: CountedName; readonly faults: CountedName };

/** Null for routes that are not counted: health checks and files say nothing about how partners and operators are served. */
function responseNames(template: string): ResponseNames | null {
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
