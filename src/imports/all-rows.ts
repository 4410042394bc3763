// Reads all rows of a CSV file that is imported in one transaction, up to a limit (contract 7.10).
import type { CsvRow } from './csv-row.rules.ts';
import { reportFaults } from './findings.ts';
import type { ImportRun } from './import-report.ts';
import { type CsvColumns, readCsv } from './read-csv.ts';

/** A larger file would lock the configuration or the accounts for too long. */
const ROWS_MAX = 50_000;

export async function readAllRows({ input, findings, progress }: ImportRun, columns: CsvColumns): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const some of readCsv(input.open(), columns, findings)) {
    rows.push(...some);
    progress(`Read ${rows.length} rows…`);
    const first = some[0];
    if (rows.length > ROWS_MAX && first !== undefined) {
      const message = `has more than ${ROWS_MAX} rows; divide the file`;
      reportFaults(findings, [{ line: first.line, column: 1, path: '', message }]);
      break;
    }
  }
  return rows;
}
