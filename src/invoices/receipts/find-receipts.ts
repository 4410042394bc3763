// Reads receipts of a partner (contract 6.21).
import type { ReceiptId } from '../../base/ids.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Receipt } from './receipt.ts';
import { receiptById, receiptOfBuyer, receiptsOfBuyer } from './receipt.sql.ts';

/** Some years of monthly payments; the ledger has all payments. */
const LISTED = 100;

/** The latest ones, newest first. */
export async function readReceipts(tx: Tx, buyerKey: string): Promise<Receipt[]> {
  return tx.query(receiptsOfBuyer, { buyerKey, limit: LISTED });
}

/** Null if the partner has no such receipt. */
export async function readReceipt(tx: Tx, buyerKey: string, receiptId: ReceiptId): Promise<Receipt | null> {
  const [receipt] = await tx.query(receiptOfBuyer, { buyerKey, receiptId });
  return receipt ?? null;
}

/** Of any partner: for the service itself. */
export async function findReceipt(tx: Tx, receiptId: ReceiptId): Promise<Receipt | null> {
  const [receipt] = await tx.query(receiptById, { receiptId });
  return receipt ?? null;
}
