// Computes the amounts of a supplier's statement from its entries, and formats its number (contract 11.3).
import type { LineKind, StatementAmounts, StatementItem } from './statement.ts';

/** `carriedCents`: the balance before the entries. `heldCents` may exceed the total if a payout was made during the hold. */
export function statementAmounts(
  items: readonly StatementItem[],
  { carriedCents, heldCents }: Pick<StatementAmounts, 'carriedCents' | 'heldCents'>,
): StatementAmounts {
  const sum = (kind: LineKind): number =>
    items.filter((item) => item.kind === kind).reduce((total, { amountCents }) => total + amountCents, 0);
  const leads = items.filter(({ kind }) => kind === 'earned').reduce((total, { quantity }) => total + quantity, 0);
  const earnedCents = sum('earned');
  // Without the sign that they have in the account.
  const clawedBackCents = 0 - sum('clawed_back');
  const paidOutCents = 0 - sum('paid_out');
  const adjustedCents = sum('adjusted');
  const totalCents = carriedCents + earnedCents - clawedBackCents - paidOutCents + adjustedCents;
  return {
    ...{ carriedCents, leads, earnedCents, clawedBackCents, paidOutCents, adjustedCents, totalCents },
    heldCents: Math.max(0, heldCents),
  };
}

/** What can be paid out of a balance: the part that is not held. */
export function payableCents({ totalCents, heldCents }: Pick<StatementAmounts, 'totalCents' | 'heldCents'>): number {
  return Math.max(0, totalCents - heldCents);
}

/** `ST-2026-000001`, numbered per year of issue in UTC. */
export function statementNumber(year: number, count: number): string {
  return `ST-${year}-${String(count).padStart(6, '0')}`;
}
