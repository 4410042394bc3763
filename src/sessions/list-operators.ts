// Lists who may sign in to the console, without what they sign in with (decision 022).
import type { Tx } from '../platform/database/database.ts';
import { type ListedOperatorRow, selectOperators } from './operator.sql.ts';
import { lifetimes } from './session.ts';

export type ListedOperator = ListedOperatorRow;

/** In the order of their names; one only, where a name is given. */
export async function listOperators(tx: Tx, name: string | null, now: Date): Promise<ListedOperator[]> {
  const idleSince = new Date(now.getTime() - lifetimes.operator.idleMs);
  return tx.query<ListedOperatorRow>(selectOperators, [now, idleSince, name]);
}
