// Lists who may sign in to the console, without what they sign in with (decision 022).
import type { Tx } from '../platform/database/database.ts';
import { type ListedOperatorRow, selectOperators } from './operator.sql.ts';
import { lifetimes } from './session.ts';

export type ListedOperator = ListedOperatorRow;

/** In the order of their names, `limit` of those behind the name `after`. */
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

function idleSince(now: Date): Date {
  return new Date(now.getTime() - lifetimes.operator.idleMs);
}
