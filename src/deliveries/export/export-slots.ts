// How many large exports may run at a time in this process: one for each partner, and a few for all partners together. Each holds a
// connection of the pool and a snapshot of the database for as long as its reader takes.

export type ExportSlots = {
  /** A taken slot has to be given back by `release`. */
  take(buyerKey: string): 'taken' | 'partner_busy' | 'all_busy';
  release(buyerKey: string): void;
};

/** Of ten connections, six stay for everything else. */
const AT_ONCE = 4;

export function createExportSlots(): ExportSlots {
  const running = new Set<string>();
  return {
    take(buyerKey) {
      if (running.has(buyerKey)) return 'partner_busy';
      if (running.size >= AT_ONCE) return 'all_busy';
      running.add(buyerKey);
      return 'taken';
    },
    release(buyerKey) {
      running.delete(buyerKey);
    },
  };
}
