// Reads what the lists of partners and suppliers say of the present: funds, endpoint, the last lead, today against the caps, and the leads
// of each of the last days. The number of statements does not depend on the number of accounts.
import { strict as assert } from 'node:assert';

import { wireAmount } from '../base/money.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { targetOf } from '../buyers/channel-target.rules.ts';
import { availableCents } from '../invoices/account-order.rules.ts';
import { readFunds } from '../ledger/funds.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import { cachedSpans } from '../routing/availability.rules.ts';
import type { Offer } from '../routing/offer.ts';
import { offerInForce } from '../routing/own-limits.rules.ts';
import { readOffersOfBuyers } from '../routing/stored-offers.ts';
import { lastLeadsOfBuyers, lastLeadsOfSuppliers, unhealthyChannels } from './account-activity.sql.ts';
import { lastPeriods } from './local-days.rules.ts';
import { readWindowUses } from './offer-usage.ts';
import { readReport } from './read-report.ts';
import { REPORT_ROWS_MAX } from './report.schema.ts';

/** Two weeks: each weekday stands beside the same one of the week before. */
const TREND_DAYS = 14;

export type EndpointHealth = 'healthy' | 'unsteady' | 'failing' | 'disabled' | 'not_set' | 'none';

export type PartnerActivity = {
  /** What the account can still spend, as on the wire; null without a limit. */
  readonly availableFunds: number | null;
  /** When the last lead was routed to it. */
  readonly lastLeadAt: Date | null;
  /** The worst of its channels; `none` if it has none and fetches its leads itself. */
  readonly endpoint: EndpointHealth;
  /** Sales of the active offers in the partner's present day; `cap` is null if an offer has no daily cap. Null without active offers. */
  readonly today: { readonly sold: number; readonly cap: number | null } | null;
  /** Leads sold on each of the last days of the marketplace's time zone, oldest first. */
  readonly trend: readonly number[];
};

export type SupplierActivity = {
  readonly lastLeadAt: Date | null;
  /** Leads submitted on each of the last days of the marketplace's time zone, oldest first, today last. */
  readonly trend: readonly number[];
};

/** For the given buyers only. Consistent if `tx` is a snapshot. */
export async function partnerActivity(
  tx: Tx,
  buyers: readonly Buyer[],
  now: Date,
): Promise<(buyer: Buyer) => PartnerActivity> {
  const buyerKeys = buyers.map(({ buyerKey }) => buyerKey);
  const availableOf = await readAvailableFunds(tx, buyers);
  const lastOf = await readLastLeads(tx, { of: 'partner', keys: buyerKeys });
  const unhealthy = new Map(
    (await tx.query(unhealthyChannels, { buyerKeys })).map(({ key, isFailing }) => [key, isFailing]),
  );
  const todayOf = await readToday(tx, buyers, now);
  const trendOf = await readTrends(tx, { of: 'partner', keys: buyerKeys, days: TREND_DAYS, now });
  return (buyer) => ({
    availableFunds: availableOf(buyer),
    lastLeadAt: lastOf(buyer.buyerKey),
    endpoint: endpointOf(buyer, unhealthy.get(buyer.buyerKey)),
    today: todayOf(buyer.buyerKey),
    trend: trendOf(buyer.buyerKey),
  });
}

export async function supplierActivity(
  tx: Tx,
  supplierKeys: readonly string[],
  now: Date,
): Promise<(supplierKey: string) => SupplierActivity> {
  const lastOf = await readLastLeads(tx, { of: 'supplier', keys: supplierKeys });
  const trendOf = await readTrends(tx, { of: 'supplier', keys: supplierKeys, days: TREND_DAYS, now });
  return (key) => ({ lastLeadAt: lastOf(key), trend: trendOf(key) });
}

type Keys = { readonly of: 'partner' | 'supplier'; readonly keys: readonly string[] };

/** What each account can still spend, as on the wire; null without a limit. */
export async function readAvailableFunds(tx: Tx, buyers: readonly Buyer[]): Promise<(buyer: Buyer) => number | null> {
  const funds = await readFunds(
    tx,
    buyers.map(({ buyerKey }) => buyerKey),
  );
  return ({ buyerKey, billing: { creditLimitCents } }) => {
    const { balanceCents, heldCents } = funds.get(buyerKey) ?? { balanceCents: 0, heldCents: 0 };
    const cents = availableCents({ balanceCents, heldCents, creditLimitCents });
    return cents === null ? null : wireAmount(cents);
  };
}

