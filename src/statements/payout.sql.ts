// SQL on the table supplier_payout. The balance itself is the ledger's.
import { statement } from '../platform/database/database.ts';
import { type Payout, type PayoutOrder, payoutOrders } from './statement.ts';

const PAYOUT = `transfer_id AS "transferId", supplier_key AS "supplierKey", reference, supplier_payout.amount_cents AS "amountCents",
   supplier_payout.balance_after_cents AS "balanceAfterCents", recorded_at AS "recordedAt"`;

export const payoutByReference = statement<{ readonly supplierKey: string; readonly reference: string }, Payout>(
  'statements.payout_by_reference',
  `SELECT ${PAYOUT} FROM supplier_payout WHERE supplier_key = $supplierKey AND reference = $reference`,
);

export const insertPayout = statement<Payout>(
  'statements.insert_payout',
  `INSERT INTO supplier_payout (transfer_id, supplier_key, reference, amount_cents, balance_after_cents, recorded_at)
   VALUES ($transferId, $supplierKey, $reference, $amountCents, $balanceAfterCents, $recordedAt)`,
);

export const payoutsAfter = statement<
  { readonly supplierKey: string | null; readonly at: Date; readonly id: string; readonly limit: number },
  Payout
>(
  'statements.payouts_after',
  `SELECT ${PAYOUT} FROM supplier_payout
   WHERE ($supplierKey::text IS NULL OR supplier_key = $supplierKey) AND (recorded_at, transfer_id) < ($at, $id)
   ORDER BY recorded_at DESC, transfer_id DESC LIMIT $limit`,
);

export const countPayouts = statement<{ readonly supplierKey: string | null }, { total: number }>(
  'statements.count_payouts',
  `SELECT count(*) AS total FROM supplier_payout WHERE $supplierKey::text IS NULL OR supplier_key = $supplierKey`,
);

const BY = { recorded: 'recorded_at', amount: 'amount_cents' } as const;

/** Operators record payouts one by one, so that sorting them by amount is quick. */
function pageBy(order: PayoutOrder) {
  const [column, direction] = order.startsWith('-') ? [order.slice(1), 'DESC'] : [order, 'ASC'];
  return statement<{ readonly supplierKey: string | null; readonly offset: number; readonly limit: number }, Payout>(
    `statements.payouts_by_${order}`,
    `SELECT ${PAYOUT} FROM supplier_payout WHERE $supplierKey::text IS NULL OR supplier_key = $supplierKey
     ORDER BY ${BY[column as keyof typeof BY]} ${direction}, transfer_id ${direction} OFFSET $offset LIMIT $limit`,
  );
}

export const pagesOfPayouts = Object.fromEntries(payoutOrders.map((order) => [order, pageBy(order)])) as Readonly<
  Record<PayoutOrder, ReturnType<typeof pageBy>>
>;

/** The payouts among the entries of a statement, oldest first. */
export const payoutsBetween = statement<
  {
    readonly supplierKey: string;
    readonly accountKey: string;
    readonly fromVersion: number;
    readonly upToVersion: number;
    readonly limit: number;
  },
  Payout
>(
  'statements.payouts_between',
  `SELECT ${PAYOUT} FROM supplier_payout JOIN entry USING (transfer_id)
   WHERE supplier_key = $supplierKey AND entry.account_key = $accountKey
     AND entry.account_version BETWEEN $fromVersion AND $upToVersion ORDER BY entry.account_version LIMIT $limit`,
);
