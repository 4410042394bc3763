// How a partner stands between its ledger and its invoices at this instant (contract 6.19).
import { strict as assert } from 'node:assert';

import { accountKey } from '../ledger/transfer.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { readProgress, selectStanding } from './invoice.sql.ts';
import type { Standing } from './settlement.rules.ts';

/** Reads the entries that are not settled. */
export async function readStanding(tx: Tx, buyerKey: string): Promise<Standing> {
  const [progress] = await tx.query(readProgress, { buyerKey });
  const [standing] = await tx.query(selectStanding, {
    accountKey: accountKey('buyer', buyerKey),
    settledVersion: progress?.settledVersion ?? 0,
    buyerKey,
  });
  assert(standing !== undefined, 'a sum has always a row');
  return standing;
}
