// Issues the invoice of a partner for a month: collects open charges and credits, numbers it and computes the amount due (contract 6.19).
import { strict as assert } from 'node:assert';

import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { newUuid, typeId, type InvoiceId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import { done, type Outcome } from '../base/outcome.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { raiseNotices } from '../notices/raise-notices.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Invoice, PartyDetails } from './invoice.ts';
import {
  byId,
  type InsertedLines,
  insertDraft,
  insertItems,
  insertLines,
  issueDraft,
  lockProgress,
  nextNumber,
  takeCarried,
  writeProgress,
  type Selection,
} from './invoice.sql.ts';
import { dayStarts, monthSpan } from './period.rules.ts';
import { issuedNotice } from './invoice-notices.rules.ts';
import { postTax } from './post-tax.ts';
import { previewInvoice } from './preview-invoice.ts';
import { type Amounts, amountsAtIssue, dueAfter, invoiceNumber } from './settlement.rules.ts';

export type InvoiceInput = {
  readonly buyer: Pick<Buyer, 'buyerKey' | 'name' | 'timeZone'> & {
    readonly billing: Pick<Buyer['billing'], 'dueDays' | 'taxBasisPoints' | 'taxId' | 'address'>;
  };
  /** `YYYY-MM`. */
  readonly month: string;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
  /** Notifies nobody, for invoices of a made-up past. */
  readonly isQuiet?: true;
};

/** `exists`: issued before, and unchanged. `none`: nothing to invoice. */
export type Issue =
  | { readonly kind: 'issued' | 'exists'; readonly invoice: Invoice }
  | { readonly kind: 'none'; readonly invoice: null };

/**
 * Includes the charges of the month, late charges of earlier invoiced months, all credits up to the end of the month, and amounts carried from
 * earlier invoices. Call it in a separate transaction, because it holds the counter of numbers until the end. Posts the tax, if there is any,
 * and no other transfer: only transactions that invoice the same partner wait for each other, and sales to it for the tax at the end.
 */
export async function issueInvoice(tx: Tx, input: InvoiceInput, now: Date): Promise<Outcome<Issue, 'month_not_over'>> {
  const { buyerKey, timeZone } = input.buyer;
  await tx.query(lockProgress, { buyerKey });
  const preview = await previewInvoice(tx, input, now);
  if (!preview.ok) return preview;
  if (preview.value.kind === 'exists') return done({ kind: 'exists', invoice: preview.value.invoice });
  // Decided before a draft is inserted, because rows of invoices are never deleted.
  if (preview.value.kind === 'none') return done({ kind: 'none', invoice: null });
  const { selection, freeCents } = preview.value;
  const invoiceId = await draft(tx, input, now);
  const sums = await addLines(tx, selection, invoiceId);
  await tx.query(insertItems, { invoiceId, dayStarts: dayStarts(input.month, timeZone) });
  await tx.query(writeProgress, { buyerKey, settledVersion: sums.settledVersion });
  const { until } = monthSpan(input.month, timeZone);
  const [carried] = await tx.query(takeCarried, { buyerKey, invoiceId, endsAt: new Date(until) });
  assert(carried !== undefined, 'a sum always returns a row');
  const { taxBasisPoints } = input.buyer.billing;
  const amounts = amountsAtIssue({ ...sums, ...carried }, { freeCents, taxBasisPoints });
  const invoice = await issue(tx, { invoiceId, amounts, input }, now);
  await postTax(tx, invoice, now);
  await record(tx, { invoice, input }, now);
  if (input.isQuiet !== true) await raiseNotices(tx, [issuedNotice(invoice)], now);
  return done({ kind: 'issued', invoice });
}

/** Stores the current names and addresses of both parties: later changes do not affect the invoice. */
async function draft(tx: Tx, { buyer, month }: InvoiceInput, now: Date): Promise<InvoiceId> {
  const invoiceId = newUuid();
  const { settings } = await readSettings(tx);
  const { from, until } = monthSpan(month, buyer.timeZone);
  await tx.query(insertDraft, {
    invoiceId,
    buyerKey: buyer.buyerKey,
    month,
    timeZone: buyer.timeZone,
    startsAt: new Date(from),
    endsAt: new Date(until),
    sellerName: settings.name,
    buyerName: buyer.name,
    sellerDetails: JSON.stringify(detailsOf(settings.billing)),
    buyerDetails: JSON.stringify(detailsOf(buyer.billing)),
    currency: settings.currency,
    now,
  });
  return invoiceId;
}

function detailsOf({ address, taxId }: Required<PartyDetails>): PartyDetails {
  return { address, taxId };
}

async function addLines(tx: Tx, selection: Selection, invoiceId: InvoiceId): Promise<InsertedLines> {
  const [sums] = await tx.query(insertLines, { ...selection, invoiceId });
  assert(sums !== undefined, 'a sum always returns a row');
  return sums;
}

type Issuing = { readonly invoiceId: InvoiceId; readonly amounts: Amounts; readonly input: InvoiceInput };

async function issue(tx: Tx, { invoiceId, amounts, input }: Issuing, now: Date): Promise<Invoice> {
  const year = now.getUTCFullYear();
  const [number] = await tx.query(nextNumber, { year });
  assert(number !== undefined, 'the counter of invoices returned no number');
  const isCovered = amounts.amountDueCents === 0;
  await tx.query(issueDraft, {
    invoiceId,
    status: isCovered ? 'paid' : 'issued',
    number: invoiceNumber(year, number.count),
    subtotalCents: amounts.subtotalCents,
    creditsCents: amounts.creditsCents,
    taxBasisPoints: input.buyer.billing.taxBasisPoints,
    taxCents: amounts.taxCents,
    totalCents: amounts.totalCents,
    fromBalanceCents: amounts.fromBalanceCents,
    amountDueCents: amounts.amountDueCents,
    now,
    dueAt: dueAfter(now, input.buyer.billing.dueDays),
    paidAt: isCovered ? now : null,
    carriedInCents: amounts.carriedInCents,
    carriedOutCents: amounts.carriedOutCents,
  });
  const [invoice] = await tx.query(byId, { invoiceId, now });
  assert(invoice !== undefined, 'an issued invoice cannot be read back');
  return invoice;
}

async function record(
  tx: Tx,
  { invoice, input }: { readonly invoice: Invoice; readonly input: InvoiceInput },
  now: Date,
): Promise<void> {
  const { buyerKey, invoiceId, number, status, totalCents, amountDueCents } = invoice;
  const changes = {
    number: { from: null, to: number },
    status: { from: null, to: status },
    total: { from: null, to: wireAmount(totalCents) },
    amountDue: { from: null, to: wireAmount(amountDueCents) },
  };
  const target = typeId('invoice', invoiceId);
  const { actor, origin = noOrigin } = input;
  await appendAudit(tx, [
    { at: now, actor, buyerKey, supplierKey: null, action: 'invoice.issued', target, changes, ...origin },
  ]);
}
