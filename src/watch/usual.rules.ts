// Compares a supplier and a partner with what is usual, for notices to operators (contract 12.3).

/** Submissions of a supplier, by their present status. */
export type DayCounts = {
  readonly submitted: number;
  readonly invalid: number;
  readonly sold: number;
  readonly unsold: number;
};

export type Below = { readonly percent: number; readonly usualPercent: number };

// Below so many, a rate is chance.
const SUBMISSIONS_MIN = 20;
const USUAL_MIN = 100;

/** The share of a day's submissions that were accepted, if it is below `factor` of that of the days before; null if it is not. */
export function acceptanceBelow(last: DayCounts, before: DayCounts, factor: number): Below | null {
  return below(
    { part: last.submitted - last.invalid, of: last.submitted },
    { part: before.submitted - before.invalid, of: before.submitted },
    factor,
  );
}

/** The same of accepted leads that were sold. Leads that wait count as neither. */
export function sellThroughBelow(last: DayCounts, before: DayCounts, factor: number): Below | null {
  return below(
    { part: last.sold, of: last.sold + last.unsold },
    { part: before.sold, of: before.sold + before.unsold },
    factor,
  );
}

type Share = { readonly part: number; readonly of: number };

function below(last: Share, before: Share, factor: number): Below | null {
  if (last.of < SUBMISSIONS_MIN || before.of < USUAL_MIN) return null;
  const [share, usual] = [last.part / last.of, before.part / before.of];
  return share < usual * factor ? { percent: percentOf(share), usualPercent: percentOf(usual) } : null;
}

export type Pulse = {
  readonly lastAt: Date | null;
  readonly weekAgo: number;
  readonly twoWeeksAgo: number;
};

/**
 * How many submissions are usual in the last hours, if the supplier is silent in all of them though it is a regular one at this time of
 * the week; null if it is not. A supplier that rests at night or on Sundays is compared with itself.
 */
export function silence(
  { lastAt, weekAgo, twoWeeksAgo }: Pulse,
  { silentHours, usualSubmissions }: { readonly silentHours: number; readonly usualSubmissions: number },
  now: Date,
): number | null {
  if (lastAt === null || now.getTime() - lastAt.getTime() < silentHours * 3_600_000) return null;
  const usual = Math.min(weekAgo, twoWeeksAgo);
  return usual >= Math.max(1, (usualSubmissions * silentHours) / 24) ? usual : null;
}

/** Percent of the day's deliveries that failed, if it is noteworthy; null if it is not. */
export function rejecting(
  { failed, others }: { readonly failed: number; readonly others: number },
  least: { readonly percent: number; readonly failed: number },
): number | null {
  if (failed < least.failed) return null;
  const percent = percentOf(failed / (failed + others));
  return percent >= least.percent ? percent : null;
}

function percentOf(share: number): number {
  return Math.round(share * 100);
}
