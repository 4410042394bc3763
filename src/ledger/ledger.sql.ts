// SQL statements for accounts, transfers and entries; all of them work on sets.
import { statement } from '../platform/database/database.ts';
import type { AccountState, Funds, TransferType } from './transfer.rules.ts';
import type { LedgerEntry, SupplierEntry } from './entry.rules.ts';
import type { DeliveryId, InvoiceId } from '../base/ids.ts';

export const insertAccounts = statement<{
  readonly buyerKeys: readonly string[];
  readonly accountKinds: readonly string[];
}>(
  'ledger.open-accounts',
  `INSERT INTO account (account_key, kind, buyer_key)
   SELECT kind || ':' || buyer_key, kind, buyer_key
   FROM unnest($buyerKeys::text[]) AS buyer (buyer_key), unnest($accountKinds::text[]) AS kind_of_account (kind)
   ORDER BY buyer_key COLLATE "C", kind COLLATE "C"
   ON CONFLICT (account_key) DO NOTHING`,
);

export const insertSupplierAccounts = statement<{
  readonly supplierKeys: readonly string[];
  readonly accountKinds: readonly string[];
}>(
  'ledger.open-supplier-accounts',
  `INSERT INTO account (account_key, kind, supplier_key)
   SELECT kind || ':' || supplier_key, kind, supplier_key
   FROM unnest($supplierKeys::text[]) AS supplier (supplier_key), unnest($accountKinds::text[]) AS kind_of_account (kind)
   ORDER BY supplier_key COLLATE "C", kind COLLATE "C"
   ON CONFLICT (account_key) DO NOTHING`,
);

export type AccountRow = AccountState & { readonly accountKey: string };

/**
 * The order of all account locks: partners by key, then suppliers by key, each one's own account before its counterparts. It rules out
 * deadlocks, and a transaction that holds a buyer's own account never waits for the counterparts. Keys never change, so the weaker lock
 * (NO KEY) is enough, and foreign key checks do not wait for it.
 */
const LOCK_ORDER = `ORDER BY buyer_key COLLATE "C", supplier_key COLLATE "C", kind NOT IN ('buyer', 'supplier'), kind COLLATE "C"
   FOR NO KEY UPDATE`;

export const lockAccountsSql = statement<{ readonly accountKeys: Buffer | readonly string[] }, AccountRow>(
  'ledger.lock-accounts',
  `SELECT account_key AS "accountKey", balance_cents AS "balanceCents", held_cents AS "heldCents", version
   FROM account WHERE account_key = ANY ($accountKeys::text[]) ${LOCK_ORDER}`,
);

export const selectAccount = statement<{ readonly key: string }, AccountRow>(
  'ledger.select-account',
  `SELECT account_key AS "accountKey", balance_cents AS "balanceCents", held_cents AS "heldCents", version
   FROM account WHERE account_key = $key`,
);

/** Locks nothing: the funds may have changed by the next statement. */
export const selectFunds = statement<{ readonly buyerKeys: readonly string[] }, Funds & { buyerKey: string }>(
  'ledger.select-funds',
  `SELECT buyer_key AS "buyerKey", balance_cents AS "balanceCents", held_cents AS "heldCents"
   FROM account WHERE kind = 'buyer' AND buyer_key = ANY ($buyerKeys::text[])`,
);

/** Of these suppliers those that have an account. */
export const selectSupplierAccounts = statement<
  { readonly supplierKeys: readonly string[] },
  { readonly supplierKey: string }
>(
  'ledger.supplier-accounts',
  `SELECT supplier_key AS "supplierKey" FROM account WHERE kind = 'supplier' AND supplier_key = ANY ($supplierKeys::text[])`,
);

/** A negative amount releases. The held total itself cannot become negative (a CHECK). */
export const changeHeld = statement<{
  readonly accountKeys: readonly string[];
  readonly amountCents: readonly number[];
}>(
  'ledger.change-held',
  `WITH locked AS (SELECT account_key FROM account WHERE account_key = ANY ($accountKeys::text[]) ${LOCK_ORDER}),
        change AS (SELECT * FROM unnest($accountKeys::text[], $amountCents::bigint[]) AS change (account_key, amount_cents))
   UPDATE account SET held_cents = held_cents + change.amount_cents
   FROM locked JOIN change USING (account_key) WHERE account.account_key = locked.account_key
   RETURNING account.account_key AS "accountKey"`,
);

