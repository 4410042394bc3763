// What is going to happen in a simulation, by time; what falls on one instant happens in the order in which it was written down.

export type Agenda = {
  add(at: number, act: () => void): void;
  /** Does everything up to and including this instant, also what is added meanwhile. */
  runUntil(at: number): void;
};

type Item = { readonly at: number; readonly place: number; readonly act: () => void };

export function createAgenda(): Agenda {
  // A binary heap: item n comes no later than items 2n + 1 and 2n + 2.
  const items: Item[] = [];
  let added = 0;
  const itemAt = (index: number): Item => items[index] as Item;
  const isBefore = (one: number, other: number): boolean => {
    const difference = itemAt(one).at - itemAt(other).at;
    return difference < 0 || (difference === 0 && itemAt(one).place < itemAt(other).place);
  };
  const swap = (one: number, other: number): void => {
    [items[one], items[other]] = [itemAt(other), itemAt(one)];
  };
  const takeFirst = (): Item => {
    const first = itemAt(0);
    swap(0, items.length - 1);
    items.pop();
    for (let index = 0; ;) {
      let earliest = index;
      for (const child of [2 * index + 1, 2 * index + 2]) {
        if (child < items.length && isBefore(child, earliest)) earliest = child;
      }
      if (earliest === index) return first;
      swap(index, earliest);
      index = earliest;
    }
  };
  return {
    add(at, act) {
      let index = items.push({ at, place: ++added, act }) - 1;
      for (let parent = (index - 1) >> 1; index > 0 && isBefore(index, parent); parent = (index - 1) >> 1) {
        swap(index, parent);
        index = parent;
      }
    },
    runUntil(at) {
      while (items.length > 0 && itemAt(0).at <= at) takeFirst().act();
    },
  };
}
