// Computes the amounts of an invoice: total, part paid from the balance, and amount due (contract 6.19).
import { DAY_MS } from '../base/time.ts';

/** Payment terms in days of 24 hours: two weeks are common for monthly invoices. */
const NET_DAYS = 14;

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
  readonly totalCents: number;
  readonly fromBalanceCents: number;
  readonly amountDueCents: number;
};

/**
 * Amounts at issue: the available balance pays as much as possible. An excess of credits over charges is carried to the next invoice, so
 * that no total is negative.
 */
export function amountsAtIssue(
  { subtotalCents, creditsCents, carriedInCents }: Pick<Amounts, 'subtotalCents' | 'creditsCents' | 'carriedInCents'>,
  free: number,
): Amounts {
  const differenceCents = subtotalCents - creditsCents - carriedInCents;
  const totalCents = Math.max(0, differenceCents);
  const carriedOutCents = totalCents - differenceCents;
  const fromBalanceCents = Math.min(totalCents, Math.max(0, free));
  const amountDueCents = totalCents - fromBalanceCents;
  return {
    ...{ subtotalCents, creditsCents, carriedInCents, carriedOutCents },
    ...{ totalCents, fromBalanceCents, amountDueCents },
  };
}

export function dueAfter(issuedAt: Date): Date {
  return new Date(issuedAt.getTime() + NET_DAYS * DAY_MS);
}

/** `INV-2026-000001`, numbered per year of issue in UTC. */
export function invoiceNumber(year: number, count: number): string {
  return `INV-${year}-${String(count).padStart(6, '0')}`;
}
