// Counts up the version of the configuration, by which every process notices a change within seconds (contract 7.5).
import { strict as assert } from 'node:assert';

import type { Tx } from '../platform/database/database.ts';
import { bumpVersionSql } from './marketplace.sql.ts';

/**
 * The first statement of every change of configuration: it locks the one row until the transaction ends, so that changes are serial
 * and what is read after it is up to date. Answers the version that the change will have. Where it may turn out that nothing
 * changes, `lockConfigVersion` comes first and this only when something does.
 */
export async function bumpConfigVersion(tx: Tx): Promise<number> {
  const [row] = await tx.query(bumpVersionSql);
  assert(row !== undefined, 'the marketplace has no settings');
  return row.version;
}
