// Checks the rows of balances of partners and suppliers, and turns each into a posting that happens once (contract 7.7, 7.10).
import { commandLineActor } from '../audit/audit-event.ts';
import { readAmountText } from '../base/amount-text.ts';
import { isStorable } from '../base/text.ts';
import type { AdjustmentRefusal, SupplierAdjustment } from '../ledger/adjust-suppliers.ts';
import type { HandPosting, HandRefusal } from '../ledger/post-by-hand.ts';
import type { FileFault } from '../marketplace-file/marketplace-file.ts';
import { cellOf, type CsvRow, faultAt } from './csv-row.rules.ts';

export const balanceColumns = {
  known: ['partner', 'supplier', 'amount', 'reference', 'description'],
  required: ['amount', 'reference'],
};

const TEXT_LENGTH_MAX = 200;
/** Visible to the partner or supplier. */
const DEFAULT_DESCRIPTION = 'Balance brought forward';

export type BalanceRow =
  | { readonly row: CsvRow; readonly posting: HandPosting; readonly adjustment: null }
  | { readonly row: CsvRow; readonly posting: null; readonly adjustment: SupplierAdjustment };
export type CheckedBalances = {
  readonly balances: readonly BalanceRow[];
  /** Rows with an amount of 0, which is not posted. */
  readonly zeros: number;
  /** The errors of each row that has some. */
  readonly faults: readonly FileFault[][];
};

export function checkBalances(rows: readonly CsvRow[], currency: string): CheckedBalances {
  const lines = new Map<string, number>();
  const balances: BalanceRow[] = [];
  const faults: FileFault[][] = [];
  let zeros = 0;
  for (const row of rows) {
    const { balance, found } = readBalance(row, currency);
    const { amountCents, idempotencyKey } = balance.posting ?? balance.adjustment;
    const key = `${balance.posting === null ? 'supplier' : 'partner'} ${idempotencyKey ?? ''}`;
    const earlier = lines.get(key);
    if (earlier !== undefined)
      found.push(
        faultAt(
          row,
          'reference',
          `is taken: line ${earlier} has it for this ${balance.posting === null ? 'supplier' : 'partner'}`,
        ),
      );
    else lines.set(key, row.line);
    if (found.length > 0) faults.push(found);
    else if (amountCents === 0) zeros += 1;
    else balances.push(balance);
  }
  return { balances, zeros, faults };
}

function readBalance(row: CsvRow, currency: string): { balance: BalanceRow; found: FileFault[] } {
  const buyerKey = cellOf(row, 'partner');
  const supplierKey = cellOf(row, 'supplier');
  const amountCents = readAmount(cellOf(row, 'amount'), currency);
  const reference = cellOf(row, 'reference');
  const description = cellOf(row, 'description') || DEFAULT_DESCRIPTION;
  const found: FileFault[] = [];
  if (buyerKey === '' && supplierKey === '') found.push(faultAt(row, 'partner', 'must be given, or supplier'));
  if (buyerKey !== '' && supplierKey !== '')
    found.push(faultAt(row, 'supplier', 'must be empty where partner is given'));
  if (amountCents === null)
    found.push(faultAt(row, 'amount', `must be an amount such as 1250.00, 1,250.00 or -80.50 in ${currency}`));
  if (!isLine(reference)) found.push(faultAt(row, 'reference', LINE_MESSAGE));
  if (!isLine(description)) found.push(faultAt(row, 'description', LINE_MESSAGE));
  const input = { amountCents: amountCents ?? 0, description, actor: commandLineActor };
  // A reference is unique for its partner or supplier. A key of either has no colon.
  const idempotencyKey = `import:${supplierKey === '' ? buyerKey : supplierKey}:${reference}`;
  const balance: BalanceRow =
    supplierKey === ''
      ? { row, posting: { ...input, buyerKey, type: 'adjustment', idempotencyKey }, adjustment: null }
      : { row, posting: null, adjustment: { ...input, supplierKey, idempotencyKey } };
  return { balance, found };
}

/** As banks and spreadsheets write it; what is ambiguous, or has a mark such as CR, is none. */
function readAmount(text: string, currency: string): number | null {
  const read = readAmountText(text, { currency, separators: 'either', decimals: 'exact' });
  if (!read.ok || read.mark !== '') return null;
  return read.sign === '-' ? 0 - read.cents : read.cents;
}

const LINE_MESSAGE = `must be one line of 1 to ${TEXT_LENGTH_MAX} characters`;

function isLine(text: string): boolean {
  return text !== '' && text.length <= TEXT_LENGTH_MAX && isStorable(text) && !/\p{Cc}/u.test(text);
}

export function refusedBalance({ row }: BalanceRow, code: HandRefusal | AdjustmentRefusal): FileFault {
  if (code === 'supplier_not_found')
    return faultAt(row, 'supplier', `there is no supplier "${cellOf(row, 'supplier')}"`);
  return code === 'partner_not_found'
    ? faultAt(row, 'partner', `there is no partner "${cellOf(row, 'partner')}"`)
    : faultAt(row, 'reference', 'was posted before with another amount or description');
}
