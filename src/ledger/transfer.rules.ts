// Plans transfers: source and target account, entries and resulting balances (contract 6.18, 7.7).
import type { ClaimId, DeliveryId, InvoiceId, TransferId } from '../base/ids.ts';

export type TransferType = 'charge' | 'credit' | 'payment' | 'adjustment';

export type TransferInput = {
  /** Identifies the business event, e.g. `sale:<delivery>`: money moves once per key, however often the transfer is posted. */
  readonly businessKey: string;
  readonly type: TransferType;
  readonly buyerKey: string;
  /** At least 0, except for an adjustment, where a negative amount debits the buyer. An amount of 0 is not posted. */
  readonly amountCents: number;
  /** Visible to the buyer. */
  readonly description: string;
  readonly deliveryId?: DeliveryId;
  readonly returnId?: ClaimId;
  readonly disputeId?: ClaimId;
  readonly invoiceId?: InvoiceId;
  /** The hold for this event, released together with the transfer and only by the posting that moves the money. */
  readonly releaseHeldCents?: number;
};

export type AccountKind = 'buyer' | 'revenue' | 'cash' | 'adjustment';
export const accountKinds: readonly AccountKind[] = ['buyer', 'revenue', 'cash', 'adjustment'];

export function accountKey(kind: AccountKind, buyerKey: string): string {
  return `${kind}:${buyerKey}`;
}

/** `amountCents` is above 0. */
export type Move = { readonly fromAccount: string; readonly toAccount: string; readonly amountCents: number };

export function moveOf(transfer: TransferInput): Move {
  const { buyerKey, type } = transfer;
  const change = buyerChange(transfer);
  const buyer = accountKey('buyer', buyerKey);
  const other = accountKey(
    type === 'charge' || type === 'credit' ? 'revenue' : type === 'payment' ? 'cash' : 'adjustment',
    buyerKey,
  );
  return change < 0
    ? { fromAccount: buyer, toAccount: other, amountCents: -change }
    : { fromAccount: other, toAccount: buyer, amountCents: change };
}

/** The change of the buyer's balance in cents: negative for a charge, positive for a credit or payment. */
export function buyerChange({ type, amountCents }: Pick<TransferInput, 'type' | 'amountCents'>): number {
  return type === 'charge' ? -amountCents : amountCents;
}

/** The reason why a transfer is invalid, or null. */
export function transferError({ businessKey, type, amountCents, releaseHeldCents = 0 }: TransferInput): string | null {
  if (businessKey === '') return 'its business key is empty';
  if (!Number.isSafeInteger(amountCents)) return 'its amount is not a whole number of cents';
  if (amountCents < 0 && type !== 'adjustment') return `a ${type} cannot have a negative amount`;
  if (!Number.isSafeInteger(releaseHeldCents) || releaseHeldCents < 0)
    return 'its released amount is not a whole number of cents of 0 or more';
  // An amount of 0 leaves no row, so a repeat would release again.
  if (releaseHeldCents > 0 && amountCents === 0) return 'it releases a hold but moves no money';
  return null;
}

/** The balance of an account, and the part of it that is held for pending deliveries. */
export type Funds = { readonly balanceCents: number; readonly heldCents: number };

/** `version` counts the entries of the account. */
export type AccountState = Funds & { readonly version: number };

/** A transfer that is new to the ledger, with its id. */
export type NewTransfer = TransferInput & { readonly transferId: TransferId };

export type PlannedEntry = {
  readonly transferId: TransferId;
  readonly accountKey: string;
  /** The number of the entry in its account, from 1 without a gap. */
  readonly accountVersion: number;
  readonly amountCents: number;
  readonly balanceAfterCents: number;
};

export type Plan = {
  /** Two per transfer, in the order of the transfers: first the debited account, then the credited one. */
  readonly entries: readonly PlannedEntry[];
  /** New states of the accounts that change. */
  readonly accounts: ReadonlyMap<string, AccountState>;
};

/** Keys of all accounts that the transfers change. */
export function accountsOf(transfers: readonly TransferInput[]): Set<string> {
  return new Set(transfers.map(moveOf).flatMap(({ fromAccount, toAccount }) => [fromAccount, toAccount]));
}

/**
 * `holds` are additional holds by buyer key. Throws if an account is missing from `accounts` or more is released than is held: both are
 * errors of the caller, and no money may move then.
 */
export function planEntries(
  transfers: readonly NewTransfer[],
  accounts: ReadonlyMap<string, AccountState>,
  holds: ReadonlyMap<string, number> = new Map(),
): Plan {
  const entries: PlannedEntry[] = [];
  const touched = new Map<string, AccountState>();
  const stateOf = (key: string): AccountState => {
    const state = touched.get(key) ?? accounts.get(key);
    if (state === undefined) throw new Error(`the account ${key} is not open`);
    return state;
  };
  for (const transfer of transfers) {
    const { transferId, buyerKey, releaseHeldCents = 0 } = transfer;
    const { fromAccount, toAccount, amountCents } = moveOf(transfer);
    for (const [key, change] of [[fromAccount, -amountCents] as const, [toAccount, amountCents] as const]) {
      const after = afterEntry(stateOf(key), change, key === accountKey('buyer', buyerKey) ? releaseHeldCents : 0);
      if (after.heldCents < 0) throw new Error(`more is released on ${key} than is held`);
      touched.set(key, after);
      entries.push({
        transferId,
        accountKey: key,
        accountVersion: after.version,
        amountCents: change,
        balanceAfterCents: after.balanceCents,
      });
    }
  }
  for (const [buyerKey, cents] of holds) {
    if (!Number.isSafeInteger(cents) || cents < 0)
      throw new Error(`the hold for ${buyerKey} is not a whole number of cents of 0 or more`);
    const key = accountKey('buyer', buyerKey);
    const before = stateOf(key);
    if (cents > 0) touched.set(key, { ...before, heldCents: before.heldCents + cents });
  }
  return { entries, accounts: touched };
}

function afterEntry(before: AccountState, changeCents: number, releasedCents: number): AccountState {
  return {
    balanceCents: before.balanceCents + changeCents,
    heldCents: before.heldCents - releasedCents,
    version: before.version + 1,
  };
}
