// How many refused submissions a day keep their bodies: those of a supplier's mistake, and not all that a program gone wild can post.

/** Per supplier, UTC day and process (decision 009). Of 8 KiB each they are 80 MB; a supplier with a faulty program has read enough of them. */
export const REFUSED_BODIES_A_DAY = 10_000;

export type RefusedBodyLimit = {
  /** Takes a place for one more; false where there is none left today. */
  take(supplierKey: string, now: Date): boolean;
};

export function createRefusedBodyLimit(mostADay: number): RefusedBodyLimit {
  let today = '';
  const taken = new Map<string, number>();
  return {
    take(supplierKey, now) {
      const day = now.toISOString().slice(0, 'YYYY-MM-DD'.length);
      if (day !== today) taken.clear();
      today = day;
      const count = taken.get(supplierKey) ?? 0;
      if (count >= mostADay) return false;
      taken.set(supplierKey, count + 1);
      return true;
    },
  };
}
