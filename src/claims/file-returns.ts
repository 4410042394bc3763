// Files returns of several deliveries for one reason, each under the rules of a single return (contract 6.8).
import type { AuditAuthor } from '../audit/audit-event.ts';
import { type DeliveryId, uuidOf } from '../base/ids.ts';
import type { Outcome } from '../base/outcome.ts';
import type { EventType } from '../deliveries/delivery.ts';
import { lockDeliveries } from '../deliveries/return-delivery.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Claim } from './claim.ts';
import { claimMonth } from './claim-window.rules.ts';
import { fileClaim } from './file-claim.ts';
import type { FilingRefusal } from './filing.rules.ts';
import type { FilingBuyer } from './judge-filing.ts';
import { type CapMonth, type CapUse, readCap } from './month-cap.ts';
import type { ReasonCode } from './reason.rules.ts';

export type ReturnsToFile = {
  /** As sent, without repetitions. In a month whose cap does not suffice, the first ones are filed. */
  readonly deliveryIds: readonly string[];
  readonly reason: ReasonCode;
  readonly statement: string | null;
  readonly author: AuditAuthor;
  readonly personPepper: Buffer;
};

export type FiledReturns = {
  /** In the order of `deliveryIds`. */
  readonly outcomes: ReadonlyArray<{ readonly deliveryId: string; readonly outcome: Outcome<Claim, FilingRefusal> }>;
  /** The caps of all months and kinds of these deliveries, afterwards. */
  readonly caps: ReadonlyArray<CapUse & { readonly eventType: EventType }>;
};

/** A return that is refused does not hinder the others. All deliveries are locked first, then month by month in one order. */
export async function fileReturns(
  tx: Tx,
  buyer: FilingBuyer,
  { deliveryIds, ...filing }: ReturnsToFile,
  now: Date,
): Promise<FiledReturns> {
  const asked = deliveryIds.map((text) => ({ text, id: uuidOf('delivery', text) }));
  const months = await lockAll(tx, buyer, asked);
  const outcomes = new Map<string, Outcome<Claim, FilingRefusal>>();
  const keyOf = ({ id }: Asked): string => monthKey(id === null ? undefined : months.get(id));
  for (const one of asked.toSorted((a, b) => compare(keyOf(a), keyOf(b)))) {
    const input = { ...filing, kind: 'return', deliveryId: one.id, evidenceUrl: null } as const;
    outcomes.set(one.text, await fileClaim(tx, buyer, input, now));
  }
  const caps: Array<CapUse & { readonly eventType: EventType }> = [];
  for (const month of new Map([...months.values()].map((one) => [monthKey(one), one])).values())
    caps.push({ ...(await readCap(tx, buyer, month)), eventType: month.eventType });
  return {
    outcomes: deliveryIds.flatMap((deliveryId) => {
      const outcome = outcomes.get(deliveryId);
      return outcome === undefined ? [] : [{ deliveryId, outcome }];
    }),
    caps,
  };
}

type Asked = { readonly text: string; readonly id: DeliveryId | null };

/** The months of the partner's own ones among them, by delivery. */
async function lockAll(
  tx: Tx,
  { buyerKey, timeZone }: FilingBuyer,
  asked: readonly Asked[],
): Promise<ReadonlyMap<DeliveryId, CapMonth>> {
  const ids = asked.flatMap(({ id }) => (id === null ? [] : [id]));
  const locked = await lockDeliveries(tx, buyerKey, ids);
  return new Map(
    locked.map(({ deliveryId, eventType, deliveredAt }) => [
      deliveryId,
      { ...claimMonth(deliveredAt, timeZone), eventType },
    ]),
  );
}

function monthKey(month: CapMonth | undefined): string {
  return month === undefined ? '' : `${month.eventType} ${month.month}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