/** Returns the keys of the new transfers; waits for concurrent transactions that insert the same keys. */
export const insertTransfers = statement<
  {
    readonly transferIds: Buffer;
    readonly businessKeys: Buffer;
    readonly types: Buffer;
    readonly fromAccounts: Buffer;
    readonly toAccounts: Buffer;
    readonly amountCents: Buffer;
    readonly descriptions: Buffer;
    readonly deliveryIds: Buffer;
    readonly returnIds: Buffer;
    readonly disputeIds: Buffer;
    readonly invoiceIds: Buffer;
    readonly now: Date;
  },
  { businessKey: string }
>(
  'ledger.insert-transfers',
  `INSERT INTO transfer (transfer_id, business_key, type, from_account, to_account, amount_cents, description,
                         delivery_id, return_id, dispute_id, invoice_id, created_at)
   SELECT transfer_id, business_key, type, from_account, to_account, amount_cents, description,
          delivery_id, return_id, dispute_id, invoice_id, $now
   FROM unnest($transferIds::uuid[], $businessKeys::text[], $types::text[], $fromAccounts::text[], $toAccounts::text[], $amountCents::bigint[], $descriptions::text[],
               $deliveryIds::uuid[], $returnIds::uuid[], $disputeIds::uuid[], $invoiceIds::uuid[])
     AS transfer (transfer_id, business_key, type, from_account, to_account, amount_cents, description,
                  delivery_id, return_id, dispute_id, invoice_id)
   ORDER BY business_key COLLATE "C"
   ON CONFLICT (business_key) DO NOTHING
   RETURNING business_key AS "businessKey"`,
);

/** The accounts must be locked by this transaction: the new states are computed from the locked ones. */
export const writeEntries = statement<{
  readonly transferIds: Buffer;
  readonly accountKeys: Buffer;
  readonly accountVersions: Buffer;
  readonly amountCents: Buffer;
  readonly balanceAfterCents: Buffer;
  readonly now: Date;
  readonly changedKeys: Buffer;
  readonly balanceCents: Buffer;
  readonly heldCents: Buffer;
  readonly versions: Buffer;
}>(
  'ledger.write-entries',
  `WITH written AS (
     INSERT INTO entry (transfer_id, account_key, account_version, amount_cents, balance_after_cents, created_at)
     SELECT transfer_id, account_key, account_version, amount_cents, balance_after_cents, $now
     FROM unnest($transferIds::uuid[], $accountKeys::text[], $accountVersions::bigint[], $amountCents::bigint[], $balanceAfterCents::bigint[])
       AS entry (transfer_id, account_key, account_version, amount_cents, balance_after_cents)
   )
   UPDATE account SET balance_cents = state.balance_cents, held_cents = state.held_cents, version = state.version
   FROM unnest($changedKeys::text[], $balanceCents::bigint[], $heldCents::bigint[], $versions::bigint[])
     AS state (account_key, balance_cents, held_cents, version)
   WHERE account.account_key = state.account_key`,
);

// Of a transfer's two entries the one on the owner's own account.
const OWN_ENTRY = `transfer.transfer_id AS "transferId", transfer.business_key AS "businessKey",
          transfer.type, entry.amount_cents AS "amountCents", entry.balance_after_cents AS "balanceAfterCents",
          transfer.description, transfer.delivery_id AS "deliveryId", transfer.return_id AS "returnId",
          transfer.dispute_id AS "disputeId", transfer.created_at AS "createdAt"`;
// Members of `LedgerEntry` and `SupplierEntry`.
const BUYER_ENTRY = `${OWN_ENTRY}, account.buyer_key AS "buyerKey", transfer.invoice_id AS "invoiceId"`;
const SUPPLIER_ENTRY = `${OWN_ENTRY}, account.supplier_key AS "supplierKey"`;

// OFFSET 0 makes the planner look up the entries per transfer. With outdated statistics it may start from the accounts, which are few, and
// then read every entry of every buyer.
const FROM_TRANSFERS = `FROM transfer CROSS JOIN LATERAL (
     SELECT entry.account_key, account_version, amount_cents, balance_after_cents
     FROM entry WHERE entry.transfer_id = transfer.transfer_id OFFSET 0) AS entry
   JOIN account ON account.account_key = entry.account_key`;
