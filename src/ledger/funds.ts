// Reads, locks, holds and releases the funds of buyers (contract 4.7).
import { strict as assert } from 'node:assert';
import type { Tx } from '../platform/database/database.ts';
import { selectFunds, lockAccountsSql, changeHeld } from './ledger.sql.ts';
import { type Funds, accountKey } from './transfer.rules.ts';

/** By buyer key, without a lock: decide only after `lockFunds` has confirmed the amounts. */
export async function readFunds(tx: Tx, buyerKeys: readonly string[]): Promise<Map<string, Funds>> {
  if (buyerKeys.length === 0) return new Map();
  const rows = await tx.query(selectFunds, { buyerKeys });
  return new Map(rows.map(({ buyerKey, balanceCents, heldCents }) => [buyerKey, { balanceCents, heldCents }]));
}

/** Locks the buyers' own accounts until the transaction ends, always in the ledger's order. By buyer key, without buyers that have no account. */
export async function lockFunds(tx: Tx, buyerKeys: readonly string[]): Promise<Map<string, Funds>> {
  if (buyerKeys.length === 0) return new Map();
  const byAccount = new Map(buyerKeys.map((buyerKey) => [accountKey('buyer', buyerKey), buyerKey]));
  const rows = await tx.query(lockAccountsSql, { accountKeys: [...byAccount.keys()] });
  return new Map(
    rows.flatMap(({ accountKey: account, balanceCents, heldCents }) => {
      const buyerKey = byAccount.get(account);
      return buyerKey === undefined ? [] : [[buyerKey, { balanceCents, heldCents }]];
    }),
  );
}

/** Amounts by buyer key, in cents of 0 or more. Every buyer must have an account. */
export async function holdFunds(tx: Tx, amounts: ReadonlyMap<string, number>): Promise<void> {
  await changeHeldFunds(tx, amounts, 1);
}

/**
 * Releases held amounts that will not be charged. Amounts by buyer key, in cents of 0 or more; releasing more than is held fails the
 * transaction. A charge releases its own hold (`releaseHeldCents`).
 */
export async function releaseFunds(tx: Tx, amounts: ReadonlyMap<string, number>): Promise<void> {
  await changeHeldFunds(tx, amounts, -1);
}

async function changeHeldFunds(tx: Tx, amounts: ReadonlyMap<string, number>, sign: 1 | -1): Promise<void> {
  for (const [buyerKey, cents] of amounts) {
    assert(
      Number.isSafeInteger(cents) && cents >= 0,
      `the amount to hold or release for ${buyerKey} is not a whole number of cents`,
    );
  }
  const changes = [...amounts].filter(([, cents]) => cents > 0);
  if (changes.length === 0) return;
  const changed = await tx.query(changeHeld, {
    accountKeys: changes.map(([buyerKey]) => accountKey('buyer', buyerKey)),
    amountCents: changes.map(([, cents]) => sign * cents),
  });
  assert(changed.length === changes.length, 'a buyer whose funds are to be held or released has no account');
}
