// Shares the sending slots of one process among endpoint queues: queues with the fewest running sends come first, so that hanging endpoints
// cannot hold the slots that others wait for (contract 4.12; decision 007).

/** Bounds on concurrent sends. Queues that use all of their slots fill half of the total at most; the other half is for the rest. */
export type Slots = {
  /** Per process. */
  readonly total: number;
  /** Per endpoint queue: the most sends that a hanging endpoint can hold. */
  readonly perQueue: number;
  /** Per endpoint queue while more than half of the total is taken. */
  readonly perQueueWhenScarce: number;
  /** For all probes of broken endpoints together: otherwise thousands of hanging endpoints would leave no slot to others. */
  readonly probes: number;
};

export type Demand = {
  /** The endpoint queues with due jobs; names are unique. */
  readonly queues: readonly QueueDemand[];
  /** Running probes. */
  readonly probing: number;
  /** Running sends, by queue name. */
  readonly busy: ReadonlyMap<string, number>;
  /** Uniform in 0 ≤ c < 1: chooses which of equal queues is first, so that in the long run each is. */
  readonly chance: number;
};

export type QueueDemand = {
  readonly name: string;
  /** Its breaker is open: it gets one slot, for a probe. */
  readonly isBroken: boolean;
  /** It gets one slot, because one call takes all of its jobs. */
  readonly isShared: boolean;
};

/** The slots to fill, by queue name; queues that get none are absent. */
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
