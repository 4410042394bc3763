// Types of supplier statements and payouts: what a supplier earned in a calendar month of its time zone (contract 11.3).
import type { StatementId, TransferId } from '../base/ids.ts';

/** What an entry of a supplier's account is: a lead that was paid for, a return clawed back, a payout, or a correction by the operator. */
export const lineKinds = ['earned', 'clawed_back', 'paid_out', 'adjusted'] as const;
export type LineKind = (typeof lineKinds)[number];

/** In cents. The total is what the operator owes: carried + earned − clawed back − paid out + adjusted. */
export type StatementAmounts = {
  /** The balance before the statement. Below 0 if more was clawed back than earned. */
  readonly carriedCents: number;
  /** The number of sales that were paid for. A lead that was sold twice may count twice. */
  readonly leads: number;
  readonly earnedCents: number;
  readonly clawedBackCents: number;
  readonly paidOutCents: number;
  readonly adjustedCents: number;
  readonly totalCents: number;
  /** The part of the total whose hold ended after the month. */
  readonly heldCents: number;
};

/** By time of issue or amount, from the earliest or lowest on, or with `-` from the latest or highest on. */
export const statementOrders = [
  'issued',
  '-issued',
  'earned',
  '-earned',
  'total',
  '-total',
  'payable',
  '-payable',
] as const;
export type StatementOrder = (typeof statementOrders)[number];

/** Fixed at issue. */
export type SupplierStatement = StatementAmounts & {
  readonly statementId: StatementId;
  readonly number: string;
  readonly supplierKey: string;
  /** `YYYY-MM` in `timeZone`. */
  readonly month: string;
  readonly timeZone: string;
  readonly startsAt: Date;
  /** Exclusive. */
  readonly endsAt: Date;
  readonly operatorName: string;
  readonly supplierName: string;
  readonly currency: string;
  /** The entries of the supplier's account on this statement, both inclusive. */
  readonly fromVersion: number;
  readonly upToVersion: number;
  readonly issuedAt: Date;
};

/** The entries of one kind on one day of the month, in the account's sign; day 0 is before the month. */
export type StatementItem = {
  readonly day: number;
  readonly kind: LineKind;
  readonly quantity: number;
  readonly amountCents: number;
};

/** By time of recording or amount, from the earliest or lowest on, or with `-` from the latest or highest on. */
export const payoutOrders = ['recorded', '-recorded', 'amount', '-amount'] as const;
export type PayoutOrder = (typeof payoutOrders)[number];

export type Payout = {
  readonly transferId: TransferId;
  readonly supplierKey: string;
  readonly reference: string;
  readonly amountCents: number;
  readonly balanceAfterCents: number;
  readonly recordedAt: Date;
};

export type StatementDetail = {
  readonly statement: SupplierStatement;
  readonly items: readonly StatementItem[];
  /** Oldest first, limited to the number that a document lists. */
  readonly payouts: readonly Payout[];
};

/** The length of a reference in characters. */
export const PAYOUT_REFERENCE_MAX = 100;
