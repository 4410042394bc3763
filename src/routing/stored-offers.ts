// Reads, lists and saves offers, closed ones included.
import type { Tx } from '../platform/database/database.ts';
import {
  countOffersOfVerticalsSql,
  countWantedOffersSql,
  listOffersSql,
  type OfferRow,
  readAnsweredOffersSql,
  readOffersBelowSql,
  readOffersOfBuyersSql,
  readOffersOfBuyerSql,
  readOffersSql,
  readRejectionsWatchedSql,
  readSomeOffersSql,
  saveOffersSql,
} from './offer.sql.ts';
import { offerOfDefinition } from './offer-form.rules.ts';
import type { Offer, OfferStatus } from './offer.ts';

/** All offers in the order of their keys, or only those of `keys`. */
export async function readOffers(tx: Tx, keys?: readonly string[]): Promise<Offer[]> {
  const rows = await (keys === undefined ? tx.query(readOffersSql) : tx.query(readSomeOffersSql, { keys }));
  return rows.map(offerOf);
}

/** Offers that are not closed and pay less than an amount, in the order of their keys. */
export async function readOffersBelow(tx: Tx, cents: number): Promise<Offer[]> {
  return (await tx.query(readOffersBelowSql, { cents })).map(offerOf);
}

/** Offers that are not closed and leave the price to the response of their partner, of some partners. */
export async function readAnsweredOffers(tx: Tx, buyerKeys: readonly string[]): Promise<Offer[]> {
  return (await tx.query(readAnsweredOffersSql, { buyerKeys })).map(offerOf);
}

/** In the order of their keys. */
export async function readOffersOfBuyer(tx: Tx, buyerKey: string): Promise<Offer[]> {
  return (await tx.query(readOffersOfBuyerSql, { buyerKey })).map(offerOf);
}

/** In the order of their keys. */
export async function readOffersOfBuyers(tx: Tx, buyerKeys: readonly string[]): Promise<Offer[]> {
  return (await tx.query(readOffersOfBuyersSql, { buyerKeys })).map(offerOf);
}

/** By the key of the vertical that the offers name; closed offers are left out. */
export async function countOffersOfVerticals(tx: Tx): Promise<Map<string, number>> {
  const rows = await tx.query(countOffersOfVerticalsSql);
  return new Map(rows.map(({ vertical, offers }) => [vertical, offers]));
}

export type OfferQuery = {
  /** Part of a key or name. */
  readonly search: string | null;
  readonly status: OfferStatus | null;
  readonly buyerKey: string | null;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
};

/** One page in the order of the keys. */
export async function listOffers(
  tx: Tx,
  { search, status, buyerKey, page, pageSize }: OfferQuery,
): Promise<{ total: number; offers: Offer[] }> {
  const wanted = { search, status, buyerKey };
  const [count] = await tx.query(countWantedOffersSql, wanted);
  const rows = await tx.query(listOffersSql, { ...wanted, pageSize, offset: (page - 1) * pageSize });
  return { total: count?.total ?? 0, offers: rows.map(offerOf) };
}

/** Active offers that could pause for rejections, and those that are paused. `isForAll`: whether offers without a share of their own could. */
export async function readRejectionsWatched(
  tx: Tx,
  isForAll: boolean,
): Promise<ReadonlyArray<{ readonly offer: Offer; readonly liftedAt: Date | null }>> {
  const rows = await tx.query(readRejectionsWatchedSql, { isForAll });
  return rows.map(({ liftedAt, ...row }) => ({ offer: offerOf(row), liftedAt }));
}

/** Inserts or replaces whole offers, and changes neither pauses for rejections nor own limits. An offer never changes its buyer. The caller bumps the version and records history and audit. */
export async function saveOffers(tx: Tx, offers: readonly Offer[], now: Date): Promise<void> {
  if (offers.length === 0) return;
  await tx.query(saveOffersSql, {
    offerKeys: offers.map((offer) => offer.offerKey),
    buyerKeys: offers.map((offer) => offer.buyerKey),
    statuses: offers.map((offer) => offer.status),
    // A pause and a partner's own limits have columns of their own.
    definitions: offers.map(({ rejectionsPause: _pause, ownLimits: _own, ...definition }) =>
      JSON.stringify(definition),
    ),
    now,
  });
}

function offerOf({ definition, offerKey, buyerKey, status, pausedAt, pausedUntil, ownLimits }: OfferRow): Offer {
  const rejectionsPause = pausedAt === null || pausedUntil === null ? null : { since: pausedAt, until: pausedUntil };
  return { ...offerOfDefinition(definition), offerKey, buyerKey, status, rejectionsPause, ownLimits };
}
