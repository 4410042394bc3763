// The statistics of the portal's overview, as GET /portal/api/buyer/stats answers: by the days of the partner's zone.
import type { BuyerStats } from '../../../../sdk/typescript/client.ts';
import { count } from '../../../ui/formats.ts';

export type PortalStats = Pick<BuyerStats, 'totals' | 'byEventType' | 'byDay' | 'pacing' | 'offers' | 'currency'> & {
  readonly timeZone: string;
  readonly unit: 'day' | 'month';
};

/** `last 30 days` */
export function spanWords({ unit, byDay }: PortalStats): string {
  return `last ${count(byDay.length, unit)}`;
}
