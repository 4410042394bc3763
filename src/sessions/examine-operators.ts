// What `doctor` says of operators: who has no second factor (decision 030).
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database/database.ts';
import type { Finding } from '../platform/doctor.ts';
import { selectWithoutTotp } from './operator.sql.ts';

/** Wrong only where one is demanded: whoever is named can then do nothing but set it up. */
export async function examineOperators(database: Database, { requireTotp }: Config): Promise<Finding> {
  const rows = await database.query(selectWithoutTotp);
  const name = 'second factor';
  if (rows.length === 0) return { name, ok: true, detail: 'every operator has one' };
  return { name, ok: !requireTotp, detail: `missing: ${rows.map((row) => row.name).join(', ')}` };
}
