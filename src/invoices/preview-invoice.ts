// What an invoice comes to if it is issued now; nothing is written (contract 6.19, 7.2).
import { strict as assert } from 'node:assert';

import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Invoice } from './invoice.ts';
import { liveOfMonth, selectOutlook, type Selection } from './invoice.sql.ts';
import { monthSpan } from './period.rules.ts';
import { type InvoiceMonth, readSelection } from './read-selection.ts';
import { type Amounts, freeCents } from './settlement.rules.ts';

type Sums = Pick<Amounts, 'subtotalCents' | 'creditsCents' | 'carriedInCents'>;

/** `exists`: it has been issued. `none`: there is nothing to invoice. */
export type Preview =
  | { readonly kind: 'exists'; readonly invoice: Invoice }
  | {
      readonly kind: 'due';
      readonly sums: Sums;
      /** What the partner has free for it. Sales and credits do not change it, so that it stays right while they are posted. */
      readonly freeCents: number;
      readonly selection: Selection;
    }
  | { readonly kind: 'none' };

export async function previewInvoice(
  tx: Tx,
  { buyer, month }: InvoiceMonth,
  now: Date,
): Promise<Outcome<Preview, 'month_not_over'>> {
  if (monthSpan(month, buyer.timeZone).until > now.getTime()) return refuse('month_not_over');
  const [invoice] = await tx.query(liveOfMonth, { buyerKey: buyer.buyerKey, month, now });
  if (invoice !== undefined) return done({ kind: 'exists', invoice });
  const selection = await readSelection(tx, { buyer, month });
  const [outlook] = await tx.query(selectOutlook, selection);
  assert(outlook !== undefined, 'a sum has always a row');
  if (outlook.lines === 0) return done({ kind: 'none' });
  const { subtotalCents, creditsCents, carriedInCents } = outlook;
  const sums = { subtotalCents, creditsCents, carriedInCents };
  return done({ kind: 'due', sums, freeCents: freeCents(outlook), selection });
}
