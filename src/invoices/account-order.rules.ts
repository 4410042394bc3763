// What a partner may still spend, and in which order accounts are shown (contract 4.7).

export type AccountFunds = {
  readonly balanceCents: number;
  readonly heldCents: number;
  /** How far the balance may go below 0; null for no limit. */
  readonly creditLimitCents: number | null;
};

export type AccountFacts = AccountFunds & {
  readonly name: string;
  /** Null for no limit. */
  readonly availableCents: number | null;
};

/** `available`: who is closest to the end first; `balance`: who owes the most first. */
export type AccountOrder = 'name' | 'available' | 'balance';
export const accountOrders: readonly AccountOrder[] = ['name', 'available', 'balance'];

/** Balance and credit less what is promised to deliveries under way: what the next sale may cost. */
export function availableCents({ balanceCents, heldCents, creditLimitCents }: AccountFunds): number | null {
  return creditLimitCents === null ? null : balanceCents + creditLimitCents - heldCents;
}

/** A new list; equal ones are in the order of their names. */
export function ordered<Account extends AccountFacts>(accounts: readonly Account[], order: AccountOrder): Account[] {
  const byName = accounts.toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
  if (order === 'name') return byName;
  const size = ({ balanceCents, availableCents: available }: Account): number =>
    order === 'balance' ? balanceCents : (available ?? Number.MAX_SAFE_INTEGER);
  return byName.toSorted((one, other) => size(one) - size(other));
}