/** When the last lead was routed to a partner, or submitted by a supplier; null if there was none. */
export async function readLastLeads(tx: Tx, { of, keys }: Keys): Promise<(key: string) => Date | null> {
  const rows = await (of === 'partner'
    ? tx.query(lastLeadsOfBuyers, { buyerKeys: keys })
    : tx.query(lastLeadsOfSuppliers, { supplierKeys: keys }));
  const last = new Map(rows.map(({ key, at }) => [key, at]));
  return (key) => last.get(key) ?? null;
}

/** `isFailing` is undefined if no channel in use has failed since its last success. */
function endpointOf({ channels, settings, endpointDisabledAt }: Buyer, isFailing: boolean | undefined): EndpointHealth {
  if (channels.length === 0) return 'none';
  if (channels.some((channel) => targetOf(channel, settings) === null)) return 'not_set';
  if (channels.includes('webhook') && endpointDisabledAt !== null) return 'disabled';
  if (isFailing === undefined) return 'healthy';
  return isFailing ? 'failing' : 'unsteady';
}

/** Of the active offers, in the partner's present day; null without any, and where its day cannot be computed. */
export async function readToday(
  tx: Tx,
  buyers: readonly Buyer[],
  now: Date,
): Promise<(buyerKey: string) => PartnerActivity['today']> {
  const ofKeys = new Map(buyers.map((buyer) => [buyer.buyerKey, buyer]));
  const active = (await readOffersOfBuyers(tx, [...ofKeys.keys()])).map(offerInForce).flatMap((offer) => {
    const buyer = ofKeys.get(offer.buyerKey);
    return buyer === undefined || offer.status !== 'active' ? [] : [{ offer, buyer }];
  });
  const leftOut = new Set<string>();
  const leaveOut = ({ offer: { buyerKey } }: { readonly offer: Offer }): void => void leftOut.add(buyerKey);
  const usesOf = await readWindowUses(tx, active, { spanOf: cachedSpans(), now, leaveOut });
  const byBuyer = Map.groupBy(
    active.map(({ offer }) => offer),
    ({ buyerKey }) => buyerKey,
  );
  return (buyerKey) => {
    const offers = byBuyer.get(buyerKey);
    if (offers === undefined || leftOut.has(buyerKey)) return null;
    return { sold: sumOf(offers.map((offer) => usesOf(offer).daily.used)), cap: dailyCapOf(offers) };
  };
}

function dailyCapOf(offers: readonly Offer[]): number | null {
  const caps = offers.map(({ caps: { daily } }) => daily);
  return caps.includes(null) ? null : sumOf(caps.map((cap) => cap ?? 0));
}

type TrendQuery = Keys & { readonly days: number; readonly now: Date };

/** Leads of each of the last days, oldest first, today last. */
export async function readTrends(
  tx: Tx,
  { of, keys, days: length, now }: TrendQuery,
): Promise<(key: string) => number[]> {
  if (keys.length === 0) return () => [];
  const { settings } = await readSettings(tx);
  const days = lastPeriods('day', length, { now, timeZone: settings.timeZone }).map(({ date }) => date);
  const [from = '', until = ''] = [days[0], days.at(-1)];
  const outcome = await readReport(
    tx,
    {
      dimensions: ['day', of],
      measures: of === 'partner' ? ['deliveries', 'failed'] : ['submitted'],
      filters: { [of]: [...keys] },
      ...{ from, until, limit: REPORT_ROWS_MAX },
    },
    { kind: 'operator' },
    now,
  );
  assert(outcome.ok, 'a report of the last days is always allowed');
  const counted = new Map(
    outcome.value.rows.map(({ keys: [day, key], values: { deliveries, failed, submitted } }) => [
      `${day} ${key}`,
      (submitted ?? 0) + (deliveries ?? 0) - (failed ?? 0),
    ]),
  );
  return (key) => days.map((day) => counted.get(`${day} ${key}`) ?? 0);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
