// Imports partners or suppliers as a part of the marketplace file: the same checks, history and audit, all or nothing (contract 7.5, 7.10).
import { appendAudit } from '../audit/append-audit.ts';
import { commandLineActor, noOrigin } from '../audit/audit-event.ts';
import { lockConfigVersion } from '../marketplace/config-version.ts';
import { changeConfiguration, type ChangedConfiguration } from '../marketplace-file/change-configuration.ts';
import { checkFileTargets } from '../marketplace-file/check-file-targets.ts';
import type { FileFault } from '../marketplace-file/marketplace-file.ts';
import { readPart } from '../marketplace-file/read-configuration.ts';
import type { Tx } from '../platform/database/database.ts';
import { readAllRows } from './all-rows.ts';
import { type ConfiguredKind, configuredColumns } from './configured-rows.rules.ts';
import { cellOf } from './csv-row.rules.ts';
import { rejectRow, reportFaults } from './findings.ts';
import { importEvent, type ImportCounts, type Imported, type ImportRun } from './import-report.ts';
import { type ConfigurationPart, parseRows } from './parse-rows.ts';

/** Null if somebody else changed one of the named partners or suppliers meanwhile; nothing is imported then. */
export async function importConfiguration(run: ImportRun, kind: ConfiguredKind): Promise<Imported | null> {
  const { database, allowedTargets, dryRun, findings, progress } = run;
  const columns = configuredColumns(kind);
  const rows = await readAllRows(run, { known: [...columns.keys()], required: ['key'] });
  const keys = rows.map((row) => cellOf(row, 'key'));
  const { current, seen, allowTargets } = await database.tx(async (tx) => ({
    seen: await lockConfigVersion(tx),
    allowTargets: await allowedTargets(tx),
    current: await readPart(tx, { buyerKeys: kind === 'partners' ? keys : [], offerKeys: [] }),
  }));
  progress(`Checking ${rows.length} rows…`);
  const part = parseRows(rows, { kind, columns, current, allowTargets });
  const faults = [...part.faults];
  // Only of what can be read so far; the lookups take long.
  if (faults.length === 0) {
    progress('Looking up the hosts of the file’s URLs …');
    faults.push(...(await checkFileTargets(part.file, current, { allowTargets })));
  }
  for (const found of Map.groupBy(faults, ({ line }) => line).values()) rejectRow(findings, found);
  if (findings.faults > 0) return { counts: null, applied: false };
  const changed = await database.tx((tx) => saveRows(tx, run, { kind, part, seen }));
  if (!changed.ok) {
    if (changed.code === 'configuration_changed') return null;
    reportFaults(
      findings,
      changed.faults.map(({ message }): FileFault => ({ line: 1, column: 1, path: '', message })),
    );
    return { counts: null, applied: false };
  }
  return { counts: countsOf(changed, rows.length), applied: !dryRun, notes: changed.notes };
}

type Saving = { readonly kind: ConfiguredKind; readonly part: ConfigurationPart; readonly seen: number };

async function saveRows(tx: Tx, run: ImportRun, { kind, part, seen }: Saving): Promise<ChangedConfiguration> {
  const { clock, dryRun, input, findings } = run;
  const now = clock.now();
  const change = {
    file: part.file,
    things: part.keys.map((key) => ({ kind: kind === 'partners' ? ('buyer' as const) : ('supplier' as const), key })),
    ...{ seen, dryRun, prune: false, startingValues: true, actor: commandLineActor, origin: noOrigin },
  };
  const changed = await changeConfiguration(tx, change, now);
  if (!changed.ok || dryRun || changed.changes.length === 0) return changed;
  const { added, updated } = countsOf(changed, findings.rows);
  const values = { rows: findings.rows, added, updated };
  await appendAudit(tx, [importEvent({ kind, name: input.name, values }, now)]);
  return changed;
}

function countsOf({ changes }: ChangedConfiguration & { readonly ok: true }, rows: number): ImportCounts {
  const added = changes.filter(({ action }) => action === 'create').length;
  const updated = changes.length - added;
  return { added, updated, unchanged: rows - changes.length, expired: 0 };
}
