// Pauses the offers of buyers whose available funds are below their threshold, and lets them go on when the funds return (contract 4.7).
import { appendAudit } from '../audit/append-audit.ts';
import { noOrigin } from '../audit/audit-event.ts';
import { computeApart } from '../base/apart.ts';
import { wireAmount } from '../base/money.ts';
import { readFunds } from '../ledger/funds.ts';
import { recordHistory } from '../marketplace/config-history.ts';
import { bumpConfigVersion, lockConfigVersion } from '../marketplace/config-version.ts';
import { type LeftOut, raiseLeftOut } from '../notices/left-out.ts';
import type { NewNotice } from '../notices/notice.ts';
import { raiseNotices } from '../notices/raise-notices.ts';
import type { Tx } from '../platform/database/database.ts';
import { buyerOfRow, definitionOfBuyer } from './buyer-row.rules.ts';
import { readFundsWatchedSql, writeFundsPausesSql } from './buyer.sql.ts';
import { changedPauses, type FundsPause } from './funds-pause.rules.ts';
import { readBuyers } from './read-buyers.ts';

/** A configuration change, so that every process skips the offers. Returns what changed. Safe to run concurrently with itself. */
export async function pauseForFunds(tx: Tx, now: Date): Promise<readonly FundsPause[]> {
  // Most runs find nothing to change and lock nothing.
  if ((await readChanges(tx, now)).length === 0) return [];
  await lockConfigVersion(tx);
  const changes = await readChanges(tx, now);
  if (changes.length === 0) return [];
  const version = await bumpConfigVersion(tx);
  await tx.query(writeFundsPausesSql, {
    buyerKeys: changes.map(({ buyerKey }) => buyerKey),
    pauses: changes.map(({ isPaused }) => isPaused),
    now,
  });
  await record(tx, { changes, version }, now);
  await raiseNotices(
    tx,
    changes.flatMap((change) => pauseNotices(change, version)),
    now,
  );
  return changes;
}

/** One for all offers of the partner. Going on again is no news: leads arrive. */
function pauseNotices({ buyerKey, isPaused, availableCents, belowCents }: FundsPause, version: number): NewNotice[] {
  if (!isPaused || belowCents === null) return [];
  const data = { offer: 'all offers', available: wireAmount(availableCents), threshold: wireAmount(belowCents) };
  const occurrence = `offer.paused:${version}`;
  return [{ kind: 'offer.paused', recipient: { partner: buyerKey }, occurrence, data }];
}

async function readChanges(tx: Tx, now: Date): Promise<FundsPause[]> {
  const buyers = (await tx.query(readFundsWatchedSql)).map(buyerOfRow);
  const funds = await readFunds(
    tx,
    buyers.map(({ buyerKey }) => buyerKey),
  );
  const leftOut: LeftOut[] = [];
  const changes = computeApart(
    buyers,
    (buyer) => changedPauses([buyer], funds),
    ({ buyerKey: key }, error) => void leftOut.push({ account: 'partner', key, partner: null, work: 'pauses', error }),
  ).flat();
  await raiseLeftOut(tx, leftOut, now);
  return changes;
}

type Changed = { readonly changes: readonly FundsPause[]; readonly version: number };

async function record(tx: Tx, { changes, version }: Changed, now: Date): Promise<void> {
  const buyers = await readBuyers(
    tx,
    changes.map(({ buyerKey }) => buyerKey),
  );
  const records = [...buyers.values()].map((buyer) => ({
    kind: 'buyer' as const,
    key: buyer.buyerKey,
    definition: definitionOfBuyer(buyer),
  }));
  await recordHistory(tx, { version, records }, now);
  await appendAudit(
    tx,
    changes.map(({ buyerKey, isPaused, availableCents }) => ({
      at: now,
      actor: { type: 'system', name: 'funds' },
      buyerKey,
      supplierKey: null,
      action: isPaused ? 'offers.paused_for_funds' : 'offers.resumed',
      target: buyerKey,
      changes: {
        fundsPaused: { from: !isPaused, to: isPaused },
        available: { from: null, to: wireAmount(availableCents) },
      },
      ...noOrigin,
    })),
  );
}
