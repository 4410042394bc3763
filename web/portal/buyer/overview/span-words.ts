// The statistics of the portal's overview in words.
import type { Stats } from '../../../../src/portal/buyer/stats.schema.ts';
import { count } from '../../../ui/formats.ts';

/** `last 30 days` */
export function spanWords({ unit, byDay }: Stats): string {
  return `last ${count(byDay.length, unit)}`;
}
