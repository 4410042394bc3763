// Remembers the origin at which the demo's own receiver listens, so that partners may be sent to it; null ends that (contract 8.2).
import type { Tx } from '../platform/database/database.ts';
import { writeDemoOriginSql } from './marketplace.sql.ts';

/** `origin` as `URL.origin` spells it. The caller has bumped the version, so that every process learns of it. */
export async function writeDemoOrigin(tx: Tx, origin: string | null): Promise<void> {
  await tx.query(writeDemoOriginSql, { origin });
}
