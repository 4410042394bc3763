// Plans transfers: source and target account, entries and resulting balances (contract 6.18, 7.7).
import type { ClaimId, DeliveryId, InvoiceId, TransferId } from '../base/ids.ts';

/** On a partner's account. */
export const transferTypes = ['charge', 'credit', 'payment', 'adjustment', 'tax'] as const;
export type TransferType = (typeof transferTypes)[number];
/** On a supplier's account. */
export type SupplierTransferType = 'cost' | 'clawback' | 'payout' | 'adjustment';

type TransferOf<Type extends string> = {
  /** Identifies the business event, e.g. `sale:<delivery>`: money moves once per key, however often the transfer is posted. */
  readonly businessKey: string;
  readonly type: Type;
  /**
   * At least 0, except for an adjustment, where a negative amount debits the partner or supplier, and for a tax, where a negative amount
   * gives tax back. An amount of 0 is not posted.
   */
  readonly amountCents: number;
  /** Visible to the partner or supplier whose account it changes. */
  readonly description: string;
  readonly deliveryId?: DeliveryId;
  readonly returnId?: ClaimId;
  readonly disputeId?: ClaimId;
  readonly invoiceId?: InvoiceId;
};

export type TransferInput = TransferOf<TransferType> & {
  readonly buyerKey: string;
  readonly supplierKey?: undefined;
  /** The hold for this event, released together with the transfer and only by the posting that moves the money. */
  readonly releaseHeldCents?: number;
};

export type SupplierTransferInput = TransferOf<SupplierTransferType> & {
  readonly supplierKey: string;
  readonly buyerKey?: undefined;
  readonly releaseHeldCents?: undefined;
};

export type AnyTransferInput = TransferInput | SupplierTransferInput;

/** A partner's accounts. `buyer` holds the money that the partner has left; the others are its counterparts. */
export type BuyerAccountKind = 'buyer' | 'revenue' | 'cash' | 'adjustment' | 'tax';
/** A supplier's accounts. `supplier` holds what the operator owes the supplier: above 0 until it is paid out. */
export type SupplierAccountKind = 'supplier' | 'cost' | 'payout' | 'supplier_adjustment';
export const accountKinds: readonly BuyerAccountKind[] = ['buyer', 'revenue', 'cash', 'adjustment', 'tax'];
export const supplierAccountKinds: readonly SupplierAccountKind[] = [
  'supplier',
  'cost',
  'payout',
  'supplier_adjustment',
];

/** `ownerKey`: the key of the partner or supplier, as the kind says. */
export function accountKey(kind: BuyerAccountKind | SupplierAccountKind, ownerKey: string): string {
  return `${kind}:${ownerKey}`;
}

/** `amountCents` is above 0. */
export type Move = { readonly fromAccount: string; readonly toAccount: string; readonly amountCents: number };

const COUNTERPARTS = {
  charge: 'revenue',
  credit: 'revenue',
  payment: 'cash',
  adjustment: 'adjustment',
  tax: 'tax',
} as const satisfies Record<TransferType, BuyerAccountKind>;
const SUPPLIER_COUNTERPARTS = {
  cost: 'cost',
  clawback: 'cost',
  payout: 'payout',
  adjustment: 'supplier_adjustment',
} as const satisfies Record<SupplierTransferType, SupplierAccountKind>;

export function moveOf(transfer: AnyTransferInput): Move {
  const [own, other, change] =
    transfer.supplierKey === undefined
      ? [
          accountKey('buyer', transfer.buyerKey),
          accountKey(COUNTERPARTS[transfer.type], transfer.buyerKey),
          buyerChange(transfer),
        ]
      : [
          accountKey('supplier', transfer.supplierKey),
          accountKey(SUPPLIER_COUNTERPARTS[transfer.type], transfer.supplierKey),
          supplierChange(transfer),
        ];
  return change < 0
    ? { fromAccount: own, toAccount: other, amountCents: -change }
    : { fromAccount: other, toAccount: own, amountCents: change };
}

/** The change of the buyer's balance in cents: negative for a charge and for tax, positive for a credit or payment. */
export function buyerChange({ type, amountCents }: Pick<TransferInput, 'type' | 'amountCents'>): number {
  return type === 'charge' || type === 'tax' ? -amountCents : amountCents;
}

/** The change of what the operator owes the supplier, in cents: positive for a cost, negative for a claw-back and a payout. */
export function supplierChange({ type, amountCents }: Pick<SupplierTransferInput, 'type' | 'amountCents'>): number {
  return type === 'clawback' || type === 'payout' ? -amountCents : amountCents;
}

/** The reason why a transfer is invalid, or null. */
export function transferError({
  businessKey,
  type,
  amountCents,
  releaseHeldCents = 0,
}: AnyTransferInput): string | null {
  if (businessKey === '') return 'its business key is empty';
  if (!Number.isSafeInteger(amountCents)) return 'its amount is not a whole number of cents';
  if (amountCents < 0 && type !== 'adjustment' && type !== 'tax') return `a ${type} cannot have a negative amount`;
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
export type NewTransfer<Input = AnyTransferInput> = Input & { readonly transferId: TransferId };

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
export function accountsOf(transfers: readonly AnyTransferInput[]): Set<string> {
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
    const held = buyerKey === undefined ? null : accountKey('buyer', buyerKey);
    for (const [key, change] of [[fromAccount, -amountCents] as const, [toAccount, amountCents] as const]) {
      const after = afterEntry(stateOf(key), change, key === held ? releaseHeldCents : 0);
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
