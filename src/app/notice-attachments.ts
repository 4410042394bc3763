// Renders the documents that e-mails with notices have attached: the PDFs of invoices and statements (contract 12.3).
import { typeId } from '../base/ids.ts';
import { findInvoice, readInvoiceDetail } from '../invoices/find-invoices.ts';
import { invoiceDocument } from '../invoices/invoice-document.rules.ts';
import { invoicePdf } from '../invoices/invoice-pdf.ts';
import type { NoticeAttachment } from '../notices/notice.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { MailAttachment } from '../platform/outbound/mail/mail.ts';

export function createNoticeAttachments(
  database: Database,
  clock: Clock,
): (attachment: NoticeAttachment) => Promise<MailAttachment | null> {
  return async ({ invoice: invoiceId }) => {
    if (invoiceId === undefined) return null;
    const detail = await database.tx(
      async (tx) => {
        const invoice = await findInvoice(tx, typeId('invoice', invoiceId), clock.now());
        return invoice === null ? null : readInvoiceDetail(tx, invoice);
      },
      { snapshot: true },
    );
    return detail === null ? null : pdf(detail.invoice.number ?? 'invoice', await invoicePdf(invoiceDocument(detail)));
  };
}

function pdf(name: string, content: Buffer): MailAttachment {
  return { filename: `${name}.pdf`, contentType: 'application/pdf', content };
}
