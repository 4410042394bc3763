// Imports sales by another system in batches of one commit each, so that their leads are duplicates here (contract 4.4, 7.10).
import type { Readable } from 'node:stream';

import { appendAudit } from '../audit/append-audit.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { identityHashes } from '../leads/identity-hash.ts';
import { recordPastSales } from '../leads/identity-sales.ts';
import { readPersonPepper, readSettings } from '../marketplace/stored-settings.ts';
import { readVerticals } from '../marketplace/stored-verticals.ts';
import type { Database } from '../platform/database/database.ts';
import { repeatTransient } from '../platform/database/retry-transaction.ts';
import { oldBefore } from '../privacy/retention-terms.rules.ts';
import { type Findings, newFindings, rejectRow } from './findings.ts';
import { importEvent, type Imported, type ImportCounts, type ImportRun } from './import-report.ts';
import { type CsvColumns, readCsv } from './read-csv.ts';
import { planSales, type SalesPlan } from './sales-plan.rules.ts';
import { readSoldRow, soldColumns, type SoldRow, type SoldTerms } from './sold-rows.rules.ts';

type Terms = SoldTerms & {
  readonly columns: CsvColumns;
  readonly pepper: Buffer;
  /** Older sales would be deleted by the next run of retention; null if all are kept. */
  readonly keptSince: Date | null;
};

/** A file is checked whole before its first row is written; standard input can only be read once, so its faulty rows are left out. */
export async function importSold(run: ImportRun): Promise<Imported> {
  const { input, findings, dryRun, progress } = run;
  const terms = await readTerms(run);
  if (dryRun || input.isRepeatable) {
    for await (const rows of soldRows(input.open(), terms, findings)) {
      progress(`Checked ${findings.rows} rows, the last ${rows.length} without an error…`);
    }
    if (dryRun || findings.faults > 0) return { counts: null, applied: false };
    // It is read again, and may have changed meanwhile.
    Object.assign(findings, newFindings());
  }
  return { counts: await writeSales(run, terms), applied: true };
}

async function readTerms({ database, clock, dayOrder = null }: ImportRun): Promise<Terms> {
  const now = clock.now();
  return database.tx(async (tx) => {
    const { settings } = await readSettings(tx);
    const pepper = await readPersonPepper(tx);
    const partners = new Set((await readBuyers(tx)).keys());
    const columns = soldColumns((await readVerticals(tx)).values());
    return { now, columns, pepper, partners, dayOrder, keptSince: oldBefore('persons', settings, now) };
  });
}

/** The valid rows, some thousand at a time. */
async function* soldRows(source: Readable, terms: Terms, findings: Findings): AsyncGenerator<SoldRow[]> {
  for await (const rows of readCsv(source, terms.columns, findings)) {
    const valid: SoldRow[] = [];
    for (const row of rows) {
      const { value, faults } = readSoldRow(row, terms);
      if (faults === null) valid.push(value);
      else rejectRow(findings, faults);
    }
    yield valid;
  }
}

async function* salesPlans(source: Readable, terms: Terms, findings: Findings): AsyncGenerator<SalesPlan> {
  const { pepper, keptSince } = terms;
  for await (const rows of soldRows(source, terms, findings)) {
    yield planSales(rows, (row) => identityHashes(pepper, row), keptSince);
  }
}

async function writeSales(run: ImportRun, terms: Terms): Promise<ImportCounts> {
  const { database, input, findings, progress } = run;
  const counts = { added: 0, updated: 0, unchanged: 0, expired: 0 };
  // At the beginning as well, because an import that is ended half way has stored contacts, too.
  await appendEvent(run, { state: 'begun' });
  const source = input.open();
  try {
    const plans = salesPlans(source, terms, findings);
    let next = await plans.next();
    while (next.done !== true) {
      // The next rows are read while these are written.
      const [, following] = await Promise.all([writeBatch(database, next.value, counts), plans.next()]);
      next = following;
      progress(`Imported ${counts.added + counts.unchanged + counts.expired} rows…`);
    }
  } finally {
    // After an error nothing else would end the reading of standard input.
    source.destroy();
  }
  const { rows, rejected } = findings;
  await appendEvent(run, { state: 'ended', rows, added: counts.added, rejected });
  return counts;
}

function appendEvent(
  { database, input, clock }: ImportRun,
  values: Readonly<Record<string, number | string>>,
): Promise<void> {
  const event = importEvent({ kind: 'sold', name: input.name, values }, clock.now());
  return database.tx((tx) => appendAudit(tx, [event]));
}

async function writeBatch(
  database: Database,
  { sales, rowOf, rows, expired }: SalesPlan,
  counts: { added: number; unchanged: number; expired: number },
): Promise<void> {
  const written = await repeatTransient(() => database.tx((tx) => recordPastSales(tx, sales)));
  const added = new Set(written.map(({ hash, scope }) => rowOf.get(`${hash} ${scope}`))).size;
  counts.added += added;
  counts.expired += expired;
  counts.unchanged += rows - expired - added;
}
