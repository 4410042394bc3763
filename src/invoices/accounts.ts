// Partner accounts for the operator: balance, holds and available funds, and how a balance relates to invoices (contract 4.7, 6.19, 7.7).
import { strict as assert } from 'node:assert';
import type { Buyer } from '../buyers/buyer.ts';
import { readBuyer, readBuyers } from '../buyers/read-buyers.ts';
import { readFunds } from '../ledger/funds.ts';
import type { Tx } from '../platform/database/database.ts';
import { type AccountFacts, type AccountOrder, availableCents, ordered } from './account-order.rules.ts';
import { accountKey } from '../ledger/transfer.rules.ts';
import { readProgress, selectBalance } from './invoice.sql.ts';
import type { BalanceSummary } from './settlement.rules.ts';

export type AccountsQuery = {
  /** Part of a key or name; '' for all. */
  readonly search: string;
  readonly order: AccountOrder;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
};

export type Account = AccountFacts & { readonly buyer: Buyer };

/** Reads all partners for every page: there are only as many as in the marketplace file. */
export async function listAccounts(
  tx: Tx,
  { search, order, page, pageSize }: AccountsQuery,
): Promise<{ readonly total: number; readonly accounts: readonly Account[] }> {
  const term = search.trim().toLowerCase();
  const buyers = [...(await readBuyers(tx)).values()].filter(
    ({ buyerKey, name }) => buyerKey.includes(term) || name.toLowerCase().includes(term),
  );
  const accounts = ordered(await withFunds(tx, buyers), order);
  const offset = (page - 1) * pageSize;
  return { total: accounts.length, accounts: accounts.slice(offset, offset + pageSize) };
}

/** Null if there is no such partner. */
export async function readAccount(tx: Tx, buyerKey: string): Promise<Account | null> {
  const buyer = await readBuyer(tx, buyerKey);
  if (buyer === null) return null;
  const [account] = await withFunds(tx, [buyer]);
  return account ?? null;
}

async function withFunds(tx: Tx, buyers: readonly Buyer[]): Promise<Account[]> {
  const funds = await readFunds(
    tx,
    buyers.map(({ buyerKey }) => buyerKey),
  );
  return buyers.map((buyer) => {
    const { balanceCents = 0, heldCents = 0 } = funds.get(buyer.buyerKey) ?? {};
    const { creditLimitCents } = buyer.billing;
    const facts = { name: buyer.name, balanceCents, heldCents, creditLimitCents };
    return { ...facts, buyer, availableCents: availableCents(facts) };
  });
}

/** The balance, and what is due, not billed yet or carried. Reads the entries that are not settled. */
export async function readBalance(tx: Tx, buyerKey: string): Promise<BalanceSummary> {
  const [progress] = await tx.query(readProgress, { buyerKey });
  const [balance] = await tx.query(selectBalance, {
    accountKey: accountKey('buyer', buyerKey),
    settledVersion: progress?.settledVersion ?? 0,
    buyerKey,
  });
  assert(balance !== undefined, 'a sum always returns a row');
  return balance;
}
