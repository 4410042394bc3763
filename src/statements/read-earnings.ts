// Reads what a supplier earns: balance, held and payable amounts, sums by day, and the latest payouts (contract 11.4).
import { strict as assert } from 'node:assert';
import type { LeadId } from '../base/ids.ts';
import { accountKey } from '../ledger/transfer.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import {
  type EarningSums,
  type LeadEarning,
  selectBalances,
  selectEarningDays,
  selectEarningState,
  selectHeld,
  selectLeadEarnings,
} from './earnings.sql.ts';
import { type EarningDay, earningDays } from './earning-days.rules.ts';
import { findPayouts } from './find-payouts.ts';
import { payableCents } from './statement-amounts.rules.ts';
import type { Payout } from './statement.ts';

export type SupplierBalance = {
  /** What the operator owes; below 0 if more was clawed back than earned. */
  readonly balanceCents: number;
  /** The part of the earnings whose hold has not ended. */
  readonly heldCents: number;
  readonly payableCents: number;
};

export type Earnings = SupplierBalance & {
  /** Days of the supplier's time zone, today last. */
  readonly days: readonly EarningDay[];
  readonly totals: EarningSums;
  /** Newest first. */
  readonly payouts: readonly Payout[];
};

const PAYOUTS_SHOWN = 10;

type Zoned = Pick<SupplierConfig, 'supplierKey' | 'timeZone'>;

/** `tx` must be a snapshot. `days` is 1 or more, today included. */
export async function readEarnings(
  tx: Tx,
  supplier: Zoned,
  { days }: { readonly days: number },
  now: Date,
): Promise<Earnings> {
  const { supplierKey, timeZone } = supplier;
  const { range, ...balance } = await readState(tx, supplier, now);
  const window = earningDays(days, timeZone, now);
  const rows =
    range === null ? [] : await tx.query(selectEarningDays, { ...range, from: window.from, until: window.until });
  const payouts = await findPayouts(tx, { supplierKey, after: null, limit: PAYOUTS_SHOWN });
  return { ...balance, ...window.fill(rows), payouts };
}

/** What one of the supplier's leads earned, and what was taken back, oldest first. Null if it has no such lead. */
export async function readLeadEarnings(
  tx: Tx,
  supplierKey: string,
  leadId: LeadId,
): Promise<readonly LeadEarning[] | null> {
  const query = { supplierKey, accountKey: accountKey('supplier', supplierKey), leadId };
  const found = await tx.query(selectLeadEarnings, query);
  return found.length === 0 ? null : found.filter((row) => row.at !== null);
}

const NOTHING_OWED: SupplierBalance = { balanceCents: 0, heldCents: 0, payableCents: 0 };

/** The balance of each supplier, by its key. `tx` must be a snapshot. */
export async function readBalances(
  tx: Tx,
  suppliers: readonly Zoned[],
  now: Date,
): Promise<(supplierKey: string) => SupplierBalance> {
  const rows = await tx.query(selectBalances, {
    supplierKeys: suppliers.map(({ supplierKey }) => supplierKey),
    timeZones: suppliers.map(({ timeZone }) => timeZone),
    todays: suppliers.map(({ timeZone }) => todayIn(timeZone, now)),
  });
  const balances = new Map(rows.map((row) => [row.supplierKey, balanceOf(row)]));
  return (supplierKey) => balances.get(supplierKey) ?? NOTHING_OWED;
}

/** `tx` must be a snapshot. */
export async function readSupplierBalance(tx: Tx, supplier: Zoned, now: Date): Promise<SupplierBalance> {
  const { range: _range, ...balance } = await readState(tx, supplier, now);
  return balance;
}

async function readState(tx: Tx, { supplierKey, timeZone }: Zoned, now: Date) {
  const account = accountKey('supplier', supplierKey);
  const [state] = await tx.query(selectEarningState, { supplierKey, accountKey: account });
  if (state === undefined) return { ...NOTHING_OWED, range: null };
  const { balanceCents, version, folded } = state;
  const range = { supplierKey, accountKey: account, timeZone, after: folded, upTo: version };
  const [held] = await tx.query(selectHeld, { ...range, today: todayIn(timeZone, now) });
  assert(held !== undefined, 'a sum always returns a row');
  return { ...balanceOf({ balanceCents, ...held }), range };
}

function todayIn(timeZone: string, now: Date): string {
  return earningDays(1, timeZone, now).until;
}

/** `heldCents` is below 0 if more of the held days was clawed back than earned. */
function balanceOf(sums: Pick<SupplierBalance, 'balanceCents' | 'heldCents'>): SupplierBalance {
  const { balanceCents } = sums;
  const heldCents = Math.max(0, sums.heldCents);
  return { balanceCents, heldCents, payableCents: payableCents({ totalCents: balanceCents, heldCents }) };
}
