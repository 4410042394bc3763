// Pauses offers whose partner rejects many leads, until the partner's day ends, and raises notices about it (contract 13.7).
import { computeApart } from '../base/apart.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { lockConfigVersion } from '../marketplace/config-version.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { type LeftOut, raiseLeftOut } from '../notices/left-out.ts';
import type { NewNotice } from '../notices/notice.ts';
import { raiseNotices } from '../notices/raise-notices.ts';
import type { Tx } from '../platform/database/database.ts';
import { readResponses } from '../reports/read-responses.ts';
import { changedPauses, countedFrom, type PauseChange, type WatchedOffer } from '../routing/rejections-pause.rules.ts';
import { writeRejectionPauses } from '../routing/rejections-pause.ts';
import { readRejectionsWatched } from '../routing/stored-offers.ts';

/** Returns what changed. Safe to run concurrently with itself. */
export async function pauseForRejections(tx: Tx, now: Date): Promise<readonly PauseChange[]> {
  // Most runs find nothing to change and lock nothing.
  if ((await readChanges(tx, now)).length === 0) return [];
  await lockConfigVersion(tx);
  const changes = await readChanges(tx, now);
  if (changes.length === 0) return [];
  const version = await writeRejectionPauses(tx, changes, now);
  await raiseNotices(
    tx,
    changes.flatMap((change) => pauseNotices(change, { version, now })),
    now,
  );
  return changes;
}

/** A partner that is not active gets no leads, so it has nothing to pause; its pauses end all the same. */
async function readChanges(tx: Tx, now: Date): Promise<PauseChange[]> {
  const { rejections } = (await readSettings(tx)).settings;
  const watched = await readRejectionsWatched(tx, rejections.pauseAbove !== null);
  if (watched.length === 0) return [];
  const buyers = await readBuyers(tx, [...new Set(watched.map(({ offer }) => offer.buyerKey))]);
  const leftOut: LeftOut[] = [];
  const leaveOut = ({ offer: { offerKey: key, buyerKey: partner } }: Pick<WatchedOffer, 'offer'>, error: unknown) =>
    void leftOut.push({ account: 'offer', key, partner, work: 'pauses', error });
  const zoned = computeApart(
    watched,
    ({ offer, liftedAt }) => {
      const buyer = buyers.get(offer.buyerKey);
      if (buyer === undefined || !isWatched(offer.rejectionsPause !== null, buyer)) return [];
      return [{ offer, timeZone: buyer.timeZone, from: countedFrom(buyer.timeZone, liftedAt, now) }];
    },
    leaveOut,
  ).flat();
  const open = zoned.filter(({ offer }) => offer.rejectionsPause === null);
  const responsesOf = await readResponses(
    tx,
    open.map(({ offer, from }) => ({ offerKey: offer.offerKey, from })),
  );
  const changes = computeApart(
    zoned,
    ({ offer, timeZone }) =>
      changedPauses([{ offer, timeZone, responses: responsesOf(offer.offerKey) }], rejections, now),
    leaveOut,
  ).flat();
  await raiseLeftOut(tx, leftOut, now);
  return changes;
}

function isWatched(isPaused: boolean, buyer: Buyer): boolean {
  return isPaused || buyer.status === 'active';
}

/** Going on again is no news: leads arrive. */
function pauseNotices(
  { offerKey: offer, buyerKey: partner, pause }: PauseChange,
  { version, now }: { readonly version: number; readonly now: Date },
): NewNotice[] {
  if (pause === null) return [];
  const { until, rejected, responses, abovePercent } = pause;
  const data = {
    ...{ offer, rejected, responses, abovePercent },
    since: now.toISOString(),
    until: until.toISOString(),
  };
  const occurrence = `${offer}:${version}`;
  return [
    {
      kind: 'offer.rejecting',
      recipient: 'operator',
      occurrence: `offer.rejecting:${occurrence}`,
      data: { ...data, partner },
    },
    {
      kind: 'offer.rejections_paused',
      recipient: { partner },
      occurrence: `offer.rejections_paused:${occurrence}`,
      data,
    },
  ];
}
