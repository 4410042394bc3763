// Sums up a supplier's counts by status: totals, acceptance rate and average score (contract 3.9).
import type { PublicStatus } from '../leads/stored-lead.ts';

/** Leads of one status: how many, how many of them have a score (all accepted ones), and the sum of the scores. */
export type StatusCount = {
  readonly publicStatus: PublicStatus;
  readonly leads: number;
  readonly scored: number;
  readonly scoreSum: number;
};

export type SupplierTotals = {
  readonly totals: {
    /** routed + rejected + pending, always. */
    readonly submitted: number;
    readonly routed: number;
    readonly rejected: number;
    readonly pending: number;
    /** Percent with one decimal. */
    readonly acceptanceRate: number;
    /** One decimal. */
    readonly avgScore: number;
  };
  /** Without zeros; sums to `submitted`. */
  readonly byStatus: Readonly<Partial<Record<PublicStatus, number>>>;
};

// The order is that of `byStatus`.
const KINDS = {
  'Lead Sale': 'routed',
  'Calendar Assigned': 'routed',
  Pending: 'pending',
  Duplicate: 'rejected',
  'No Buyer': 'rejected',
  Invalid: 'rejected',
  Suppressed: 'rejected',
} as const satisfies Record<PublicStatus, 'routed' | 'rejected' | 'pending'>;
const STATUSES = Object.keys(KINDS) as PublicStatus[];

/** At most one count per status. */
export function supplierTotals(counts: readonly StatusCount[]): SupplierTotals {
  const leadsOf = (kind: (typeof KINDS)[PublicStatus]): number =>
    sum(counts.filter(({ publicStatus }) => KINDS[publicStatus] === kind).map(({ leads }) => leads));
  const [routed, rejected, pending] = [leadsOf('routed'), leadsOf('rejected'), leadsOf('pending')];
  const submitted = routed + rejected + pending;
  const scored = sum(counts.map((count) => count.scored));
  const known = new Map(counts.map(({ publicStatus, leads }) => [publicStatus, leads]));
  return {
    totals: {
      submitted,
      routed,
      rejected,
      pending,
      acceptanceRate: oneDecimal(100 * routed, submitted),
      avgScore: oneDecimal(sum(counts.map((count) => count.scoreSum)), scored),
    },
    byStatus: Object.fromEntries(
      STATUSES.map((status) => [status, known.get(status) ?? 0] as const).filter(([, leads]) => leads !== 0),
    ),
  };
}

/** Halves are rounded up; 0 for a divisor of 0. */
export function oneDecimal(dividend: number, divisor: number): number {
  return divisor === 0 ? 0 : Math.round((10 * dividend) / divisor) / 10;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
