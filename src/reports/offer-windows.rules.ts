// Cap usage and pacing of an offer in its windows: the remaining leads, and whether sales match the open hours (contract 6.5).
import { capWindows, type CapWindow, type Span } from '../base/time.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { LocalDay, LocalDayOf } from '../routing/local-day.rules.ts';
import { exclusion } from '../routing/offer-index.rules.ts';
import type { Offer, WeeklyHours } from '../routing/offer.ts';
import { openSpans, openTime } from '../routing/open-hours.rules.ts';

/** The sales of an offer in one of its windows. */
export type WindowUse = { readonly span: Span; readonly used: number; readonly usedCents: number };
export type WindowUses = Readonly<Record<CapWindow, WindowUse>>;

/** The days of the buyer's zone that a window consists of. */
export type DaysOf = (span: Span, timeZone: string) => readonly LocalDay[];

export type CapState = {
  readonly limit: number;
  readonly used: number;
  /** Never below 0, even if the cap was lowered below the number of sales. */
  readonly remaining: number;
  readonly resetsAt: string;
};

/** `paused` also while the partner takes no leads at all: it is paused or has no delivery target. */
export type OfferAvailability = 'active' | 'paused' | 'capped' | 'closed';

export type PacingState = 'on_pace' | 'ahead' | 'behind' | 'capped';

export type Pacing = {
  readonly offerKey: string;
  readonly window: CapWindow;
  readonly cap: number;
  readonly used: number;
  readonly remaining: number;
  readonly expectedByNow: number;
  readonly projected: number;
  readonly state: PacingState;
  readonly resetsAt: string;
};

// Ahead or behind by more than one lead and more than a tenth of the cap: smaller differences are chance. Even pacing lets an offer run
// one lead ahead, so it is never `ahead`.
const SLACK_LEADS = 1;
const SLACK_SHARE = 0.1;

/** The state of a window's cap; null if it has none. */
export function capState(limit: number | null, { span, used }: WindowUse): CapState | null {
  if (limit === null) return null;
  return { limit, used, remaining: Math.max(0, limit - used), resetsAt: new Date(span.until).toISOString() };
}

/** `capped` means that a cap is exhausted or the rest of a budget does not pay for one more lead. */
export function offerAvailability(offer: Offer, buyer: Buyer, uses: WindowUses): OfferAvailability {
  if (offer.status === 'closed') return 'closed';
  if (exclusion(offer, buyer) !== null) return 'paused';
  const isCapped = capWindows.some((window) => {
    const [cap, budgetCents, { used, usedCents }] = [offer.caps[window], offer.budgetCents[window], uses[window]];
    return (cap !== null && used >= cap) || (budgetCents !== null && usedCents + offer.payoutCents > budgetCents);
  });
  return isCapped ? 'capped' : 'active';
}

/** One entry per window with a cap, shortest first, by the open hours of the schedule, whether the offer is paced or not. */
export function pacingOf(
  offer: Offer,
  uses: WindowUses,
  { daysOf, timeZone, now }: { readonly daysOf: DaysOf; readonly timeZone: string; readonly now: Date },
): Pacing[] {
  return capWindows.flatMap((window) => {
    const state = capState(offer.caps[window], uses[window]);
    if (state === null) return [];
    const { limit: cap, used, remaining, resetsAt } = state;
    const open = openIn(uses[window].span, offer.schedule, { daysOf, timeZone, now });
    const expected = open.total === 0 ? 0 : (cap * open.elapsed) / open.total;
    return [
      {
        offerKey: offer.offerKey,
        window,
        cap,
        used,
        remaining,
        expectedByNow: Math.round(expected),
        projected: projectedUse(used, cap, open),
        state: used >= cap ? 'capped' : paceState(used, expected, cap),
        resetsAt,
      } as const,
    ];
  });
}

type OpenTime = { readonly total: number; readonly elapsed: number };

function openIn(
  span: Span,
  schedule: readonly WeeklyHours[] | null,
  { daysOf, timeZone, now }: { readonly daysOf: DaysOf; readonly timeZone: string; readonly now: Date },
): OpenTime {
  const spans = schedule === null ? [span] : daysOf(span, timeZone).flatMap((day) => openSpans(schedule, day));
  return openTime(spans, now.getTime());
}

/** The sales at the end of the window if its remaining open hours sell like the past ones; at most the cap. */
function projectedUse(used: number, cap: number, { total, elapsed }: OpenTime): number {
  return elapsed === 0 ? used : Math.max(used, Math.min(cap, Math.round((used * total) / elapsed)));
}

function paceState(used: number, expected: number, cap: number): PacingState {
  const slack = Math.max(SLACK_LEADS, cap * SLACK_SHARE);
  if (used > Math.ceil(expected) + slack) return 'ahead';
  return used < Math.floor(expected) - slack ? 'behind' : 'on_pace';
}

// A zone has three windows at a time; most of a larger number belong to past days.
const WINDOWS_KEPT = 1000;

/** Cached: the days of a window are the same for all offers of a zone until it ends, and calendar arithmetic is expensive. */
export function cachedWindowDays(dayOf: LocalDayOf): DaysOf {
  const known = new Map<string, readonly LocalDay[]>();
  return ({ from, until }, timeZone) => {
    const name = `${timeZone} ${from} ${until}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    const days: LocalDay[] = [];
    for (let day = dayOf(new Date(from), timeZone); day.from < until; day = day.next()) days.push(day);
    if (known.size >= WINDOWS_KEPT) known.clear();
    known.set(name, days);
    return days;
  };
}
