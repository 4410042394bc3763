// Reads all lines of a statement in the order of the ledger, page by page, in constant memory (contract 11.3).
import { accountKey } from '../ledger/transfer.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { statementCsvHeader, statementCsvLines, type StatementLine } from './statement-csv.rules.ts';
import { LINES_PAGE, nextLines, openLines, prepareLines } from './statement-lines.sql.ts';
import type { SupplierStatement } from './statement.ts';

/** Pages requested ahead, so that the database works while a page is sent; no more pages are in memory. */
const PAGES_AHEAD = 4;

/** The file in parts, header first. One file per transaction, which must stay open until the last part is read. */
export async function* statementCsv(
  tx: Tx,
  { supplierKey, fromVersion, upToVersion }: Pick<SupplierStatement, 'supplierKey' | 'fromVersion' | 'upToVersion'>,
): AsyncGenerator<string, void, undefined> {
  yield statementCsvHeader;
  await tx.query(prepareLines);
  await tx.query(openLines, { accountKey: accountKey('supplier', supplierKey), fromVersion, upToVersion });
  const ahead = Array.from({ length: PAGES_AHEAD }, () => readPage(tx));
  for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
    const lines = await next;
    if (lines.length === LINES_PAGE) ahead.push(readPage(tx));
    yield statementCsvLines(lines);
    if (lines.length < LINES_PAGE) return;
  }
}

function readPage(tx: Tx): Promise<StatementLine[]> {
  const page = tx.query(nextLines);
  // If reading stops early, the error of a page requested ahead is not handled anywhere; if reading goes on, `await` throws it.
  page.catch(() => undefined);
  return page;
}
