// The result of an import for the command line, and its event in the audit log (contract 7.10).
import { type AuditEvent, commandLineActor, noOrigin } from '../audit/audit-event.ts';
import { faultText } from '../marketplace-file/difference-text.rules.ts';
import type { CliContext } from '../platform/cli.ts';
import type { CliResult } from '../platform/cli-output.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import type { DayOrder } from './bank-day.rules.ts';
import type { Findings } from './findings.ts';
import type { ImportInput } from './open-input.ts';

/** What one of the imports works with. */
export type ImportRun = {
  readonly database: Database;
  readonly clock: CliContext['clock'];
  readonly allowedTargets: (tx: Tx) => Promise<AllowedTargets>;
  readonly input: ImportInput;
  readonly dryRun: boolean;
  /** Of dates such as 11/12/2026; null if it was not said. */
  readonly dayOrder?: DayOrder | null;
  readonly findings: Findings;
  readonly progress: (text: string) => void;
};

/** Rows by what became of them, or in a dry run would become of them. */
export type ImportCounts = {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Sold so long ago that retention would delete them. */
  readonly expired: number;
};

export type Imported = {
  /** Null if it is unknown: because of errors, or in a dry run of sold leads. */
  readonly counts: ImportCounts | null;
  readonly applied: boolean;
  readonly notes?: readonly string[];
};

const NOTES_SHOWN = 20;

/** Exit code 1 goes with every result that has an error. */
export function importResult(input: ImportInput, findings: Findings, imported: Imported): CliResult {
  const { counts, applied, notes = [] } = imported;
  const { rows, rejected, faults } = findings;
  const errors = findings.kept.toSorted((one, other) => one.line - other.line || one.column - other.column);
  const unknown = { added: null, updated: null, unchanged: null, expired: null };
  const more = faults - errors.length;
  const json = { errors, errorCount: faults, rows, rejected, ...(counts ?? unknown), notes, applied };
  const text = [
    ...(errors.length === 0 ? [] : [faultText(input.path, errors)]),
    ...(more === 0 ? [] : [`… and ${more} more errors`]),
    ...notes.slice(0, NOTES_SHOWN).map((note) => `Note: ${note}`),
    ...(notes.length > NOTES_SHOWN ? [`… and ${notes.length - NOTES_SHOWN} more notes`] : []),
    `${rows} rows read${countsText(counts)}${rejected === 0 ? '' : `, ${rejected} rejected`}.`,
    ...(applied ? [] : ['Nothing was imported.']),
  ];
  return { json, text: text.join('\n') };
}

function countsText(counts: ImportCounts | null): string {
  if (counts === null) return '';
  const { added, updated, unchanged, expired } = counts;
  return [
    `: ${added} added`,
    ...(updated === 0 ? [] : [`${updated} updated`]),
    `${unchanged} unchanged`,
    ...(expired === 0 ? [] : [`${expired} too old to be kept`]),
  ].join(', ');
}

export type ImportedKind = 'partners' | 'suppliers' | 'sold' | 'balances';

/** For operators only: the partners and suppliers themselves have events of their own. */
export function importEvent(
  { kind, name, values }: { kind: ImportedKind; name: string; values: Readonly<Record<string, number | string>> },
  at: Date,
): AuditEvent {
  return {
    at,
    actor: commandLineActor,
    buyerKey: null,
    supplierKey: null,
    action: `${kind}.imported`,
    target: name,
    changes: Object.fromEntries(Object.entries(values).map(([field, to]) => [field, { from: null, to }])),
    ...noOrigin,
  };
}
