// JSON views of an invoice for partners and for operators (contract 6.18, 7.2).
import { typeId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import type { Invoice } from './invoice.ts';

/** Exactly the members of the contract. */
export function invoiceView(invoice: Invoice) {
  return {
    invoiceId: typeId('invoice', invoice.invoiceId),
    number: invoice.number,
    periodStart: invoice.startsAt.toISOString(),
    periodEnd: invoice.endsAt.toISOString(),
    status: invoice.status,
    subtotal: wireAmount(invoice.subtotalCents),
    credits: wireAmount(invoice.creditsCents),
    carriedIn: wireAmount(invoice.carriedInCents),
    carriedOut: wireAmount(invoice.carriedOutCents),
    net: wireAmount(invoice.totalCents - invoice.taxCents),
    taxPercent: wireAmount(invoice.taxBasisPoints),
    tax: wireAmount(invoice.taxCents),
    total: wireAmount(invoice.totalCents),
    amountDue: wireAmount(invoice.amountDueCents),
    issuedAt: invoice.issuedAt.toISOString(),
    dueAt: invoice.dueAt.toISOString(),
    paidAt: invoice.paidAt?.toISOString() ?? null,
  };
}

/** For operators: with partner and payments. */
export function invoiceForm(invoice: Invoice) {
  const { invoiceId, number, ...rest } = invoiceView(invoice);
  return {
    invoiceId,
    number,
    partner: invoice.buyerKey,
    month: invoice.month,
    timeZone: invoice.timeZone,
    ...rest,
    currency: invoice.currency,
    fromBalance: wireAmount(invoice.fromBalanceCents),
    paid: wireAmount(invoice.paidCents),
    voidedAt: invoice.voidedAt?.toISOString() ?? null,
    voidNote: invoice.voidNote,
  };
}
