// Lists operators without their secrets, and reports the ones without a second factor to `doctor` (decisions 022 and 030).
import type { Config } from '../platform/config.ts';
import type { Tx, Database } from '../platform/database/database.ts';
import type { Finding } from '../platform/finding.ts';
import {
  type ListedOperatorRow,
  type OperatorRow,
  selectOperator,
  selectOperators,
  selectTakenOperators,
  selectWithoutTotp,
} from './operator.sql.ts';
import { lifetimes } from './session.ts';

export type ListedOperator = ListedOperatorRow;

/** Ordered by name; the page of `limit` operators after the name `after`. */
export async function listOperators(
  tx: Tx,
  { after, limit }: { readonly after: string | null; readonly limit: number },
  now: Date,
): Promise<ListedOperator[]> {
  return tx.query(selectOperators, { now, lastUsedAt: idleSince(now), name: null, after: after ?? '', limit });
}

export async function operatorExists(tx: Tx, name: string, now: Date): Promise<boolean> {
  return (await tx.query(selectOperators, { now, lastUsedAt: idleSince(now), name, after: '', limit: 1 })).length > 0;
}

/** The account without its secrets. */
export async function findOperator(
  tx: Tx,
  name: string,
): Promise<Pick<OperatorRow, 'operatorId' | 'email' | 'role' | 'disabledAt'> | null> {
  const [operator] = await tx.query(selectOperator, { name });
  if (operator === undefined) return null;
  const { operatorId, email, role, disabledAt } = operator;
  return { operatorId, email, role, disabledAt };
}

/** The operator who has the name or the address; null if both are free. */
export async function findTakenOperator(
  tx: Tx,
  wanted: { readonly name: string; readonly email: string },
): Promise<{ readonly name: string } | null> {
  const [taken] = await tx.query(selectTakenOperators, wanted);
  return taken ?? null;
}

function idleSince(now: Date): Date {
  return new Date(now.getTime() - lifetimes.operator.idleMs);
}

/** A missing second factor is an error only where the configuration requires one: such an operator can then do nothing but set it up. */
export async function examineOperators(database: Database, { requireTotp }: Config): Promise<Finding> {
  const rows = await database.query(selectWithoutTotp);
  const name = 'second factor';
  if (rows.length === 0) return { name, ok: true, detail: 'every operator has one' };
  return { name, ok: !requireTotp, detail: `missing: ${rows.map((row) => row.name).join(', ')}` };
}
