// Reads how far a new marketplace is set up.
import type { Tx } from '../platform/database/database.ts';
import { type FirstSteps, firstStepsSql, hasSaleSql } from './first-steps.sql.ts';

/** Null once a delivery was confirmed: what follows is not read where there are many rows. */
export async function readFirstSteps(tx: Tx): Promise<FirstSteps | null> {
  const [sale] = await tx.query(hasSaleSql);
  if (sale?.hasSale === true) return null;
  const [steps] = await tx.query(firstStepsSql);
  return steps ?? null;
}
