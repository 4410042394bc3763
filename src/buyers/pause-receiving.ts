// A partner pauses the receiving of leads by itself, until a time or until it goes on: a configuration change, so that every process skips
// its offers (contract 6.16).
import { strict as assert } from 'node:assert';

import { appendAudit } from '../audit/append-audit.ts';
import { type AuditAuthor, noOrigin } from '../audit/audit-event.ts';
import { recordHistory } from '../marketplace/config-history.ts';
import { bumpConfigVersion, lockConfigVersion } from '../marketplace/config-version.ts';
import type { Tx } from '../platform/database/database.ts';
import { buyerOfRow, definitionOfBuyer } from './buyer-row.rules.ts';
import { lockBuyerSql, readOverPausesSql, writeOwnPausesSql } from './buyer.sql.ts';
import type { Buyer, OwnPause } from './buyer.ts';

export type PauseRequest = {
  readonly buyerKey: string;
  /** Null: until the partner resumes. Must be in the future. */
  readonly until: Date | null;
  readonly author: AuditAuthor;
};

/** Returns the paused buyer. A pause that is on keeps its beginning; the same end again writes nothing. */
export async function pauseReceiving(tx: Tx, { buyerKey, until, author }: PauseRequest, now: Date): Promise<Buyer> {
  await lockConfigVersion(tx);
  const before = await lockBuyer(tx, buyerKey);
  if (before.ownPause !== null && before.ownPause.until?.getTime() === until?.getTime()) return before;
  const [after] = await write(
    tx,
    { buyers: [before], pause: { since: before.ownPause?.since ?? now, until }, author },
    now,
  );
  return after ?? before;
}

/** Returns the buyer. One that is not paused stays as it is. */
export async function resumeReceiving(
  tx: Tx,
  { buyerKey, author }: Omit<PauseRequest, 'until'>,
  now: Date,
): Promise<Buyer> {
  await lockConfigVersion(tx);
  const before = await lockBuyer(tx, buyerKey);
  if (before.ownPause === null) return before;
  const [after] = await write(tx, { buyers: [before], pause: null, author }, now);
  return after ?? before;
}

/** Ends the pauses whose time has come, and returns the keys of their partners. Safe to run concurrently with itself. */
export async function endOverPauses(tx: Tx, now: Date): Promise<readonly string[]> {
  // Most runs find nothing and lock nothing.
  if ((await tx.query(readOverPausesSql, { now })).length === 0) return [];
  await lockConfigVersion(tx);
  const buyers = (await tx.query(readOverPausesSql, { now })).map(buyerOfRow);
  if (buyers.length === 0) return [];
  const author: AuditAuthor = { actor: { type: 'system', name: 'pauses' }, origin: noOrigin };
  return (await write(tx, { buyers, pause: null, author }, now)).map(({ buyerKey }) => buyerKey);
}

async function lockBuyer(tx: Tx, buyerKey: string): Promise<Buyer> {
  const [row] = await tx.query(lockBuyerSql, { buyerKey });
  assert(row !== undefined, 'an authenticated partner is missing from the database');
  return buyerOfRow(row);
}

type Written = { readonly buyers: readonly Buyer[]; readonly pause: OwnPause | null; readonly author: AuditAuthor };

async function write(tx: Tx, { buyers, pause, author }: Written, now: Date): Promise<Buyer[]> {
  const version = await bumpConfigVersion(tx);
  const buyerKeys = buyers.map(({ buyerKey }) => buyerKey);
  await tx.query(writeOwnPausesSql, { buyerKeys, since: pause?.since ?? null, until: pause?.until ?? null, now });
  const after = buyers.map((buyer): Buyer => ({ ...buyer, ownPause: pause }));
  const records = after.map((buyer) => ({
    ...{ kind: 'buyer' as const, key: buyer.buyerKey, definition: definitionOfBuyer(buyer) },
  }));
  await recordHistory(tx, { version, records }, now);
  await appendAudit(
    tx,
    buyers.map(({ buyerKey, ownPause }) => ({
      at: now,
      actor: author.actor,
      buyerKey,
      supplierKey: null,
      action: pause === null ? 'receiving.resumed' : 'receiving.paused',
      target: buyerKey,
      changes: {
        receivingPaused: { from: ownPause !== null, to: pause !== null },
        until: { from: ownPause?.until?.toISOString() ?? null, to: pause?.until?.toISOString() ?? null },
      },
      ...author.origin,
    })),
  );
  return after;
}
