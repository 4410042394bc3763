// Numbers that look random and are the same for the same seed.

export type Chance = {
  /** A whole number of 0 or more and below the end. */
  below(end: number): number;
  /** An amount of 0.01 to 200.00. */
  cents(): number;
  pick<Item>(items: readonly Item[]): Item | undefined;
};

/** mulberry32. */
export function chance(seed: number): Chance {
  let state = seed;
  const below = (end: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  };
  return { below, cents: () => 1 + below(20_000), pick: (items) => items[below(items.length)] };
}
