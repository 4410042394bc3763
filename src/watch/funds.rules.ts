// Says whether a partner's funds are low (contract 12.3).
import { centsOf } from '../base/money.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { Funds } from '../ledger/transfer.rules.ts';

/** Funds are well again a fifth above the threshold, so that a balance that swings about it raises one notice. */
const WELL_AT = 1.2;

/** `between`: neither low nor well, so what held before goes on. `threshold` in the marketplace's currency; null for none. */
export function lowFunds(
  { billing }: Pick<Buyer, 'billing'>,
  funds: Funds | undefined,
  threshold: number | null,
): { readonly is: 'low' | 'between' | 'well'; readonly availableCents: number; readonly thresholdCents: number } {
  const { balanceCents, heldCents } = funds ?? { balanceCents: 0, heldCents: 0 };
  const availableCents = balanceCents + (billing.creditLimitCents ?? 0) - heldCents;
  const thresholdCents = centsOf(threshold ?? 0);
  const hasFunds = billing.mode === 'prepaid' || billing.creditLimitCents !== null;
  if (threshold === null || !hasFunds) return { is: 'well', availableCents, thresholdCents };
  const is = availableCents < thresholdCents ? 'low' : availableCents >= thresholdCents * WELL_AT ? 'well' : 'between';
  return { is, availableCents, thresholdCents };
}
