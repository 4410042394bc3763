// Names of months, and the past months to choose from. Pure.

/** `2026-10` → October 2026 */
export function monthName(month: string): string {
  const format = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${month}-15T00:00:00Z`));
}

/** The latest months that are over in every time zone, newest first. */
export function pastMonths(now: Date, howMany: number): string[] {
  // The westernmost time zone is 12 hours behind UTC.
  const westernmost = new Date(now.getTime() - 12 * 3_600_000);
  return Array.from({ length: howMany }, (_item, index) => {
    const first = new Date(Date.UTC(westernmost.getUTCFullYear(), westernmost.getUTCMonth() - 1 - index, 1));
    return first.toISOString().slice(0, 7);
  });
}
