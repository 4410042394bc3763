// Calendar days as filters use them, such as 2026-11-20, and the days that presets stand for. Pure.

export type Days = { readonly from: string; readonly to: string };

const DAY_MS = 86_400_000;

/** The calendar day of an instant in a zone. */
export function dayIn(zone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' },
  }).formatToParts(at);
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')}`;
}

/** Of a calendar day; a negative number is after it. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
}

export const DAY_PRESETS: ReadonlyArray<readonly [name: string, daysOf: (today: string) => Days]> = [
  ['Today', (today) => ({ from: today, to: today })],
  ['Yesterday', (today) => ({ from: daysBefore(today, 1), to: daysBefore(today, 1) })],
  ['7 days', (today) => ({ from: daysBefore(today, 6), to: today })],
  ['This month', (today) => ({ from: `${today.slice(0, 'YYYY-MM'.length)}-01`, to: today })],
];

/** Whether both days are given, and the first is after the last. */
export function isReversed({ from, to }: Days): boolean {
  return from !== '' && to !== '' && from > to;
}
