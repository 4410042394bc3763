// Who may send how many messages at a time in one process: lanes with the fewest under way come first, so that endpoints that hang
// cannot keep the places that others wait for (contract 4, breaker; decision 007).

/** Messages at once in this process: they matter less than leads, and leave them the machine. */
export const PLACES = 64;
/** And in one lane: 80 a second to an endpoint that answers within 100 ms. */
export const PLACES_PER_LANE = 8;
/** While more than half of all places are taken: four lanes fill that half, and sixteen more find room in the other. */
const PLACES_WHEN_SCARCE = 2;

export type Demand = {
  /** The names of those with something due. */
  readonly lanes: readonly string[];
  /** Those of them whose breaker is open: one attempt at a time. */
  readonly broken: ReadonlySet<string>;
  /** Sendings under way, by lane. */
  readonly busy: ReadonlyMap<string, number>;
  /** Uniform in 0 ≤ c < 1: who is first among equals, so that in the long run it is everybody. */
  readonly chance: number;
};

/** Free places by lane; without those that get none. */
export function sharePlaces({ lanes, broken, busy, chance }: Demand): Map<string, number> {
  const places = new Map<string, number>();
  const first = Math.floor(chance * lanes.length);
  const inTurn = [...lanes.slice(first), ...lanes.slice(0, first)];
  let taken = [...busy.values()].reduce((sum, count) => sum + count, 0);
  // Everybody's first place comes before anybody's second one.
  for (let level = 1; level <= PLACES_PER_LANE; level += 1) {
    const most = level > PLACES_WHEN_SCARCE ? PLACES / 2 : PLACES;
    for (const lane of inTurn) {
      if (taken >= most) return places;
      if (level > 1 && broken.has(lane)) continue;
      const given = places.get(lane) ?? 0;
      if ((busy.get(lane) ?? 0) + given >= level) continue;
      places.set(lane, given + 1);
      taken += 1;
    }
  }
  return places;
}
