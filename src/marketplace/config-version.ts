// Locks and increments the version of the configuration, by which every process notices changes (contract 7.5).
import { strict as assert } from 'node:assert';

import type { Tx } from '../platform/database/database.ts';
import { bumpVersionSql, lockVersionSql } from './marketplace.sql.ts';

/**
 * The first statement of every configuration change: it locks the row until the transaction ends, so that changes are serial and later
 * reads are up to date. Returns the version that the change will have. If the change may turn out to be empty, call `lockConfigVersion`
 * first, and this only when something changes.
 */
export async function bumpConfigVersion(tx: Tx): Promise<number> {
  const [row] = await tx.query(bumpVersionSql);
  assert(row !== undefined, 'the table marketplace has no row');
  return row.version;
}

/** Waits for any other configuration change to end and returns the current version. Later reads in the transaction are up to date. */
export async function lockConfigVersion(tx: Tx): Promise<number> {
  const [row] = await tx.query(lockVersionSql);
  assert(row !== undefined, 'the table marketplace has no row');
  return row.version;
}
