// Renders the documents that emails with notices have attached: the PDFs of invoices, statements and receipts (contract 12.3).
import { typeId } from '../base/ids.ts';
import { findInvoice, readInvoiceDetail } from '../invoices/find-invoices.ts';
import { type InvoiceDocument, invoiceDocument } from '../invoices/invoice-document.rules.ts';
import { invoicePdf } from '../invoices/invoice-pdf.ts';
import { findReceipt } from '../invoices/receipts/find-receipts.ts';
import { receiptDocument } from '../invoices/receipts/receipt-document.rules.ts';
import type { Brand } from '../marketplace/brand.schema.ts';
import type { NoticeAttachment } from '../notices/notice.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { MailAttachment } from '../platform/outbound/mail/mail.ts';
import { findStatement, readStatementDetail } from '../statements/find-statements.ts';
import { statementDocument } from '../statements/statement-document.rules.ts';

export type NoticeAttachmentOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly brand: () => Brand;
};

export function createNoticeAttachments({
  database,
  clock,
  brand,
}: NoticeAttachmentOptions): (attachment: NoticeAttachment) => Promise<MailAttachment | null> {
  return async (attachment) => {
    const document = await database.tx((tx) => documentOf(tx, attachment, clock.now()), { snapshot: true });
    if (document === null) return null;
    const content = await invoicePdf(document, brand());
    return { filename: `${document.number}.pdf`, contentType: 'application/pdf', content };
  };
}

/** Null if there is none any more. */
async function documentOf(tx: Tx, attachment: NoticeAttachment, now: Date): Promise<InvoiceDocument | null> {
  if (attachment.invoice !== undefined) {
    const invoice = await findInvoice(tx, typeId('invoice', attachment.invoice), now);
    return invoice === null ? null : invoiceDocument(await readInvoiceDetail(tx, invoice));
  }
  if (attachment.receipt !== undefined) {
    const receipt = await findReceipt(tx, attachment.receipt);
    return receipt === null ? null : receiptDocument(receipt);
  }
  const statement = await findStatement(tx, typeId('statement', attachment.statement));
  return statement === null ? null : statementDocument(await readStatementDetail(tx, statement));
}
