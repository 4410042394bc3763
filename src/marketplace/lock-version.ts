// Makes changes of configuration serial before it is known whether there is anything to change.
import { strict as assert } from 'node:assert';

import type { Tx } from '../platform/database/database.ts';
import { lockVersionSql } from './marketplace.sql.ts';

/** Waits for any other change of configuration to end, then answers the version in force. What is read after it is up to date. */
export async function lockConfigVersion(tx: Tx): Promise<number> {
  const [row] = await tx.query(lockVersionSql);
  assert(row !== undefined, 'the marketplace has no settings');
  return row.version;
}
