// Tells operators of offers that routing leaves out because a value could not be used: once a day each, and once in the log of each process
// (contract 4.3).
import { utcDay } from '../base/time.ts';
import { type LeftOut, partlyDone, raiseLeftOut } from '../notices/left-out.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { FaultyOffer } from './offer-index.rules.ts';

export type LeftOutReportOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
};

/** The function takes what was left out of a batch; most of it is known from the batches before. */
export function createLeftOutReport({ database, clock, onFault }: LeftOutReportOptions) {
  let known = new Set<string>();
  let day = '';
  return async (offers: readonly FaultyOffer[]): Promise<void> => {
    const now = clock.now();
    if (offers.length === 0) return;
    if (utcDay(now) !== day) [known, day] = [new Set(), utcDay(now)];
    const fresh = offers.filter(({ offerKey }) => !known.has(offerKey));
    if (fresh.length === 0) return;
    const leftOut = fresh.map(({ offerKey: key, buyerKey: partner, error }): LeftOut => ({
      ...{ account: 'offer', key, partner, work: 'routing', error },
    }));
    await raiseLeftOut(database, leftOut, now);
    for (const { offerKey } of fresh) known.add(offerKey);
    onFault(partlyDone(leftOut));
  };
}
