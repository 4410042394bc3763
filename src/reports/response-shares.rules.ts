// Adds up the responses of days into the shares of rejections today, in 7 and in 30 days (contract 13.7).
import { Temporal } from '../base/temporal.ts';
import { localDate } from '../base/time.ts';

/** The responses of one day to the deliveries of one offer. */
export type ResponseDay = {
  readonly offer: string;
  /** `2026-11-20`. */
  readonly day: string;
  readonly responses: number;
  readonly rejected: number;
  readonly duplicates: number;
};

export type ResponseShare = {
  /** Deliveries that the partner's system decided about. */
  readonly responses: number;
  readonly rejected: number;
  readonly duplicates: number;
  /** Of the responses, from 0 to 1 with four decimals; null without any. */
  readonly rejectedRate: number | null;
  readonly duplicateRate: number | null;
};

export type ResponseShares = {
  readonly today: ResponseShare;
  readonly last7Days: ResponseShare;
  readonly last30Days: ResponseShare;
};

/** Today is the last of the 7 and of the 30 days. */
export function responseShares(days: readonly ResponseDay[], timeZone: string, now: Date): ResponseShares {
  const today = Temporal.PlainDate.from(localDate(now, timeZone));
  const since = (count: number): ResponseShare => {
    const first = today.subtract({ days: count - 1 }).toString();
    return shareOf(days.filter(({ day }) => day >= first));
  };
  return { today: since(1), last7Days: since(7), last30Days: since(30) };
}

function shareOf(days: readonly ResponseDay[]): ResponseShare {
  const sum = (name: 'responses' | 'rejected' | 'duplicates'): number =>
    days.reduce((total, day) => total + day[name], 0);
  const [responses, rejected, duplicates] = [sum('responses'), sum('rejected'), sum('duplicates')];
  const rate = (part: number): number | null =>
    responses === 0 ? null : Math.round((10_000 * part) / responses) / 10_000;
  return { responses, rejected, duplicates, rejectedRate: rate(rejected), duplicateRate: rate(duplicates) };
}
