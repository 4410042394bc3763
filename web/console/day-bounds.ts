// The first and last instant of a calendar day in a time zone, for filters by day. Pure.

/** The first instant of a day such as 2026-11-20 in a zone; '' for '' and for a day that does not exist. */
export function startOfDay(day: string, zone: string): string {
  if (day === '') return '';
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight)) return '';
  // Twice, because the offset at the first guess may differ from the one at the result.
  const first = midnight - offsetAt(midnight, zone);
  return new Date(midnight - offsetAt(first, zone)).toISOString();
}

/** The first instant of the next day. */
export function endOfDay(day: string, zone: string): string {
  if (day === '') return '';
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight)) return '';
  return startOfDay(new Date(midnight + 86_400_000).toISOString().slice(0, 10), zone);
}

/** The zone's offset from UTC at an instant, in milliseconds. */
function offsetAt(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at);
  const of = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value ?? 0);
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return shown - Math.floor(at / 1000) * 1000;
}
