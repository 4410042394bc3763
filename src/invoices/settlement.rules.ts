// What is due of an invoice: the total less what the partner has left, and less what it pays (contract 6.19).
import { DAY_MS } from '../base/time.ts';

/** Payment is due so many days of 24 hours after issue: two weeks are what partners who buy by the month are used to. */
const NET_DAYS = 14;

/** A partner's money at one instant, in cents. */
export type BalanceSummary = {
  readonly balanceCents: number;
  /** Of all invoices that are not paid. */
  readonly dueCents: number;
  /** Charges and credits that stand on no invoice yet. */
  readonly unbilledChargesCents: number;
  readonly unbilledCreditsCents: number;
  /** What invoices carry to one that has not been issued yet. */
  readonly carriedCents: number;
};

/**
 * Money of the partner that neither pays an invoice nor belongs to sales and credits which are not invoiced yet: advance payments and
 * adjustments. Below 0 where an adjustment took more than there was.
 */
export function freeCents(balance: BalanceSummary): number {
  const { balanceCents, dueCents, unbilledChargesCents, unbilledCreditsCents, carriedCents } = balance;
  return balanceCents + dueCents + unbilledChargesCents - unbilledCreditsCents - carriedCents;
}

export type Amounts = {
  readonly subtotalCents: number;
  readonly creditsCents: number;
  /** What earlier invoices carried to this one, and what this one carries to the next. */
  readonly carriedInCents: number;
  readonly carriedOutCents: number;
  readonly totalCents: number;
  readonly fromBalanceCents: number;
  readonly amountDueCents: number;
};

/**
 * The amounts of an invoice at its issue: what is free of the partner's money covers it as far as it goes. What the credits exceed the
 * charges by is carried to the next invoice, so that no total is below 0.
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

/** `INV-2026-000001`: counted within the year of issue, by UTC. */
export function invoiceNumber(year: number, count: number): string {
  return `INV-${year}-${String(count).padStart(6, '0')}`;
}