const SELECT_BUYER_ENTRIES = `SELECT ${BUYER_ENTRY} ${FROM_TRANSFERS} AND account.kind = 'buyer'`;

export const selectSupplierEntries = statement<{ readonly businessKeys: readonly string[] }, SupplierEntry>(
  'ledger.supplier-entries',
  `SELECT ${SUPPLIER_ENTRY} ${FROM_TRANSFERS} AND account.kind = 'supplier'
   WHERE transfer.business_key = ANY ($businessKeys::text[])`,
);

export const selectSupplierEntriesOfDelivery = statement<{ readonly deliveryId: DeliveryId }, SupplierEntry>(
  'ledger.supplier-entries-of-delivery',
  `SELECT ${SUPPLIER_ENTRY} ${FROM_TRANSFERS} AND account.kind = 'supplier'
   WHERE transfer.delivery_id = $deliveryId ORDER BY entry.account_version`,
);

export const selectByBusinessKeys = statement<{ readonly businessKeys: readonly string[] }, LedgerEntry>(
  'ledger.by-business-keys',
  `${SELECT_BUYER_ENTRIES} WHERE transfer.business_key = ANY ($businessKeys::text[])`,
);

export const selectDeliveryEntries = statement<{ readonly deliveryId: DeliveryId }, LedgerEntry>(
  'ledger.of-delivery',
  `${SELECT_BUYER_ENTRIES} WHERE transfer.delivery_id = $deliveryId ORDER BY entry.account_version`,
);

export const selectPaymentsOfInvoice = statement<
  { readonly invoiceId: InvoiceId; readonly amountCents: number },
  { readonly businessKey: string; readonly createdAt: Date }
>(
  'ledger.payments-of-invoice',
  `SELECT business_key AS "businessKey", created_at AS "createdAt" FROM transfer
   WHERE invoice_id = $invoiceId AND type = 'payment' AND amount_cents = $amountCents`,
);

/** Entries of a buyer's own account, newest first. */
export const selectEntryPage = statement<{ readonly key: string; readonly versions: readonly number[] }, LedgerEntry>(
  'ledger.entry-page',
  `SELECT ${BUYER_ENTRY}
   FROM transfer JOIN entry USING (transfer_id) JOIN account ON account.account_key = entry.account_key AND account.kind = 'buyer'
   WHERE entry.account_key = $key AND entry.account_version = ANY ($versions::bigint[])
   ORDER BY entry.account_version DESC`,
);

export type EntryTime = { readonly version: number; readonly createdAt: Date };

/** By version. */
export const selectEntryTimes = statement<{ readonly key: string; readonly versions: readonly number[] }, EntryTime>(
  'ledger.entry-times',
  `SELECT account_version AS version, created_at AS "createdAt"
   FROM entry WHERE account_key = $key AND account_version = ANY ($versions::bigint[]) ORDER BY account_version`,
);

/** Of an account's entries with after < version ≤ upTo those on one side of an instant: before it, or not before it. By version. */
export const selectEntriesBeside = statement<
  {
    readonly key: string;
    readonly after: number;
    readonly upTo: number;
    readonly at: Date;
    readonly isBefore: boolean;
  },
  { readonly version: number }
>(
  'ledger.entries-beside',
  `SELECT account_version AS version FROM entry
   WHERE account_key = $key AND account_version > $after AND account_version <= $upTo AND (created_at < $at) = $isBefore
   ORDER BY account_version`,
);

/**
 * Of a buyer's own entries with after < version ≤ upTo those that are no charge, by version. `accountKeys` are all accounts of the buyer,
 * so that an index without charges finds them; null is any type or time; from ≤ time < until. The entry is looked up for each transfer
 * (OFFSET 0), because with outdated statistics all entries of the account could be read.
 */
export const selectVersionsButCharges = statement<
  {
    readonly key: string;
    readonly accountKeys: readonly string[];
    readonly type: TransferType | null;
    readonly from: Date | null;
    readonly until: Date | null;
    readonly after: number;
    readonly upTo: number;
  },
  { readonly version: number }
