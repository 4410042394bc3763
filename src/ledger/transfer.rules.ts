// What a transfer does to the accounts: from where to where, which entries it leaves, and which balances follow (contract 6.18, 7.7).
import type { Uuid, InvoiceId, DeliveryId, TransferId } from '../base/ids.ts';

export type TransferType = 'charge' | 'credit' | 'payment' | 'adjustment';

export type TransferInput = {
  /** Names the business event, e.g. `sale:<delivery>`: money for it moves once, however often the transfer is posted. */
  readonly businessKey: string;
  readonly type: TransferType;
  readonly buyerKey: string;
  /** Not below 0, but for an adjustment, where that takes from the buyer. 0 moves nothing and leaves nothing. */
  readonly amountCents: number;
  /** The buyer sees it. */
  readonly description: string;
  readonly deliveryId?: DeliveryId;
  readonly returnId?: Uuid;
  readonly disputeId?: Uuid;
  readonly invoiceId?: InvoiceId;
  /** Held for this very event: given free together with the transfer, and only by the posting that moves the money. */
  readonly releaseHeldCents?: number;
};

export type AccountKind = 'buyer' | 'revenue' | 'cash' | 'adjustment';
export const accountKinds: readonly AccountKind[] = ['buyer', 'revenue', 'cash', 'adjustment'];

export function accountKey(kind: AccountKind, buyerKey: string): string {
  return `${kind}:${buyerKey}`;
}

/** `amountCents` is above 0: it leaves one account and reaches the other. */
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

/** The buyer's side of the transfer in cents: a charge takes, a credit and a payment give. */
export function buyerChange({ type, amountCents }: Pick<TransferInput, 'type' | 'amountCents'>): number {
  return type === 'charge' ? -amountCents : amountCents;
}

/** Why this can be no transfer; null when it can. */
export function faultOf({ businessKey, type, amountCents, releaseHeldCents = 0 }: TransferInput): string | null {
  if (businessKey === '') return 'it has no business key';
  if (!Number.isSafeInteger(amountCents)) return 'its amount is no number of cents';
  if (amountCents < 0 && type !== 'adjustment') return `its amount is negative, which no ${type} can be`;
  if (!Number.isSafeInteger(releaseHeldCents) || releaseHeldCents < 0) return 'it releases no number of cents';
  // Nothing would remember that it was released.
  if (releaseHeldCents > 0 && amountCents === 0) return 'it releases money and moves none';
  return null;
}

export type AccountState = { readonly balanceCents: number; readonly heldCents: number; readonly version: number };

/** A transfer that is new to the ledger, under the id that it gets there. */
export type NewTransfer = TransferInput & { readonly transferId: TransferId };

export type PlannedEntry = {
  readonly transferId: TransferId;
  readonly accountKey: string;
  /** Counts an account's entries from 1 without a gap. */
  readonly accountVersion: number;
  readonly amountCents: number;
  readonly balanceAfterCents: number;
};

export type Plan = {
  /** Two per transfer, in the order of the transfers: the giving account's, then the receiving one's. */
  readonly entries: readonly PlannedEntry[];
  /** The accounts as they stand afterwards, those only that are touched. */
  readonly accounts: ReadonlyMap<string, AccountState>;
};

/** The accounts that transfers move money between. */
export function accountsOf(transfers: readonly TransferInput[]): Set<string> {
  return new Set(transfers.map(moveOf).flatMap(({ fromAccount, toAccount }) => [fromAccount, toAccount]));
}

/**
 * `holds`, by buyer key, is promised on top. Throws where an account is not among `accounts` or where more is released than is held:
 * both mean that a caller has lost count, and no money may move then.
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
    if (!Number.isSafeInteger(cents) || cents < 0) throw new Error(`what is held of ${buyerKey} is no number of cents`);
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
