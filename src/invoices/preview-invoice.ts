// Previews the invoice of a month without writing: which transfers it would include, and their sums (contract 6.19, 7.2).
import { strict as assert } from 'node:assert';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Invoice } from './invoice.ts';
import { liveOfMonth, selectOutlook, type Selection, liveMonths, readProgress } from './invoice.sql.ts';
import { monthSpan, billableSpans } from './period.rules.ts';
import { type Amounts, freeCents } from './settlement.rules.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { accountKey } from '../ledger/transfer.rules.ts';

type Sums = Pick<Amounts, 'subtotalCents' | 'creditsCents' | 'carriedInCents'>;

/** `exists`: already issued. `none`: nothing to invoice. */
export type Preview =
  | { readonly kind: 'exists'; readonly invoice: Invoice }
  | {
      readonly kind: 'due';
      readonly sums: Sums;
      /** The available balance. Concurrent sales and credits do not change it. */
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
  assert(outlook !== undefined, 'a sum always returns a row');
  if (outlook.lines === 0) return done({ kind: 'none' });
  const { subtotalCents, creditsCents, carriedInCents } = outlook;
  const sums = { subtotalCents, creditsCents, carriedInCents };
  return done({ kind: 'due', sums, freeCents: freeCents(outlook), selection });
}

export type InvoiceMonth = {
  readonly buyer: Pick<Buyer, 'buyerKey' | 'timeZone'>;
  /** `YYYY-MM`. */
  readonly month: string;
};

/** The transfers that the invoice would include. */
async function readSelection(tx: Tx, { buyer, month }: InvoiceMonth): Promise<Selection> {
  const { buyerKey, timeZone } = buyer;
  const [progress] = await tx.query(readProgress, { buyerKey });
  const invoiced = await tx.query(liveMonths, { buyerKey });
  const months = invoiced.map((one) => one.month);
  const spans = billableSpans(month, months, timeZone);
  return {
    accountKey: accountKey('buyer', buyerKey),
    settledVersion: progress?.settledVersion ?? 0,
    buyerKey,
    fromTimes: spans.map(({ from }) => new Date(from)),
    untilTimes: spans.map(({ until }) => new Date(until)),
    endsAt: new Date(monthSpan(month, timeZone).until),
  };
}
