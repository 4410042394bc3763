// Reads the names of the suppliers, partners and offers in the rows of a report.
import type { Tx } from '../platform/database/database.ts';
import { namesOfKeys } from './report-names.sql.ts';
import type { Report } from './report.schema.ts';

/** By dimension and key; null if no dimension of the report has names. */
export async function readReportNames(
  tx: Tx,
  { dimensions, rows }: Report,
): Promise<NonNullable<Report['names']> | null> {
  const names: Record<string, Record<string, string>> = {};
  for (const [place, dimension] of dimensions.entries()) {
    if (dimension !== 'supplier' && dimension !== 'partner' && dimension !== 'offer') continue;
    const keys = [...new Set(rows.flatMap((row) => row.keys[place] ?? []))];
    const found = await tx.query(namesOfKeys[dimension], { keys });
    names[dimension] = Object.fromEntries(found.map(({ key, name }) => [key, name]));
  }
  return Object.keys(names).length === 0 ? null : names;
}
