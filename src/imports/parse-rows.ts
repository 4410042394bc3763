// Parses rows of partners or suppliers as parts of a marketplace file, with errors at their cells (contract 7.5, 7.10).
import { buyerForm } from '../buyers/buyer-form.rules.ts';
import { ownNamesOf } from '../leads/supplier-verticals.rules.ts';
import type { Configuration } from '../marketplace-file/difference.rules.ts';
import { completeFragment } from '../marketplace-file/fragment.rules.ts';
import type { FileFault, MarketplaceFile, Position } from '../marketplace-file/marketplace-file.ts';
import { parseFile } from '../marketplace-file/parse-file.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import { supplierForm } from '../suppliers/supplier-form.rules.ts';
import {
  columnOfPath,
  type ConfiguredColumns,
  type ConfiguredKind,
  type Entry,
  entryOfRow,
} from './configured-rows.rules.ts';
import { cellOf, type CsvRow, faultAt } from './csv-row.rules.ts';

export type ConfigurationPart = {
  /** Complete only without errors. */
  readonly file: MarketplaceFile;
  /** The keys of the rows, each once. */
  readonly keys: readonly string[];
  readonly faults: readonly FileFault[];
};

export type ParseContext = {
  readonly kind: ConfiguredKind;
  readonly columns: ConfiguredColumns;
  /** With what the rows name. */
  readonly current: Configuration;
  readonly allowTargets: AllowedTargets;
};

/** Few enough that the positions of their values take little memory. */
const ROWS_AT_ONCE = 500;

export function parseRows(rows: readonly CsvRow[], context: ParseContext): ConfigurationPart {
  const faults: FileFault[] = [];
  const unique = uniqueRows(rows, faults);
  const parts: MarketplaceFile[] = [];
  for (let from = 0; from < unique.length; from += ROWS_AT_ONCE) {
    const part = parseSome(unique.slice(from, from + ROWS_AT_ONCE), context, faults);
    if (part !== null) parts.push(part);
  }
  return {
    file: {
      marketplace: null,
      verticals: [],
      suppliers: parts.flatMap(({ suppliers }) => suppliers),
      partners: parts.flatMap(({ partners }) => partners),
      targets: parts.flatMap(({ targets }) => targets),
      offerPositions: new Map(),
      ownPositions: new Map(),
      regionsPosition: null,
    },
    keys: unique.map((row) => cellOf(row, 'key')),
    faults,
  };
}

function uniqueRows(rows: readonly CsvRow[], faults: FileFault[]): CsvRow[] {
  const lines = new Map<string, number>();
  return rows.filter((row) => {
    const key = cellOf(row, 'key');
    const earlier = lines.get(key);
    if (key === '') faults.push(faultAt(row, 'key', 'must be given'));
    else if (earlier !== undefined) faults.push(faultAt(row, 'key', `"${key}" is taken: line ${earlier} has it`));
    else lines.set(key, row.line);
    return key !== '' && earlier === undefined;
  });
}

function parseSome(rows: readonly CsvRow[], context: ParseContext, faults: FileFault[]): MarketplaceFile | null {
  const { kind, columns, current, allowTargets } = context;
  const entries = rows.map((row): Entry => {
    const { entry, faults: found } = entryOfRow(row, columns, currentForm(kind, cellOf(row, 'key'), current));
    for (const { column, message } of found) faults.push(faultAt(row, column, message));
    return entry;
  });
  const fragment = completeFragment({ [kind]: entries }, current);
  // As the console does: JSON is YAML, and its positions lead back to the rows.
  const parsed = parseFile(JSON.stringify(fragment), {
    allowTargets,
    regions: current.settings.regions,
    ownNames: ownNamesOf(current.verticals),
  });
  const positionOf = ({ path }: Pick<Position, 'path'>): Position => {
    const [, index = '0', member = ''] = /^\w+\[(\d+)\][.]?(.*)$/.exec(path) ?? [];
    const row = rows[Number(index)];
    if (row === undefined) return { line: 1, column: 1, path };
    return { ...faultAt(row, columnOfPath(member, columns), ''), path: member };
  };
  if (!parsed.ok) {
    for (const { path, message } of parsed.errors) faults.push({ ...positionOf({ path }), message });
    return null;
  }
  const targets = parsed.file.targets.map(({ url, position }) => ({ url, position: positionOf(position) }));
  return { ...parsed.file, targets };
}

/** Of a partner's settings those that the last file or import stated: partners may have changed the others since (contract 7.5). */
function currentForm(kind: ConfiguredKind, key: string, current: Configuration): Readonly<Record<string, unknown>> {
  const supplier = current.suppliers.get(key);
  const buyer = current.buyers.get(key);
  if (kind === 'suppliers') return supplier === undefined ? {} : supplierForm(supplier);
  // The format of its webhook and its channels are in the form as they are now.
  const { webhookFormat: _format, channels: _channels, ...settings } = current.fileSettings.get(key) ?? {};
  return buyer === undefined ? {} : { ...buyerForm(buyer), settings };
}
