// Who may send how much at a time in one process: lanes with the fewest sendings under way come first, so that endpoints that hang
// cannot keep the places that others wait for (contract 4.12; decision 007).

/** How many places there are; enough lanes that take all of theirs fill half of them, and the other half is for the rest. */
export type Places = {
  /** Sendings at once in this process. */
  readonly inAll: number;
  /** And in one lane, so that a hanging endpoint can hold back so many sendings and no more. */
  readonly perLane: number;
  /** While more than half of all places are taken. */
  readonly perLaneWhenScarce: number;
};

export type Demand = {
  /** The names of those with something due. */
  readonly lanes: readonly string[];
  /** Those that may have fewer places than others, with how many. */
  readonly narrow?: ReadonlyMap<string, number>;
  /** Those of them whose breaker is open: they have a quarter of all places together, or thousands that hang would leave none to others. */
  readonly broken?: ReadonlySet<string>;
  /** Sendings under way that ask whether a broken endpoint is back. */
  readonly probing?: number;
  /** Sendings under way, by lane. */
  readonly busy: ReadonlyMap<string, number>;
  /** Uniform in 0 ≤ c < 1: who is first among equals, so that in the long run it is everybody. */
  readonly chance: number;
};

/** Free places by lane; without those that get none. */
export function sharePlaces(
  { inAll, perLane, perLaneWhenScarce }: Places,
  { lanes, narrow, broken, probing = 0, busy, chance }: Demand,
): Map<string, number> {
  const places = new Map<string, number>();
  let probesLeft = inAll / 4 - probing;
  const first = Math.floor(chance * lanes.length);
  const inTurn = [...lanes.slice(first), ...lanes.slice(0, first)];
  let taken = [...busy.values()].reduce((sum, count) => sum + count, 0);
  // Everybody's first place comes before anybody's second one.
  for (let level = 1; level <= perLane; level += 1) {
    const most = level > perLaneWhenScarce ? inAll / 2 : inAll;
    for (const lane of inTurn) {
      if (taken >= most) return places;
      const given = places.get(lane) ?? 0;
      if ((busy.get(lane) ?? 0) + given >= Math.min(level, narrow?.get(lane) ?? level)) continue;
      if (broken?.has(lane) === true && --probesLeft < 0) continue;
      places.set(lane, given + 1);
      taken += 1;
    }
  }
  return places;
}
