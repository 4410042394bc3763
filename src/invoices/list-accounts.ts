// The partners' accounts for the operator: what each has, has promised and may still spend (contract 4.7, 7.7).
import type { Buyer } from '../buyers/buyer.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { readFunds } from '../ledger/funds.ts';
import type { Tx } from '../platform/database/database.ts';
import { type AccountFacts, type AccountOrder, availableCents, ordered } from './account-order.rules.ts';

export type AccountsQuery = {
  /** Part of a key or name; '' for all. */
  readonly search: string;
  readonly order: AccountOrder;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
};

export type Account = AccountFacts & { readonly buyer: Buyer };

/** Partners are as many as there are in the marketplace file, so that all of them are looked at for every page. */
export async function listAccounts(
  tx: Tx,
  { search, order, page, pageSize }: AccountsQuery,
): Promise<{ readonly total: number; readonly accounts: readonly Account[] }> {
  const wanted = search.trim().toLowerCase();
  const buyers = [...(await readBuyers(tx)).values()].filter(
    ({ buyerKey, name }) => buyerKey.includes(wanted) || name.toLowerCase().includes(wanted),
  );
  const accounts = ordered(await withFunds(tx, buyers), order);
  const offset = (page - 1) * pageSize;
  return { total: accounts.length, accounts: accounts.slice(offset, offset + pageSize) };
}

/** Null where there is no such partner. */
export async function readAccount(tx: Tx, buyerKey: string): Promise<Account | null> {
  const buyer = (await readBuyers(tx)).get(buyerKey);
  if (buyer === undefined) return null;
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
