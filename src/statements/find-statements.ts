// Reads statements: for operators by number or id, for suppliers their own, and the details of a document (contract 11.3, 11.4).
import { strict as assert } from 'node:assert';
import { type StatementId, uuidOf } from '../base/ids.ts';
import { NEWEST, type TimePosition } from '../base/time-position.ts';
import { accountKey } from '../ledger/transfer.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { payoutsBetween } from './payout.sql.ts';
import {
  byId,
  byNumber,
  countStatements,
  itemsOf,
  ofSupplierById,
  pagesOfStatements,
  statementsAfter,
} from './statement.sql.ts';
import type { StatementDetail, StatementOrder, SupplierStatement } from './statement.ts';

/** Null members are no condition. `month`: `YYYY-MM`. */
export type StatementFilter = { readonly supplierKey: string | null; readonly month: string | null };

/** Over all statements that match. */
export type StatementSums = { readonly total: number; readonly earnedCents: number; readonly totalCents: number };

export type StatementList = StatementSums & { readonly statements: readonly SupplierStatement[] };

export type StatementPage = StatementFilter & {
  readonly order: StatementOrder;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
};

export async function listStatements(
  tx: Tx,
  { page, pageSize, order, ...filter }: StatementPage,
): Promise<StatementList> {
  const sums = await sumStatements(tx, filter);
  const offset = (page - 1) * pageSize;
  const statements =
    offset >= sums.total ? [] : await tx.query(pagesOfStatements[order], { ...filter, offset, limit: pageSize });
  return { ...sums, statements };
}

export async function sumStatements(tx: Tx, filter: StatementFilter): Promise<StatementSums> {
  const [sums] = await tx.query(countStatements, filter);
  assert(sums !== undefined, 'a sum has always a row');
  return sums;
}

/** Newest first, starting after `after`. */
export async function findStatements(
  tx: Tx,
  { after, limit, ...filter }: StatementFilter & { readonly after: TimePosition | null; readonly limit: number },
): Promise<SupplierStatement[]> {
  const { at, id } = after ?? NEWEST;
  return tx.query(statementsAfter, { ...filter, at, id, limit });
}

/** `name` is a number (`ST-…`) or an id (`stm_…`). Null if there is no such statement. */
export async function findStatement(tx: Tx, name: string): Promise<SupplierStatement | null> {
  const statementId = uuidOf('statement', name);
  const [found] =
    statementId === null ? await tx.query(byNumber, { number: name }) : await tx.query(byId, { statementId });
  return found ?? null;
}

/** Null if the supplier has no such statement. */
export async function readStatement(
  tx: Tx,
  supplierKey: string,
  statementId: StatementId,
): Promise<SupplierStatement | null> {
  const [found] = await tx.query(ofSupplierById, { supplierKey, statementId });
  return found ?? null;
}

// Two pages, so that a document renders quickly; all payouts are in the ledger and in the CSV file.
const PAYOUTS_LISTED = 100;

/** Sums by day, and payouts. As quick for a million leads as for ten. */
export async function readStatementDetail(tx: Tx, statement: SupplierStatement): Promise<StatementDetail> {
  const { statementId, supplierKey, fromVersion, upToVersion } = statement;
  const items = await tx.query(itemsOf, { statementId });
  const payouts = await tx.query(payoutsBetween, {
    supplierKey,
    accountKey: accountKey('supplier', supplierKey),
    fromVersion,
    upToVersion,
    limit: PAYOUTS_LISTED,
  });
  return { statement, items, payouts };
}
