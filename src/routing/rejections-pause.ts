// Writes and lifts pauses of offers whose partner rejected many leads of a day: configuration changes, so that every process skips the
// offers at once (contract 13.7).
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import { recordHistory } from '../marketplace/config-history.ts';
import { bumpConfigVersion, lockConfigVersion } from '../marketplace/config-version.ts';
import type { Tx } from '../platform/database/database.ts';
import { liftRejectionsPauseSql, writeRejectionPausesSql } from './offer.sql.ts';
import type { Offer } from './offer.ts';
import type { PauseChange } from './rejections-pause.rules.ts';
import { readOffers } from './stored-offers.ts';

/** The caller holds the lock of the configuration's version. Returns the new version. */
export async function writeRejectionPauses(tx: Tx, changes: readonly PauseChange[], now: Date): Promise<number> {
  const version = await bumpConfigVersion(tx);
  await tx.query(writeRejectionPausesSql, {
    offerKeys: changes.map(({ offerKey }) => offerKey),
    sinceTimes: changes.map(({ pause }) => (pause === null ? null : now)),
    untilTimes: changes.map(({ pause }) => pause?.until ?? null),
    now,
  });
  await recordOffers(
    tx,
    version,
    changes.map(({ offerKey }) => offerKey),
    now,
  );
  await appendAudit(
    tx,
    changes.map(({ offerKey, buyerKey, pause }) => ({
      at: now,
      actor: { type: 'system', name: 'rejections' },
      buyerKey,
      supplierKey: null,
      action: pause === null ? 'offer.resumed' : 'offer.paused_for_rejections',
      target: offerKey,
      changes: {
        rejectionsPaused: { from: pause === null, to: pause !== null },
        ...(pause === null
          ? {}
          : {
              until: { from: null, to: pause.until.toISOString() },
              rejected: { from: null, to: pause.rejected },
              responses: { from: null, to: pause.responses },
            }),
      },
      ...noOrigin,
    })),
  );
  return version;
}

export type PauseLift = {
  readonly offerKey: string;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

/** Responses from before this do not pause the offer again. An offer that is not paused stays as it is. */
export async function liftRejectionsPause(
  tx: Tx,
  { offerKey, actor, origin = noOrigin }: PauseLift,
  now: Date,
): Promise<Outcome<{ readonly offer: Offer; readonly wasPaused: boolean }, 'offer_not_found'>> {
  await lockConfigVersion(tx);
  const wasPaused = (await tx.query(liftRejectionsPauseSql, { offerKey, now })).length > 0;
  const [offer] = await readOffers(tx, [offerKey]);
  if (offer === undefined) return refuse('offer_not_found');
  if (!wasPaused) return done({ offer, wasPaused });
  await recordOffers(tx, await bumpConfigVersion(tx), [offerKey], now);
  await appendAudit(tx, [
    {
      at: now,
      actor,
      buyerKey: offer.buyerKey,
      supplierKey: null,
      action: 'offer.rejections_pause_lifted',
      target: offerKey,
      changes: { rejectionsPaused: { from: true, to: false } },
      ...origin,
    },
  ]);
  return done({ offer, wasPaused });
}

async function recordOffers(tx: Tx, version: number, offerKeys: readonly string[], now: Date): Promise<void> {
  const offers = await readOffers(tx, offerKeys);
  const records = offers.map((offer) => ({ kind: 'offer', key: offer.offerKey, definition: offer }) as const);
  await recordHistory(tx, { version, records }, now);
}
