// The content of a receipt document, in the layout of invoices (contract 6.21).
import { amount, dayOf, plain } from '../document-text.rules.ts';
import { type InvoiceDocument, partyLines } from '../invoice-document.rules.ts';
import type { Receipt } from './receipt.ts';

export function receiptDocument(receipt: Receipt): InvoiceDocument {
  const { number, buyerKey, amountCents, description, paidAt, timeZone, currency, issuedAt } = receipt;
  return {
    title: `Receipt ${number}`,
    number,
    author: plain(receipt.sellerName),
    stamp: 'PAID',
    parties: [
      { label: 'From', lines: [plain(receipt.sellerName), ...partyLines(receipt.sellerDetails)] },
      {
        label: 'Received from',
        lines: [plain(receipt.buyerName), ...partyLines(receipt.buyerDetails), `Account ${buyerKey}`],
      },
    ],
    facts: [
      { label: 'Receipt number', value: number },
      { label: 'Received', value: dayOf(paidAt, timeZone) },
      { label: 'Reference', value: plain(description) },
      { label: 'Issued', value: dayOf(issuedAt, timeZone) },
    ],
    tables: [],
    totals: [{ label: `Amount received in ${currency}`, amount: amount(amountCents), isStrong: true }],
    notes: [
      'An advance payment for leads. Each month’s invoice says what was bought, and the tax on it.',
      'Thank you.',
    ],
    issuedAt,
  };
}
