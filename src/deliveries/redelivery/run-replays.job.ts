// The scheduled job that works on running replays until none is left (decision 087).
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { repeatTransient } from '../../platform/database/retry-transaction.ts';
import type { ReviveDeliveries } from './reopen-deliveries.ts';
import { runSlice } from './replays.ts';

export type ReplayServices = {
  readonly database: Database;
  readonly clock: Clock;
  readonly revive: ReviveDeliveries;
};

/** Goes on where it was after it was cut off: a slice is one transaction. */
export async function runReplays({ database, clock, revive }: ReplayServices): Promise<void> {
  const runOne = () => database.tx((tx) => runSlice(tx, revive, clock.now()));
  while (await repeatTransient(runOne));
}
