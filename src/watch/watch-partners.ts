// Raises notices about partners: to them when a cap is reached or funds or a budget run low, to operators when much fails (contract 12.3).
import { computeApart } from '../base/apart.ts';
import { wireAmount } from '../base/money.ts';
import { type CapWindow, capSpan, capWindows, utcDay } from '../base/time.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { readFunds } from '../ledger/funds.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { followConditions } from '../notices/conditions.ts';
import type { NewNotice } from '../notices/notice.ts';
import { readAllNoticeSettings } from '../notices/notice-settings.ts';
import { raiseNotices } from '../notices/raise-notices.ts';
import type { Tx } from '../platform/database/database.ts';
import { readWindowUses } from '../reports/offer-usage.ts';
import type { WindowUse } from '../reports/offer-windows.rules.ts';
import type { Offer } from '../routing/offer.ts';
import { offerInForce } from '../routing/own-limits.rules.ts';
import { readOffers } from '../routing/stored-offers.ts';
import type { Look } from './look.ts';
import { lowFunds } from './funds.rules.ts';
import { rejecting } from './usual.rules.ts';
import { countPartnersDay } from './watch.sql.ts';

/** Partners that owe without a limit have no funds that could run low. */
export async function watchFunds(tx: Tx, now: Date, { leaveOut }: Look): Promise<void> {
  const buyers = [...(await readBuyers(tx)).values()].filter(({ status }) => status !== 'suspended');
  const settingsOf = await readAllNoticeSettings(tx, 'buyer');
  const funds = await readFunds(
    tx,
    buyers.map(({ buyerKey }) => buyerKey),
  );
  const states = computeApart(
    buyers,
    (buyer) => {
      const { fundsBelow } = settingsOf(buyer.buyerKey).thresholds;
      return { buyer, ...lowFunds(buyer, funds.get(buyer.buyerKey), fundsBelow) };
    },
    ({ buyerKey: key }, error) => leaveOut({ account: 'partner', key, partner: null, work: 'limits', error }),
  );
  const keysOf = (state: 'low' | 'well'): string[] =>
    states.flatMap(({ buyer, is }) => (is === state ? [buyer.buyerKey] : []));
  const begun = await followConditions(tx, { kind: 'funds.low', begun: keysOf('low'), ended: keysOf('well') }, now);
  const notices = states.flatMap(({ buyer: { buyerKey }, availableCents, thresholdCents }): NewNotice[] =>
    begun.has(buyerKey)
      ? [
          {
            kind: 'funds.low',
            recipient: { partner: buyerKey },
            occurrence: `funds.low:${now.toISOString()}`,
            data: { available: wireAmount(availableCents), threshold: wireAmount(thresholdCents) },
          },
        ]
      : [],
  );
  await raiseNotices(tx, notices, now);
}

/**
 * Reads the counters of the windows of active offers: the present ones, and those of the last look, which may have filled up before they
 * ended. A window has one notice about its cap and one about its budget.
 */
export async function watchCaps(tx: Tx, now: Date, look: Look): Promise<void> {
  const leftOut = new Set<string>();
  const leaveOut: LeaveOut = ({ offer: { offerKey: key, buyerKey: partner } }, error) => {
    leftOut.add(key);
    look.leaveOut({ account: 'offer', key, partner, work: 'limits', error });
  };
  const limited = await readLimited(tx, leaveOut);
  const settingsOf = await readAllNoticeSettings(tx, 'buyer');
  const notices: NewNotice[] = [];
  for (const { at, offers } of [
    { at: now, offers: limited },
    ...(look.lookedAt === null ? [] : [endedSince(look.lookedAt, now, limited, leaveOut)]),
  ]) {
    const usesOf = await readWindowUses(tx, offers, { spanOf: capSpan, now: at, leaveOut });
    const found = computeApart(
      offers.filter(({ offer }) => !leftOut.has(offer.offerKey)),
      ({ offer, buyer }) => {
        const { budgetLeftPercent } = settingsOf(buyer.buyerKey).thresholds;
        const uses = usesOf(offer);
        return capWindows.flatMap((window) => {
          const isOver = uses[window].span.until <= now.getTime();
          return windowNotices(offer, { window, use: uses[window], buyer, budgetLeftPercent }).filter(
            ({ kind }) => !isOver || kind === 'cap.reached',
          );
        });
      },
      leaveOut,
    );
    notices.push(...found.flat());
  }
  await raiseNotices(tx, notices, now);
}

