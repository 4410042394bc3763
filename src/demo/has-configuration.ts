// Whether anybody has configured this marketplace: the demo is for empty databases only.
import type { Tx } from '../platform/database/database.ts';
import { anyConfiguration } from './demo.sql.ts';

export async function hasConfiguration(tx: Tx): Promise<boolean> {
  const [row] = await tx.query(anyConfiguration);
  return row?.exists === true;
}
