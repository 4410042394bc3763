// The words for counts per day: the last week and the week before.
import { count, formatNumber } from './formats.ts';

const WEEK_DAYS = 7;

/** `counts`: one per day, oldest first. For example `12 leads in 7 days, 20 in the 7 days before`. */
export function trendWords(counts: readonly number[], unit: string): string {
  const sum = (days: readonly number[]): number => days.reduce((total, value) => total + value, 0);
  const [week, before] = [sum(counts.slice(-WEEK_DAYS)), sum(counts.slice(-2 * WEEK_DAYS, -WEEK_DAYS))];
  return `${count(week, unit)} in ${WEEK_DAYS} days, ${formatNumber(before)} in the ${WEEK_DAYS} days before`;
}
