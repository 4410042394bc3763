// When a calendar day begins in a time zone, for filters by day.

const DAY_MS = 86_400_000;

/** `day` such as 2026-11-21, or '' for ''; `later` days after it. ISO 8601. */
export function startOfDay(day: string, zone: string, later: number): string {
  if (day === '') return '';
  const utc = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(utc)) return '';
  const midnight = utc + later * DAY_MS;
  // The zone's distance from UTC at the day's beginning; asked twice, because a change of the clocks may lie between.
  const first = midnight - offsetAt(midnight, zone);
  return new Date(midnight - offsetAt(first, zone)).toISOString();
}

/** Milliseconds by which the zone's clocks are ahead of UTC. */
function offsetAt(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(new Date(at));
  const of = (name: string): number => Number(parts.find(({ type }) => type === name)?.value);
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return shown - Math.floor(at / 1000) * 1000;
}
