// Limits the large exports that run at a time in this process: one per partner, and four in all. Each holds a connection of the pool and a
// snapshot of the database until its client has read it.

export type ExportSlots = {
  /** The caller must release a taken slot. */
  take(buyerKey: string): 'taken' | 'partner_busy' | 'all_busy';
  release(buyerKey: string): void;
};

/** Leaves six of ten connections for other work. */
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
