// Available funds of partners, and the sort orders of their accounts (contract 4.7).

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

/** `available`: least available funds first; `balance`: highest debt first. */
export type AccountOrder = 'name' | 'available' | 'balance';
export const accountOrders: readonly AccountOrder[] = ['name', 'available', 'balance'];

/** Balance plus credit limit minus holds: the maximum price of the next sale. Null for no limit. */
export function availableCents({ balanceCents, heldCents, creditLimitCents }: AccountFunds): number | null {
  return creditLimitCents === null ? null : balanceCents + creditLimitCents - heldCents;
}

/** A sorted copy; ties are sorted by name. */
export function ordered<Account extends AccountFacts>(accounts: readonly Account[], order: AccountOrder): Account[] {
  const byName = accounts.toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
  if (order === 'name') return byName;
  const size = ({ balanceCents, availableCents: available }: Account): number =>
    order === 'balance' ? balanceCents : (available ?? Number.MAX_SAFE_INTEGER);
  return byName.toSorted((one, other) => size(one) - size(other));
}
