// Limits the large exports that run at a time in this process: one per partner or supplier, and four in all. Each holds a connection of the pool and a
// snapshot of the database until its client has read it.

export type ExportSlots = {
  /** `owner`: the key of a partner, or `supplier:<key>`. The caller must release a taken slot. */
  take(owner: string): 'taken' | 'partner_busy' | 'all_busy';
  release(owner: string): void;
};

/** The responses to requests that get no slot. */
export const EXPORT_BUSY = {
  partner_busy: {
    status: 429,
    code: 'rate_limited',
    detail: 'Another large export of this account is still running: only one runs at a time.',
    headers: { 'retry-after': '5' },
  },
  all_busy: {
    status: 503,
    code: 'unavailable',
    detail: 'Too many exports are running.',
    headers: { 'retry-after': '2' },
  },
} as const;

/** Leaves six of ten connections for other work. */
const AT_ONCE = 4;

export function createExportSlots(): ExportSlots {
  const running = new Set<string>();
  return {
    take(owner) {
      if (running.has(owner)) return 'partner_busy';
      if (running.size >= AT_ONCE) return 'all_busy';
      running.add(owner);
      return 'taken';
    },
    release(owner) {
      running.delete(owner);
    },
  };
}
