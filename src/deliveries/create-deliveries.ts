// Creates the deliveries of a batch of sales with their send jobs; deliveries without a channel are confirmed at once (contract 4.9).
import type { Channel } from '../buyers/buyer.ts';
import type { DeliveryId, LeadId } from '../base/ids.ts';
import type { CapSlot } from '../caps/cap-counters.ts';
import {
  boolArray,
  int2Array,
  int8Array,
  textArray,
  timestamptzArray,
  uuidArray,
} from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SaleCost } from '../suppliers/sale-cost.rules.ts';
import type { ConfirmedDelivery } from './delivery.ts';
import { insertDeliveries } from './delivery.sql.ts';
import type { SearchTerms } from './search/search-terms.rules.ts';

export type NewDelivery = {
  readonly deliveryId: DeliveryId;
  readonly buyerKey: string;
  readonly leadId: LeadId;
  readonly offerKey: string;
  readonly supplierKey: string;
  readonly eventType: 'Lead Sale' | 'Calendar Assigned';
  readonly isExclusive: boolean;
  readonly payoutCents: number;
  /** The lowest price that the partner's response may name; null where the price is fixed. `payoutCents` is the highest. */
  readonly priceMinCents: number | null;
  /** The partner's primary channel; null where the partner reads the API only. */
  readonly channel: Channel | null;
  /** The cap counters that it took a slot from. */
  readonly capWindows: readonly CapSlot[];
  readonly appointmentAt: Date | null;
  /** The end of the return window under the current policy, for its message. */
  readonly returnUntil: Date;
  /** The terms that a search finds it by. */
  readonly search: SearchTerms;
  /** What it costs once it is confirmed; null where the supplier is not paid. */
  readonly cost: SaleCost | null;
};

/**
 * Returns the deliveries that were confirmed at once. In the same transaction the caller charges these (`draftCharges`) and holds the money
 * of all others.
 */
export async function createDeliveries(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<readonly ConfirmedDelivery[]> {
  if (deliveries.length === 0) return [];
  const column = <Value>(pick: (delivery: NewDelivery) => Value): Value[] => deliveries.map(pick);
  // Deliveries of one offer mostly share one list of windows, so each list is serialized once.
  const texts = new Map<readonly CapSlot[], string>();
  const textOf = (windows: readonly CapSlot[]): string => {
    let text = texts.get(windows);
    if (text === undefined) texts.set(windows, (text = JSON.stringify(windows)));
    return text;
  };
  const confirmed = await tx.query(insertDeliveries, {
    deliveryIds: uuidArray(column((delivery) => delivery.deliveryId)),
    buyerKeys: textArray(column((delivery) => delivery.buyerKey)),
    leadIds: uuidArray(column((delivery) => delivery.leadId)),
    offerKeys: textArray(column((delivery) => delivery.offerKey)),
    supplierKeys: textArray(column((delivery) => delivery.supplierKey)),
    eventTypes: textArray(column((delivery) => delivery.eventType)),
    isExclusives: boolArray(column((delivery) => delivery.isExclusive)),
    payoutsCents: int8Array(column((delivery) => delivery.payoutCents)),
    priceMinsCents: int8Array(column((delivery) => delivery.priceMinCents)),
    channels: textArray(column((delivery) => delivery.channel)),
    capWindows: textArray(column((delivery) => textOf(delivery.capWindows))),
    appointmentTimes: timestamptzArray(column((delivery) => delivery.appointmentAt)),
    now,
    ...termColumns(deliveries.map(({ search }) => search)),
    returnTimes: timestamptzArray(column((delivery) => delivery.returnUntil)),
    ...costColumns(deliveries),
  });
  const made = new Map(deliveries.map((delivery) => [delivery.deliveryId, delivery]));
  return confirmed.flatMap(({ deliveryId, refNumber }) => {
    const delivery = made.get(deliveryId);
    if (delivery === undefined) return [];
    return [
      {
        ...delivery,
        refNumber,
        reservedCents: 0,
        costModel: delivery.cost?.model ?? null,
        costCents: delivery.cost?.costCents ?? null,
      },
    ];
  });
}

function costColumns(deliveries: readonly NewDelivery[]) {
  const costs = deliveries.flatMap(({ deliveryId, cost }) => (cost === null ? [] : [{ deliveryId, ...cost }]));
  return {
    costDeliveryIds: uuidArray(costs.map(({ deliveryId }) => deliveryId)),
    costModels: textArray(costs.map(({ model }) => model)),
    costsCents: int8Array(costs.map(({ costCents }) => costCents)),
    shares: int2Array(costs.map(({ share }) => share)),
    clawbackDays: int2Array(costs.map(({ clawbackDays }) => clawbackDays)),
    holdDays: int2Array(costs.map(({ holdDays }) => holdDays)),
  };
}

function termColumns(searches: readonly SearchTerms[]) {
  const column = (pick: (search: SearchTerms) => string | null): Buffer => textArray(searches.map(pick));
  return {
    searchNames: column(({ name }) => name),
    namesFrom2: column(({ nameFrom2 }) => nameFrom2),
    namesFrom3: column(({ nameFrom3 }) => nameFrom3),
    namesFromLast: column(({ nameFromLast }) => nameFromLast),
    emails: column(({ email }) => email),
    phones: column(({ phone }) => phone),
  };
}
