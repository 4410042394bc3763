// Audit events in words, and days as the bounds of times. Pure.

/** `return.under_review` → Return under review */
export function actionWords(action: string): string {
  const words = action.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value before or after a change, short enough for a line. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'string') return value === '' ? 'empty' : value;
  return JSON.stringify(value);
}

/** The page of what an event was done to, where there is one. */
export function targetPage(
  target: string,
): { readonly to: string; readonly params?: Record<string, string>; readonly search?: Record<string, string> } | null {
  if (/^(?:ret|dsp)_/.test(target)) return { to: '/claims/$claimId', params: { claimId: target } };
  if (target.startsWith('lead_')) return { to: '/leads/$leadId', params: { leadId: target } };
  if (target.startsWith('dlv_')) return { to: '/leads', search: { search: target } };
  if (target.startsWith('inv_')) return { to: '/invoices', search: { invoice: target } };
  return null;
}

/** The first instant of a day such as 2026-11-20 in a zone; '' for ''. */
export function startOfDay(day: string, zone: string): string {
  if (day === '') return '';
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Twice, because the offset at the guess may be another one than at the result.
  const first = midnight - offsetAt(midnight, zone);
  return new Date(midnight - offsetAt(first, zone)).toISOString();
}

/** The first instant of the day after. */
export function endOfDay(day: string, zone: string): string {
  if (day === '') return '';
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return startOfDay(next, zone);
}

/** How far the zone's clocks are ahead of UTC at an instant, in milliseconds. */
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
