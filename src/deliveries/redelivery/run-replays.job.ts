// The scheduled job that works on running replays in turn until none is left. A slice that fails is halved until the failing delivery is
// alone; that one is skipped (decision 087).
import type { DeliveryId, ReplayId } from '../../base/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { repeatTransient } from '../../platform/database/retry-transaction.ts';
import { isTransient } from '../../platform/database/sql-state.ts';
import { OutsideError } from '../../platform/outside-error.ts';
import { SLICE } from './redelivery.sql.ts';
import type { ReviveDeliveries } from './reopen-deliveries.ts';
import { listRunningReplays, runSlice, skipFailing } from './replays.ts';

export type ReplayServices = {
  readonly database: Database;
  readonly clock: Clock;
  readonly revive: ReviveDeliveries;
};

/**
 * Goes on where it was after it was cut off: a slice is one transaction. Throws the first failure at the end, when all else is done.
 */
export async function runReplays(services: ReplayServices): Promise<void> {
  const { database } = services;
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => {
    faults.push(error);
  };
  const limits = new Map<ReplayId, number>();
  /** Without more to do in this run: over, locked by another process, or failed and left to the next run. */
  const left = new Set<ReplayId>();
  for (;;) {
    const running = (await database.tx(listRunningReplays)).filter((replayId) => !left.has(replayId));
    if (running.length === 0) break;
    for (const replayId of running) {
      const limit = limits.get(replayId) ?? SLICE;
      const next = await takeTurn({ ...services, onFault }, replayId, limit).catch(onFault);
      if (next === undefined) left.add(replayId);
      else limits.set(replayId, next);
    }
  }
  if (faults.length > 0) throw faults[0];
}

type Turn = ReplayServices & { readonly onFault: (error: unknown) => void };

/** Handles one slice. Returns the limit of the next one, or undefined if there is nothing to do. */
async function takeTurn(turn: Turn, replayId: ReplayId, limit: number): Promise<number | undefined> {
  const { database, clock, revive, onFault } = turn;
  let slice: readonly DeliveryId[] = [];
  const onSlice = (deliveryIds: readonly DeliveryId[]): void => {
    slice = deliveryIds;
  };
  try {
    const request = { replayId, limit, revive, onSlice };
    const hasRun = await repeatTransient(() => database.tx((tx) => runSlice(tx, request, clock.now())));
    // Doubles after a success as it halves after a failure, so that consecutive failing deliveries cost one small slice each.
    return hasRun ? Math.min(limit * 2, SLICE) : undefined;
  } catch (error) {
    const [deliveryId] = slice;
    // A delivery is not at fault while the database is away or a lock is held.
    const isAtFault = !(error instanceof OutsideError) && !isTransient(error);
    if (deliveryId === undefined || (slice.length === 1 && !isAtFault)) throw error;
    onFault(error);
    if (slice.length > 1) return Math.ceil(slice.length / 2);
    await repeatTransient(() => database.tx((tx) => skipFailing(tx, replayId, deliveryId)));
    return limit;
  }
}
