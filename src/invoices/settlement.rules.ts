// Computes the amounts of an invoice: total, part paid from the balance, and amount due (contract 6.19).
import { DAY_MS } from '../base/time.ts';

/** The balance of a partner at one instant, in cents. */
export type BalanceSummary = {
  readonly balanceCents: number;
  /** Amount due of all unpaid invoices. */
  readonly dueCents: number;
  /** Charges and credits that are not invoiced yet. */
  readonly unbilledChargesCents: number;
  readonly unbilledCreditsCents: number;
  /** Carried to an invoice that is not issued yet. */
  readonly carriedCents: number;
};

/**
 * The available balance: advance payments and adjustments that neither pay an invoice nor belong to transfers not invoiced yet. Negative if
 * an adjustment exceeds the balance.
 */
export function freeCents(balance: BalanceSummary): number {
  const { balanceCents, dueCents, unbilledChargesCents, unbilledCreditsCents, carriedCents } = balance;
  return balanceCents + dueCents + unbilledChargesCents - unbilledCreditsCents - carriedCents;
}

export type Amounts = {
  readonly subtotalCents: number;
  readonly creditsCents: number;
  /** Carried from earlier invoices, and carried to the next one. */
  readonly carriedInCents: number;
  readonly carriedOutCents: number;
  /** On charges − credits − carried in, where that is above 0. */
  readonly taxCents: number;
  /** With tax. */
  readonly totalCents: number;
  readonly fromBalanceCents: number;
  readonly amountDueCents: number;
};

/**
 * Amounts at issue: the available balance pays as much as possible. An excess of credits over charges is carried to the next invoice, so
 * that no total is negative. `taxBasisPoints` in hundredths of a percent.
 */
export function amountsAtIssue(
  { subtotalCents, creditsCents, carriedInCents }: Pick<Amounts, 'subtotalCents' | 'creditsCents' | 'carriedInCents'>,
  { freeCents: free, taxBasisPoints }: { readonly freeCents: number; readonly taxBasisPoints: number },
): Amounts {
  const differenceCents = subtotalCents - creditsCents - carriedInCents;
  const netCents = Math.max(0, differenceCents);
  const carriedOutCents = netCents - differenceCents;
  const taxCents = taxOn(netCents, taxBasisPoints);
  const totalCents = netCents + taxCents;
  const fromBalanceCents = Math.min(totalCents, Math.max(0, free));
  const amountDueCents = totalCents - fromBalanceCents;
  return {
    ...{ subtotalCents, creditsCents, carriedInCents, carriedOutCents },
    ...{ taxCents, totalCents, fromBalanceCents, amountDueCents },
  };
}

/** Half up in whole cents. The product of a large net amount is beyond the safe integers. */
export function taxOn(netCents: number, taxBasisPoints: number): number {
  return Number((BigInt(netCents) * BigInt(taxBasisPoints) + 5000n) / 10_000n);
}

/** Payment terms are in days of 24 hours. */
export function dueAfter(issuedAt: Date, dueDays: number): Date {
  return new Date(issuedAt.getTime() + dueDays * DAY_MS);
}

/** `INV-2026-000001`, numbered per year of issue in UTC. */
export function invoiceNumber(year: number, count: number): string {
  return `INV-${year}-${String(count).padStart(6, '0')}`;
}
