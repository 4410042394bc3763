// Decides which buyers' offers pause because the available funds are low, and which go on (contract 4.7).
import type { Funds } from '../ledger/transfer.rules.ts';
import type { Buyer } from './buyer.ts';

export type FundsPause = {
  readonly buyerKey: string;
  readonly isPaused: boolean;
  readonly availableCents: number;
  /** Null if the threshold was removed while the offers were paused. */
  readonly belowCents: number | null;
};

/** The buyers whose state changes. Without a credit limit the balance itself is compared. Buyers without an account have a balance of 0. */
export function changedPauses(
  buyers: ReadonlyArray<Pick<Buyer, 'buyerKey' | 'billing' | 'fundsPausedAt'>>,
  funds: ReadonlyMap<string, Funds>,
): FundsPause[] {
  return buyers.flatMap(({ buyerKey, billing, fundsPausedAt }) => {
    const { balanceCents, heldCents } = funds.get(buyerKey) ?? { balanceCents: 0, heldCents: 0 };
    const availableCents = balanceCents + (billing.creditLimitCents ?? 0) - heldCents;
    const belowCents = billing.pauseBelowCents;
    const isPaused = belowCents !== null && availableCents < belowCents;
    return isPaused === (fundsPausedAt !== null) ? [] : [{ buyerKey, isPaused, availableCents, belowCents }];
  });
}
