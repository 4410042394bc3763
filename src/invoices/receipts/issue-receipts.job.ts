// Issues a receipt for each payment of prepaid partners, and notifies all partners of their payments (contract 6.21).
import { strict as assert } from 'node:assert';
import { newUuid, typeId } from '../../base/ids.ts';
import { wireAmount } from '../../base/money.ts';
import type { Buyer } from '../../buyers/buyer.ts';
import { readBuyer } from '../../buyers/read-buyers.ts';
import type { MarketplaceSettings } from '../../marketplace/settings.ts';
import { readSettings } from '../../marketplace/stored-settings.ts';
import { type LeftOut, reportLeftOut } from '../../notices/left-out.ts';
import type { NewNotice } from '../../notices/notice.ts';
import { raiseNotices } from '../../notices/raise-notices.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import { workApart } from '../../platform/work-apart.ts';
import { findInvoice } from '../find-invoices.ts';
import { type Receipt, receiptNumber } from './receipt.ts';
import {
  buyersWithPayments,
  insertReceipt,
  lockReceipts,
  type NewPayment,
  nextReceiptNumber,
  paymentsAfter,
  writeReceiptProgress,
} from './receipt.sql.ts';

/** Keeps the counter of numbers locked for a short time. */
const AT_ONCE = 50;

/**
 * A transaction per partner and some payments, each payment once: the partner's position in its payments is locked and moved on with them. A partner
 * that was postpaid when its payment was looked at has no receipt for it.
 */
export async function issueReceipts(database: Database, clock: Clock): Promise<void> {
  const failed = await workApart(await database.query(buyersWithPayments), async ({ buyerKey }) => {
    while ((await database.tx((tx) => receiptSome(tx, buyerKey, clock.now()))) === AT_ONCE);
  });
  const leftOut = failed.map(({ one: { buyerKey: key }, error }): LeftOut => ({
    ...{ account: 'partner', key, partner: null, work: 'receipts', error },
  }));
  await reportLeftOut(database, clock, leftOut);
}

async function receiptSome(tx: Tx, buyerKey: string, now: Date): Promise<number> {
  const [progress] = await tx.query(lockReceipts, { buyerKey });
  assert(progress !== undefined, 'a locked row is returned');
  const payments = await tx.query(paymentsAfter, { buyerKey, cashVersion: progress.cashVersion, limit: AT_ONCE });
  const last = payments.at(-1);
  const buyer = await readBuyer(tx, buyerKey);
  if (last === undefined || buyer === null) return 0;
  const { settings } = await readSettings(tx);
  const notices: NewNotice[] = [];
  for (const payment of payments) {
    const isPrepaid = buyer.billing.mode === 'prepaid';
    const receipt = isPrepaid ? await issueReceipt(tx, { payment, buyer, settings }, now) : null;
    notices.push(await paymentNotice(tx, { payment, buyer, receipt, currency: settings.currency }, now));
  }
  await raiseNotices(tx, notices, now);
  await tx.query(writeReceiptProgress, { buyerKey, cashVersion: last.cashVersion });
  return payments.length;
}

type Paid = { readonly payment: NewPayment; readonly buyer: Buyer; readonly settings: MarketplaceSettings };

async function issueReceipt(tx: Tx, { payment, buyer, settings }: Paid, now: Date): Promise<Receipt> {
  const year = now.getUTCFullYear();
  const [number] = await tx.query(nextReceiptNumber, { year });
  assert(number !== undefined, 'the counter of receipts returned no number');
  const { transferId, amountCents, description, paidAt } = payment;
  const receipt: Receipt = {
    receiptId: newUuid(),
    number: receiptNumber(year, number.count),
    buyerKey: buyer.buyerKey,
    ...{ amountCents, description, paidAt },
    timeZone: buyer.timeZone,
    currency: settings.currency,
    sellerName: settings.name,
    sellerDetails: { address: settings.billing.address, taxId: settings.billing.taxId },
    buyerName: buyer.name,
    buyerDetails: { address: buyer.billing.address, taxId: buyer.billing.taxId },
    issuedAt: now,
  };
  const sellerDetails = JSON.stringify(receipt.sellerDetails);
  await tx.query(insertReceipt, {
    ...receipt,
    ...{ transferId, sellerDetails, buyerDetails: JSON.stringify(receipt.buyerDetails) },
  });
  return receipt;
}

type Received = Pick<Paid, 'payment' | 'buyer'> & { readonly receipt: Receipt | null; readonly currency: string };

async function paymentNotice(tx: Tx, { payment, buyer, receipt, currency }: Received, now: Date): Promise<NewNotice> {
  const { transferId, amountCents, description, invoiceId, balanceCents } = payment;
  const invoice = invoiceId === null ? null : await findInvoice(tx, typeId('invoice', invoiceId), now);
  return {
    kind: 'payment.received',
    recipient: { partner: buyer.buyerKey },
    occurrence: `payment.received:${transferId}`,
    ...(receipt === null ? {} : { attachment: { receipt: receipt.receiptId } }),
    data: {
      amount: wireAmount(amountCents),
      currency,
      reference: receipt?.number ?? description,
      invoiceNumber: invoice?.number ?? null,
      balance: wireAmount(balanceCents),
    },
  };
}