>(
  'ledger.versions-but-charges',
  `SELECT account_version AS version
   FROM transfer CROSS JOIN LATERAL (
     SELECT entry.account_key, account_version FROM entry WHERE entry.transfer_id = transfer.transfer_id OFFSET 0) AS entry
   WHERE to_account = ANY ($accountKeys::text[]) AND type NOT IN ('charge', 'cost') AND ($type::text IS NULL OR type = $type)
     AND ($from::timestamptz IS NULL OR created_at >= $from) AND ($until::timestamptz IS NULL OR created_at < $until)
     AND account_key = $key AND account_version > $after AND account_version <= $upTo
   ORDER BY account_version`,
);

export type EntrySums = { readonly debitCents: number; readonly creditCents: number };

const SUMS = `coalesce(-sum(amount_cents) FILTER (WHERE amount_cents < 0), 0)::bigint AS "debitCents",
          coalesce(sum(amount_cents) FILTER (WHERE amount_cents > 0), 0)::bigint AS "creditCents"`;

/** Over an account's entries with after < version ≤ upTo but for some; both sums are above 0. */
export const sumEntryRange = statement<
  { readonly key: string; readonly after: number; readonly upTo: number; readonly without: readonly number[] },
  EntrySums
>(
  'ledger.sum-entry-range',
  `SELECT ${SUMS} FROM entry
   WHERE account_key = $key AND account_version > $after AND account_version <= $upTo
     AND NOT EXISTS (SELECT FROM unnest($without::bigint[]) AS left_out (version) WHERE left_out.version = account_version)`,
);

export const sumEntriesOnly = statement<{ readonly key: string; readonly versions: readonly number[] }, EntrySums>(
  'ledger.sum-entries-only',
  `SELECT ${SUMS} FROM entry WHERE account_key = $key AND account_version = ANY ($versions::bigint[])`,
);

export type RecountRow = {
  readonly accounts: number;
  readonly entries: number;
  readonly differenceCents: number;
  readonly unbalancedTransfers: number;
  readonly wrongBalances: number;
  readonly brokenChains: number;
  readonly negativeHolds: number;
};

/** One statement, so that all counts are of the same instant. */
export const recount = statement<void, RecountRow>(
  'ledger.recount',
  `WITH chained AS (
     SELECT account_key, account_version, amount_cents, balance_after_cents,
            row_number() OVER history AS position, lag(balance_after_cents, 1, 0::bigint) OVER history AS balance_before_cents
     FROM entry WINDOW history AS (PARTITION BY account_key ORDER BY account_version)),
   summed AS (
     SELECT account_key, sum(amount_cents) AS balance_cents, count(*) AS version, count(*) FILTER (
              WHERE account_version <> position OR balance_after_cents <> balance_before_cents + amount_cents) AS breaks
     FROM chained GROUP BY account_key),
   compared AS (
     SELECT coalesce(account.balance_cents, 0) - coalesce(summed.balance_cents, 0) AS difference_cents,
            coalesce(account.version, 0) IS DISTINCT FROM coalesce(summed.version, 0) OR coalesce(summed.breaks, 0) > 0
              OR account.account_key IS NULL AS is_broken,
            coalesce(account.held_cents, 0) < 0 AS is_negative
     FROM account FULL JOIN summed USING (account_key)),
   unbalanced AS (
     SELECT transfer_id FROM transfer FULL JOIN entry USING (transfer_id)
     GROUP BY transfer_id
     HAVING count(entry.account_key) <> 2
       OR count(*) FILTER (WHERE entry.account_key = from_account AND entry.amount_cents = -transfer.amount_cents) <> 1
       OR count(*) FILTER (WHERE entry.account_key = to_account AND entry.amount_cents = transfer.amount_cents) <> 1)
   SELECT (SELECT count(*) FROM account) AS accounts,
          (SELECT count(*) FROM entry) AS entries,
          (SELECT count(*) FROM unbalanced) AS "unbalancedTransfers",
          count(*) FILTER (WHERE difference_cents <> 0) AS "wrongBalances",
          count(*) FILTER (WHERE is_broken) AS "brokenChains",
          count(*) FILTER (WHERE is_negative) AS "negativeHolds",
          (coalesce(sum(abs(difference_cents)), 0)
            + abs((SELECT coalesce(sum(amount_cents), 0) FROM entry)))::bigint AS "differenceCents"
   FROM compared`,
);
