// How many returns a month's cap allows (contract 6.7).
import type { ClaimCap } from '../buyers/buyer.ts';

/** So that a partner with few deliveries can return something at all. */
export const PERCENT_LIMIT_MIN = 3;

/** `kept` counts the month's Confirmed and Returned deliveries of the kind. A part of a return is none, so a share is rounded down. */
export function limitOf(cap: ClaimCap, kept: number): number {
  if ('count' in cap) return cap.count;
  // Percentages have two decimals at most: in hundredths they are whole.
  return Math.max(PERCENT_LIMIT_MIN, Math.floor((kept * Math.round(cap.percent * 100)) / 10_000));
}
