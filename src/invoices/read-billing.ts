// Reads a partner's billing: balance, invoices and a page of the ledger (contract 6.18).
import { strict as assert } from 'node:assert';
import { typeId, type InvoiceId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import { readBuyer } from '../buyers/read-buyers.ts';
import type { LedgerEntry } from '../ledger/entry.rules.ts';
import { listEntries } from '../ledger/entries.ts';
import type { EntryFilter } from '../ledger/entry-versions.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import { pageMembers } from '../platform/http/page-links.ts';
import { invoiceView } from './invoice-view.rules.ts';
import { readInvoiceIds, readInvoices } from './find-invoices.ts';
import { readReceipts } from './receipts/find-receipts.ts';
import type { Receipt } from './receipts/receipt.ts';

/** Of the ledger; without a filter all of it. */
export type BillingPage = { readonly page: number; readonly pageSize: number; readonly filter?: EntryFilter };

/** Exactly the members of the contract. `tx` must be a snapshot, so that all parts are of the same instant. */
export async function readBilling(tx: Tx, buyerKey: string, span: BillingPage, now: Date) {
  const { settings } = await readSettings(tx);
  const buyer = await readBuyer(tx, buyerKey);
  assert(buyer !== null, 'an authenticated partner is not in the database');
  const { creditLimitCents } = buyer.billing;
  const invoices = await readInvoices(tx, buyerKey, now);
  const { balanceCents, heldCents, ledger } = await readLedgerPage(tx, buyerKey, span);
  return {
    partnerKey: buyerKey,
    currency: settings.currency,
    currentBalance: wireAmount(balanceCents),
    creditLimit: creditLimitCents === null ? null : wireAmount(creditLimitCents),
    held: wireAmount(heldCents),
    invoices: invoices.map((invoice) => invoiceView(invoice)),
    receipts: (await readReceipts(tx, buyerKey)).map(receiptView),
    ledger,
  };
}

function receiptView({ receiptId, number, amountCents, description, paidAt, issuedAt }: Receipt) {
  return {
    receiptId: typeId('receipt', receiptId),
    number,
    amount: wireAmount(amountCents),
    description,
    paidAt: paidAt.toISOString(),
    issuedAt: issuedAt.toISOString(),
  };
}

/** A page of the ledger, with balance and holds. */
export async function readLedgerPage(tx: Tx, buyerKey: string, span: BillingPage) {
  const { balanceCents, heldCents, total, entries } = await listEntries(tx, buyerKey, span);
  const billed = entries.filter(({ type }) => type === 'charge' || type === 'credit');
  const invoiceOf = await readInvoiceIds(
    tx,
    billed.map(({ transferId }) => transferId),
  );
  const ledger = {
    ...pageMembers({ page: span.page, pageSize: span.pageSize, total }),
    data: entries.map((entry) => entryView(entry, entry.invoiceId ?? invoiceOf.get(entry.transferId) ?? null)),
  };
  return { balanceCents, heldCents, ledger };
}

function entryView(entry: LedgerEntry, invoiceId: InvoiceId | null) {
  const { transferId, createdAt, type, amountCents, balanceAfterCents, description } = entry;
  return {
    entryId: typeId('transfer', transferId),
    createdAt: createdAt.toISOString(),
    type,
    amount: wireAmount(amountCents),
    balanceAfter: wireAmount(balanceAfterCents),
    description,
    deliveryId: entry.deliveryId === null ? null : typeId('delivery', entry.deliveryId),
    returnId: entry.returnId === null ? null : typeId('return', entry.returnId),
    disputeId: entry.disputeId === null ? null : typeId('dispute', entry.disputeId),
    invoiceId: invoiceId === null ? null : typeId('invoice', invoiceId),
  };
}
