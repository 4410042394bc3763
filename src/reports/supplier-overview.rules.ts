// Sums up a supplier's counts for its overview: by day, by score, and by the reasons for unsold leads (contract 3.3, 4.1).
import { type ReasonText, knownReasons, describeReason, describeStatus } from '../leads/reason-texts.rules.ts';
import { SCORE_TENS } from '../leads/score-tens.ts';
import type { PublicStatus } from '../leads/stored-lead.ts';
import { oneDecimal, type StatusCount, supplierTotals, type SupplierTotals } from './supplier-totals.rules.ts';

export type DayCount = StatusCount & {
  /** `YYYY-MM-DD`. */
  readonly day: string;
};

export type OverviewTotals = SupplierTotals['totals'] & {
  /** Submitted leads that passed the checks. */
  readonly accepted: number;
  /** Percent of submitted with one decimal. */
  readonly acceptedRate: number;
};

export type CountedReason = ReasonText & {
  readonly leads: number;
  /** Percent of submitted with one decimal. */
  readonly share: number;
};

export type OverviewCounts = {
  /** Every day of the window, oldest first. */
  readonly window: readonly string[];
  readonly byDay: readonly DayCount[];
  /** In the order of the tens. */
  readonly scores: readonly number[];
  readonly refusals: ReadonlyArray<{ readonly reason: string; readonly leads: number }>;
};

export type OverviewFigures = {
  readonly totals: OverviewTotals;
  readonly byStatus: Array<{ readonly status: PublicStatus; readonly leads: number; readonly meaning: string }>;
  readonly byDay: Array<{ readonly date: string } & OverviewTotals>;
  /** `to` is inclusive. */
  readonly scores: Array<{ readonly from: number; readonly to: number; readonly leads: number }>;
  readonly rejections: {
    /** Most frequent first. A submission with several errors counts under each, so the sum may exceed the number of rejections. */
    readonly atIngest: CountedReason[];
    readonly afterwards: Array<CountedReason & { readonly status: PublicStatus }>;
  };
};

const AFTERWARDS = [
  { status: 'Duplicate', reason: 'duplicate' },
  { status: 'No Buyer', reason: 'no_buyer' },
  { status: 'Suppressed', reason: 'suppressed' },
] as const satisfies ReadonlyArray<{ status: PublicStatus; reason: string }>;

export function supplierOverview({ window, byDay, scores, refusals }: OverviewCounts): OverviewFigures {
  const whole = supplierTotals(sumsByStatus(byDay));
  const { submitted } = whole.totals;
  const counted = (reason: string, leads: number): CountedReason => ({
    ...describeReason(reason),
    leads,
    share: oneDecimal(100 * leads, submitted),
  });
  return {
    totals: withAccepted(whole),
    byStatus: Object.entries(whole.byStatus).map(([status, leads]) => ({
      status: status as PublicStatus,
      leads,
      meaning: describeStatus(status as PublicStatus, false),
    })),
    byDay: window.map((date) => ({
      date,
      ...withAccepted(supplierTotals(byDay.filter(({ day }) => day === date))),
    })),
    scores: SCORE_TENS.map((from, index) => ({
      from,
      to: index === SCORE_TENS.length - 1 ? 100 : from + 9,
      leads: scores[index] ?? 0,
    })),
    rejections: {
      atIngest: refusals
        .filter(({ leads }) => leads > 0)
        .toSorted((one, other) => other.leads - one.leads || rankOf(one.reason) - rankOf(other.reason))
        .map(({ reason, leads }) => counted(reason, leads)),
      afterwards: AFTERWARDS.map(({ status, reason }) => ({
        status,
        ...counted(reason, whole.byStatus[status] ?? 0),
      })).filter(({ leads }) => leads > 0),
    },
  };
}

function withAccepted({ totals, byStatus }: SupplierTotals): OverviewTotals {
  const accepted = totals.submitted - (byStatus.Invalid ?? 0);
  return { ...totals, accepted, acceptedRate: oneDecimal(100 * accepted, totals.submitted) };
}

function sumsByStatus(counts: readonly DayCount[]): StatusCount[] {
  const sums = new Map<PublicStatus, StatusCount>();
  for (const { publicStatus, leads, scored, scoreSum } of counts) {
    const known = sums.get(publicStatus);
    sums.set(publicStatus, {
      publicStatus,
      leads: leads + (known?.leads ?? 0),
      scored: scored + (known?.scored ?? 0),
      scoreSum: scoreSum + (known?.scoreSum ?? 0),
    });
  }
  return [...sums.values()];
}

/** The order of reasons with equal counts; unknown reasons come last. */
function rankOf(reason: string): number {
  const rank = knownReasons.indexOf(reason);
  return rank === -1 ? knownReasons.length : rank;
}
