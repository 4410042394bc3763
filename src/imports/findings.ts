// Counts the rows of an imported file and collects its errors by line, bounded, however long the file is (contract 7.10).
import type { FileFault } from '../marketplace-file/marketplace-file.ts';

/** More are counted and not kept: a file with a thousand errors has one cause. */
const KEPT_MAX = 1000;

export type Findings = {
  /** The first errors, in the order in which they were found. */
  readonly kept: FileFault[];
  /** All errors. */
  faults: number;
  /** Those that belong to no single row, such as in the header. */
  faultsOfFile: number;
  /** Rows below the header, without empty ones. */
  rows: number;
  /** Rows with an error. */
  rejected: number;
};

export function newFindings(): Findings {
  return { kept: [], faults: 0, faultsOfFile: 0, rows: 0, rejected: 0 };
}

/** Adds errors of the file itself, such as of its header. */
export function reportFaults(findings: Findings, faults: readonly FileFault[]): void {
  findings.faultsOfFile += faults.length;
  keepFaults(findings, faults);
}

function keepFaults(findings: Findings, faults: readonly FileFault[]): void {
  findings.faults += faults.length;
  findings.kept.push(...faults.slice(0, KEPT_MAX - findings.kept.length));
}

/** Adds the errors of one row, at least one. */
export function rejectRow(findings: Findings, faults: readonly FileFault[]): void {
  findings.rejected += 1;
  keepFaults(findings, faults);
}
