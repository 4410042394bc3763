// Who may send how much at a time in one process: lanes with the fewest sendings under way come first, so that endpoints that hang
// cannot keep the places that others wait for (contract 4; decision 007).

/** Sendings at once in this process: enough to hide 100 ms answers at 1,000 a second and more. */
export const PLACES = 256;
/** And in one lane, so that a hanging endpoint can hold back 16 sendings and no more. */
export const PLACES_PER_LANE = 16;
/** While more than half of all places are taken: eight lanes fill that half, and thirty-two more find room in the other. */
const PLACES_WHEN_SCARCE = 4;

export type Demand = {
  /** The names of those with something due. */
  readonly lanes: readonly string[];
  /** Those that may have fewer places than others, with how many. */
  readonly narrow?: ReadonlyMap<string, number>;
  /** Sendings under way, by lane. */
  readonly busy: ReadonlyMap<string, number>;
  /** Uniform in 0 ≤ c < 1: who is first among equals, so that in the long run it is everybody. */
  readonly chance: number;
};

/** Free places by lane; without those that get none. */
export function sharePlaces({ lanes, narrow, busy, chance }: Demand): Map<string, number> {
  const places = new Map<string, number>();
  const first = Math.floor(chance * lanes.length);
  const inTurn = [...lanes.slice(first), ...lanes.slice(0, first)];
  let taken = [...busy.values()].reduce((sum, count) => sum + count, 0);
  // Everybody's first place comes before anybody's second one.
  for (let level = 1; level <= PLACES_PER_LANE; level += 1) {
    const most = level > PLACES_WHEN_SCARCE ? PLACES / 2 : PLACES;
    for (const lane of inTurn) {
      if (taken >= most) return places;
      const given = places.get(lane) ?? 0;
      if ((busy.get(lane) ?? 0) + given >= Math.min(level, narrow?.get(lane) ?? level)) continue;
      places.set(lane, given + 1);
      taken += 1;
    }
  }
  return places;
}
