// Writes the entries of a statement as CSV lines: one per lead, claw-back, payout and adjustment (contract 11.3).
import { formatCents } from '../base/money.ts';
import { type LeadId, typeId } from '../base/ids.ts';
import { csvText } from '../deliveries/export/export-csv.rules.ts';
import type { LineKind } from './statement.ts';

/** Has no partner and no price: what a supplier may know of a sale is its own share. */
export type StatementLine = {
  /** ISO 8601 UTC with milliseconds and `Z`. */
  readonly at: string;
  readonly kind: LineKind;
  /** Null for payouts and adjustments. */
  readonly leadId: LeadId | null;
  readonly externalId: string | null;
  /** In the account's sign: below 0 for a claw-back and a payout. */
  readonly amountCents: number;
  /** The reference of a payout, or the text of an adjustment. */
  readonly reference: string | null;
};

const LINE_END = '\r\n';

export const statementCsvHeader = `externalId,leadId,time,kind,amount,reference${LINE_END}`;

/** Joined here, because few cells need quotes and a library takes five times as long. */
export function statementCsvLines(lines: readonly StatementLine[]): string {
  let text = '';
  for (const { externalId, leadId, at, kind, amountCents, reference } of lines) {
    const own = externalId === null ? '' : csvText(externalId);
    const lead = leadId === null ? '' : typeId('lead', leadId);
    const about = reference === null ? '' : csvText(reference);
    text += `${own},${lead},${at},${kind},${formatCents(amountCents)},${about}${LINE_END}`;
  }
  return text;
}
