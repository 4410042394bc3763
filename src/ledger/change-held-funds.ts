// Adds to or takes from what is held of several buyers' money, in one statement.
import { strict as assert } from 'node:assert';

import type { Tx } from '../platform/database/database.ts';
import { changeHeld } from './ledger.sql.ts';
import { accountKey } from './transfer.rules.ts';

export async function changeHeldFunds(tx: Tx, amounts: ReadonlyMap<string, number>, sign: 1 | -1): Promise<void> {
  for (const [buyerKey, cents] of amounts) {
    assert(
      Number.isSafeInteger(cents) && cents >= 0,
      `the amount to hold or release for ${buyerKey} is no number of cents`,
    );
  }
  const changes = [...amounts].filter(([, cents]) => cents > 0);
  if (changes.length === 0) return;
  const changed = await tx.query(changeHeld, {
    accountKeys: changes.map(([buyerKey]) => accountKey('buyer', buyerKey)),
    amountCents: changes.map(([, cents]) => sign * cents),
  });
  assert(changed.length === changes.length, 'a buyer whose money is to be held or released has no account');
}
