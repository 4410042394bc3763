// Charges the token buckets in the database for one process (decision 054).
import type { Database } from '../database/database.ts';
import type { Charge, Charged } from './shared-bucket.rules.ts';
import { addBuckets, chargeBuckets, purgeBuckets } from './shared-bucket.sql.ts';
import { ROUNDING_MS } from './token-bucket.rules.ts';

/** A full bucket need not be stored; this is far longer than processes take to charge what they admitted. */
const FULL_KEPT_MS = 3_600_000;
const PURGE_EVERY_MS = 600_000;

export type ChargerOptions = {
  readonly database: Pick<Database, 'query'>;
  /** How far this machine's clock is ahead of the database's, by which all processes charge; null when unknown. */
  readonly clockAheadMs: () => number | null;
};

/** Returns the function that charges buckets and returns all of them, with times by this machine's clock. */
export function createCharger({ database, clockAheadMs }: ChargerOptions) {
  let purgedAtMs = Number.NEGATIVE_INFINITY;

  const charge = (charges: readonly Charge[], nowMs: number): Promise<Charged[]> =>
    database.query(chargeBuckets, {
      ...{ nowMs, roundingMs: ROUNDING_MS },
      buckets: charges.map(({ bucket }) => bucket),
      perTokenMs: charges.map(({ perTokenMs }) => perTokenMs),
      capacityMs: charges.map(({ capacityMs }) => capacityMs),
      debtMs: charges.map(({ debtMs }) => debtMs),
      admitted: charges.map(({ admitted }) => admitted),
      wanted: charges.map(({ wanted }) => wanted),
    });

  return async (charges: readonly Charge[], machineMs: number): Promise<Charged[]> => {
    const aheadMs = clockAheadMs() ?? 0;
    const nowMs = machineMs - aheadMs;
    if (nowMs - purgedAtMs > PURGE_EVERY_MS) {
      purgedAtMs = nowMs;
      await database.query(purgeBuckets, { beforeMs: nowMs - FULL_KEPT_MS });
    }
    const charged = await charge(charges, nowMs);
    if (charged.length < charges.length) {
      const stored = new Set(charged.map(({ bucket }) => bucket));
      const missing = charges.filter(({ bucket }) => !stored.has(bucket));
      await database.query(addBuckets, { buckets: missing.map(({ bucket }) => bucket), nowMs });
      charged.push(...(await charge(missing, nowMs)));
    }
    return charged.map(({ bucket, fullAtMs, granted }) => ({ bucket, fullAtMs: fullAtMs + aheadMs, granted }));
  };
}
