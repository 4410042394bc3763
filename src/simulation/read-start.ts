// Reads the state of the market at the start of a simulation, computed from deliveries and postings, because the tables of counters and
// funds hold only the present state.
import { DAY_MS } from '../base/time.ts';
import { identityHashes } from '../leads/identity-hash.ts';
import { EVERY_BUYER } from '../leads/identity.rules.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import type { Tx } from '../platform/database/database.ts';
import { cachedSpans, windowsOf } from '../routing/availability.rules.ts';
import type { MarketStart, Outage, Posting } from './past.ts';
import { deliveryOf, readLeads, readIdentities, type Reading } from './read-past.ts';
import type { ReplayMarket } from './replay-market.rules.ts';
import type { SimulatedConfiguration } from './simulated-configuration.rules.ts';
import {
  nextPastSales,
  openPastSales,
  selectCapUse,
  selectEndpoints,
  selectFunds,
  selectLateFailures,
  selectOutages,
  selectPostings,
  selectSlotUse,
  selectTurns,
} from './simulation.sql.ts';
import type { Sale } from './remaining-capacity.rules.ts';

/** The postings in the window except charges, oldest first. */
export async function readPostings(tx: Tx, from: Date): Promise<Posting[]> {
  const rows = await tx.query(selectPostings, { from });
  return rows.map(({ createdAt, ...posting }) => ({ ...posting, at: createdAt.getTime() }));
}

export async function readMarketStart(
  tx: Tx,
  {
    configuration,
    postings,
    from,
  }: { configuration: SimulatedConfiguration; postings: readonly Posting[]; from: Date },
): Promise<MarketStart> {
  const funds = new Map((await tx.query(selectFunds, { from })).map((row) => [row.buyerKey, row.cents]));
  for (const { buyerKey, amountCents } of postings) funds.set(buyerKey, (funds.get(buyerKey) ?? 0) - amountCents);
  const slots = await tx.query(selectSlotUse, { from });
  return {
    capUse: await readCapUse(tx, configuration, from),
    slotUse: slots.map((row) => ({ ...row, startsAt: row.startsAt.getTime() })),
    funds,
    turns: (await tx.query(selectTurns, { from })).map(({ offerKey }) => offerKey),
    endpoints: await tx.query(selectEndpoints),
  };
}

async function readCapUse(
  tx: Tx,
  { offers, buyers }: SimulatedConfiguration,
  from: Date,
): Promise<MarketStart['capUse']> {
  const spanOf = cachedSpans();
  const windows = [...offers.values()].flatMap((offer) => {
    const buyer = buyers.get(offer.buyerKey);
    if (buyer === undefined || offer.status !== 'active') return [];
    return windowsOf({ offer, buyer }, from, spanOf).map(({ window, span }) => ({
      offer,
      window,
      startsAt: span.from,
    }));
  });
  const rows = await tx.query(selectCapUse, {
    from,
    offerKeys: windows.map(({ offer }) => offer.offerKey),
    buyerKeys: windows.map(({ offer }) => offer.buyerKey),
    capWindows: windows.map(({ window }) => window),
    startsTimes: windows.map(({ startsAt }) => new Date(startsAt)),
  });
  return rows.map((row) => ({ ...row, startsAt: row.startsAt.getTime() }));
}

/** The periods in which partners' endpoints had failed for longer than leads may wait. */
export async function readOutages(tx: Tx, { from, holdMs }: { from: Date; holdMs: number }): Promise<Outage[]> {
  const rows = await tx.query(selectOutages, { from });
  return rows.map(({ buyerKey, openedAt, closedAt }) => ({
    buyerKey,
    from: openedAt.getTime() + holdMs,
    until: closedAt?.getTime() ?? Infinity,
  }));
}

/** Adds to the market the sales before the start that are still within the duplicate window. */
export async function readPastSales(
  tx: Tx,
  { market, dedupDays, reading }: { market: ReplayMarket; dedupDays: number; reading: Reading },
): Promise<void> {
  if (dedupDays === 0) return;
  await tx.query(openPastSales, {
    from: reading.from,
    deliveredAt: new Date(reading.from.getTime() - dedupDays * DAY_MS),
  });
  for (;;) {
    const rows = await tx.query(nextPastSales);
    if (rows.length === 0) return;
    const nameless = await readIdentities(tx, rows);
    for (const { leadId, buyerKey, isExclusive, deliveredAt, fields } of rows) {
      const identities =
        fields === null
          ? (nameless.get(leadId) ?? [])
          : identityHashes(reading.personPepper, JSON.parse(fields) as LeadFields);
      market.remember(identities, isExclusive ? EVERY_BUYER : buyerKey, deliveredAt.getTime());
    }
  }
}

/** Deliveries from before the start that fail in the window, with the capacity that they hold until then. */
export async function readLateFailures(
  tx: Tx,
  { market, reading }: { market: ReplayMarket; reading: Reading },
): Promise<Array<{ failedAt: number; sale: Sale }>> {
  const rows = await tx.query(selectLateFailures, { from: reading.from });
  const leads = await readLeads(tx, [...new Set(rows.map(({ leadId }) => leadId))], reading);
  return rows.flatMap((row) => {
    const delivery = deliveryOf(row, reading);
    if (delivery.failedAt === null) return [];
    const identities = leads.get(row.leadId)?.identities ?? [];
    return [{ failedAt: delivery.failedAt, sale: market.takeStarted(delivery, identities) }];
  });
}
