// Shares the slots of one process out among endpoint queues: queues with the fewest sendings under way come first, so that endpoints that
// hang cannot keep the slots that others wait for (contract 4.12; decision 007).

/** Bounds on sendings at once. Enough queues that use all of theirs fill half of the total, and the other half is for the rest. */
export type Slots = {
  /** In one process. */
  readonly total: number;
  /** In one endpoint queue, so that a hanging endpoint can hold back so many sendings and no more. */
  readonly perQueue: number;
  /** The same while more than half of the total is taken. */
  readonly perQueueWhenScarce: number;
  /** For probes of broken endpoints together, or thousands that hang would leave no slot to others. */
  readonly probes: number;
};

export type Demand = {
  /** The endpoint queues with something due, each under a name of its own. */
  readonly queues: readonly QueueDemand[];
  /** Probes under way. */
  readonly probing: number;
  /** Sendings under way, by name of the queue. */
  readonly busy: ReadonlyMap<string, number>;
  /** Uniform in 0 ≤ c < 1: which queue is first among equals, so that in the long run each is. */
  readonly chance: number;
};

export type QueueDemand = {
  readonly name: string;
  /** Its breaker is open: it gets one slot, as a probe. */
  readonly isBroken: boolean;
  /** It gets one slot: one call takes all that it has. */
  readonly isShared: boolean;
};

/** Free slots by name of the queue; without those that get none. */
export function shareSlots(
  { total, perQueue, perQueueWhenScarce, probes }: Slots,
  { queues, probing, busy, chance }: Demand,
): Map<string, number> {
  const slots = new Map<string, number>();
  let probesLeft = probes - probing;
  const first = Math.floor(chance * queues.length);
  const inTurn = [...queues.slice(first), ...queues.slice(0, first)];
  let taken = [...busy.values()].reduce((sum, count) => sum + count, 0);
  // The first slot of every queue comes before the second one of any.
  for (let level = 1; level <= perQueue; level += 1) {
    const most = level > perQueueWhenScarce ? total / 2 : total;
    for (const { name, isBroken, isShared } of inTurn) {
      if (taken >= most) return slots;
      const given = slots.get(name) ?? 0;
      if ((busy.get(name) ?? 0) + given >= (isBroken || isShared ? 1 : level)) continue;
      if (isBroken && --probesLeft < 0) continue;
      slots.set(name, given + 1);
      taken += 1;
    }
  }
  return slots;
}
