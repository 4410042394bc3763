// GET /portal/api/buyer/receipts/:receiptId: the document of a receipt as PDF or HTML (contract 6.21).
import { uuidOf } from '../../base/ids.ts';
import { sendPreferred } from '../../invoices/invoice-document.route.ts';
import { readReceipt } from '../../invoices/receipts/find-receipts.ts';
import { receiptDocument } from '../../invoices/receipts/receipt-document.rules.ts';
import type { Brand } from '../../marketplace/brand.schema.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { NOT_FOUND } from '../../platform/http/request-fault.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { ReceiptParams } from './receipts.schema.ts';

export type PortalReceiptsDependencies = { readonly database: Database; readonly brand: () => Brand };

export function registerPortalReceipts(scope: App, { database, brand }: PortalReceiptsDependencies): void {
  scope.get('/api/buyer/receipts/:receiptId', { schema: { params: ReceiptParams } }, async (request, reply) => {
    const { ownerKey } = principalOf(request);
    const receiptId = uuidOf('receipt', request.params.receiptId);
    const receipt = receiptId === null ? null : await database.tx((tx) => readReceipt(tx, ownerKey, receiptId));
    if (receipt === null) return sendProblem(request, reply, NOT_FOUND);
    return sendPreferred(request, reply, { document: receiptDocument(receipt), brand: brand() });
  });
}