type Limited = { readonly offer: Offer; readonly buyer: Buyer };
type LeaveOut = (one: Pick<Limited, 'offer'>, error: unknown) => void;

/** The offers for which a window has ended since then: days end with every other window. */
function endedSince(at: Date, now: Date, limited: readonly Limited[], leaveOut: LeaveOut) {
  const ended = new Map<string, boolean>();
  const hasEnded = ({ buyer: { timeZone } }: Limited): boolean => {
    const known = ended.get(timeZone) ?? capSpan('daily', at, timeZone).until <= now.getTime();
    ended.set(timeZone, known);
    return known;
  };
  return { at, offers: computeApart(limited, (one) => (hasEnded(one) ? [one] : []), leaveOut).flat() };
}

async function readLimited(tx: Tx, leaveOut: LeaveOut): Promise<Limited[]> {
  const buyers = await readBuyers(tx);
  return computeApart(
    (await readOffers(tx)).map((configured) => ({ offer: configured })),
    ({ offer: configured }) => {
      const offer = offerInForce(configured);
      const buyer = buyers.get(offer.buyerKey);
      const hasLimit = capWindows.some((window) => offer.caps[window] !== null || offer.budgetCents[window] !== null);
      return buyer === undefined || offer.status !== 'active' || !hasLimit ? [] : [{ offer, buyer }];
    },
    leaveOut,
  ).flat();
}

type WindowOf = {
  readonly window: CapWindow;
  readonly use: WindowUse;
  readonly buyer: Buyer;
  readonly budgetLeftPercent: number;
};

function windowNotices(offer: Offer, { window, use, buyer, budgetLeftPercent }: WindowOf): NewNotice[] {
  const [leads, budgetCents] = [offer.caps[window], offer.budgetCents[window]];
  const until = new Date(use.span.until).toISOString();
  const common = { recipient: { partner: buyer.buyerKey } } as const;
  const name = `${offer.offerKey}:${window}:${new Date(use.span.from).toISOString()}`;
  const isSpent = budgetCents !== null && use.usedCents + offer.payoutCents > budgetCents;
  if ((leads !== null && use.used >= leads) || isSpent) {
    const spend = budgetCents === null ? null : wireAmount(budgetCents);
    const data = { offer: offer.offerKey, window, leads, spend, until };
    return [{ ...common, kind: 'cap.reached', occurrence: `cap.reached:${name}`, data }];
  }
  if (budgetCents === null || budgetCents === 0) return [];
  const leftPercent = Math.floor((100 * (budgetCents - use.usedCents)) / budgetCents);
  if (leftPercent > budgetLeftPercent) return [];
  const data = {
    offer: offer.offerKey,
    window,
    spent: wireAmount(use.usedCents),
    limit: wireAmount(budgetCents),
    leftPercent,
    until,
  };
  return [{ ...common, kind: 'budget.low', occurrence: `budget.low:${name}`, data }];
}

/** Of the deliveries of the present day, by UTC as the counts are. */
export async function watchRejections(tx: Tx, now: Date): Promise<void> {
  const { rejectingPercent, rejectingDeliveries } = (await readSettings(tx)).settings.notices.thresholds;
  const day = utcDay(now);
  const rows = await tx.query(countPartnersDay, { buyerKeys: [...(await readBuyers(tx)).keys()], day });
  const notices = rows.flatMap(({ buyerKey: partner, failed, others }): NewNotice[] => {
    const failedPercent = rejecting({ failed, others }, { percent: rejectingPercent, failed: rejectingDeliveries });
    if (failedPercent === null) return [];
    const data = { partner, deliveries: failed + others, failed, failedPercent, day };
    return [
      { kind: 'partner.rejecting', recipient: 'operator', occurrence: `partner.rejecting:${partner}:${day}`, data },
    ];
  });
  await raiseNotices(tx, notices, now);
}
