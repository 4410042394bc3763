// One process's part in a token bucket that several processes share: what it may admit by itself, and when it has to ask the database
// (contract 1.12; decision 054).
import { draw, type Draw, type Rate } from './token-bucket.rules.ts';

export type SharedBucket = {
  /** The state of the bucket (token-bucket.rules.ts) in the database, with all that this process has admitted or asked for since. */
  readonly fullAtMs: number;
  /** The same, but each request that is not charged yet counts once for every process: so many may do the same meanwhile. */
  readonly shareFullAtMs: number;
  /** Admitted requests that are not charged to the bucket in the database yet. */
  readonly uncharged: number;
  /** With this many uncharged requests the process asks before it admits another one; from `allowanceUntilMs` on it has the least allowance. */
  readonly allowance: number;
  readonly allowanceUntilMs: number;
  /** Not all that waited for the last exchange got a token. */
  readonly isScarce: boolean;
};

export type Circumstances = {
  readonly nowMs: number;
  /** That serve requests of this marketplace, with this one; at least 1. */
  readonly processes: number;
  /** The database does not respond: the process admits its own share and cannot ask. */
  readonly isAway: boolean;
  /** Earlier requests wait for the database; a later one must not take what is left. */
  readonly isAsking: boolean;
};

export type Decision = {
  /** `unsure`: the bucket in the database decides. A token is reserved in `bucket` meanwhile. */
  readonly kind: 'allowed' | 'rejected' | 'unsure';
  readonly bucket: SharedBucket;
  readonly draw: Draw;
  readonly urgency: Urgency;
};

/**
 * How soon the process should exchange what it knows with the database. `now`: requests wait, or would wait if more came. `soon`: they wait
 * as well, but the bucket was empty a moment ago, and asking more often would not fill it.
 */
export type Urgency = 'later' | 'soon' | 'now';

/** An allowance that is not renewed has ended after this time; a process that is in use renews it several times as often. */
const ALLOWED_FOR_MS = 500;
/** All processes together may admit this part of a burst before they ask, however little they used the bucket before. */
const LEAST_ALLOWANCE = 0.1;
/**
 * A process may admit this many times as many requests as since its last exchange, if none had to ask: an even stream of requests then
 * never waits, and the exchanges become less frequent until they are as far apart as they may be.
 */
const GROWTH = 4;

export const NEW_BUCKET: SharedBucket = {
  fullAtMs: 0,
  shareFullAtMs: 0,
  uncharged: 0,
  allowance: 0,
  allowanceUntilMs: 0,
  isScarce: false,
};

/** Decides on one request. `bucket` of the result replaces the given one; `draw` is what the response shows, unless it is `unsure`. */
export function decide(bucket: SharedBucket, rate: Rate, circumstances: Circumstances): Decision {
  const { nowMs, processes, isAway, isAsking } = circumstances;
  const debtMs = debtOf(rate, processes);
  const whole = draw(rate, bucket.fullAtMs, nowMs, { debtMs });
  const cost = shareCost(rate, processes);
  const share = draw(rate, bucket.shareFullAtMs, nowMs, { cost, debtMs });
  const allowance = allowanceAt(bucket, rate, { nowMs, processes });
  const mayAlone = isAway || (!isAsking && bucket.uncharged < allowance);
  if (whole.allowed && share.allowed && mayAlone) {
    const uncharged = bucket.uncharged + 1;
    const taken = { fullAtMs: whole.fullAtMs, shareFullAtMs: share.fullAtMs, uncharged };
    const isLow = 2 * uncharged > allowance + 1 || share.remaining < uncharged * cost;
    return {
      kind: 'allowed',
      bucket: { ...bucket, ...taken },
      draw: whole,
      urgency: isLow ? urgencyOf(bucket) : 'later',
    };
  }
  if (!whole.allowed) return { kind: 'rejected', bucket, draw: whole, urgency: 'later' };
  if (isAway) return { kind: 'rejected', bucket, draw: { ...share, remaining: 0 }, urgency: 'later' };
  return { kind: 'unsure', bucket: { ...bucket, fullAtMs: whole.fullAtMs }, draw: whole, urgency: urgencyOf(bucket) };
}

/** For requests that wait. */
export function urgencyOf({ isScarce }: SharedBucket): Urgency {
  return isScarce ? 'soon' : 'now';
}

/** What a process asks of a bucket in the database. */
export type Charge = {
  readonly bucket: string;
  readonly perTokenMs: number;
  readonly capacityMs: number;
  /** As in `DrawOptions`. */
  readonly debtMs: number;
  /** Requests that were admitted: they are charged even if the bucket is empty. */
  readonly admitted: number;
  /** Requests that wait: as many are granted as there are tokens. */
  readonly wanted: number;
};

/** `fullAtMs` is the state of the bucket after the charge. */
export type Charged = { readonly bucket: string; readonly fullAtMs: number; readonly granted: number };

type Order = { readonly bucket: string; readonly wanted: number; readonly processes: number };

/** What the process sends for a bucket: all that is uncharged, and the number of requests that wait. */
export function chargeOf({ uncharged }: SharedBucket, rate: Rate, { bucket, wanted, processes }: Order): Charge {
  const perTokenMs = 1000 / rate.perSecond;
  const capacityMs = perTokenMs * rate.burst;
  return { bucket, perTokenMs, capacityMs, debtMs: debtOf(rate, processes), admitted: uncharged, wanted };
}

type Exchanged = {
  readonly charge: Charge;
  readonly charged: Charged;
  /** Requests that began to wait after the charge was sent. */
  readonly waiting: number;
  readonly nowMs: number;
  readonly processes: number;
};

/** The bucket after an exchange with the database. */
export function afterExchange(bucket: SharedBucket, rate: Rate, exchanged: Exchanged): SharedBucket {
  const { charge, charged, waiting, nowMs, processes } = exchanged;
  const perTokenMs = 1000 / rate.perSecond;
  const uncharged = Math.max(0, bucket.uncharged - charge.admitted);
  return {
    fullAtMs: charged.fullAtMs + (uncharged + waiting) * perTokenMs,
    shareFullAtMs: charged.fullAtMs + uncharged * shareCost(rate, processes) * perTokenMs,
    uncharged,
    // Requests that had to ask are a burst, or over the limit: the next ones ask as well.
    allowance: charge.wanted > 0 ? 0 : GROWTH * charge.admitted,
    allowanceUntilMs: nowMs + ALLOWED_FOR_MS,
    isScarce: charged.granted < charge.wanted,
  };
}

/** For requests that waited for an exchange, after it. */
export function outcomes(
  bucket: SharedBucket,
  rate: Rate,
  { nowMs, processes }: Now,
): Record<'granted' | 'rejected', Draw> {
  const granted = draw(rate, bucket.fullAtMs, nowMs, { cost: 0 });
  // A token may have become free since the database decided; it is for a later request.
  const { retryAfterSeconds } = draw(rate, bucket.fullAtMs, nowMs, { debtMs: debtOf(rate, processes) });
  const rejected = { allowed: false, remaining: 0, retryAfterSeconds: Math.max(1, retryAfterSeconds) };
  return { granted: { ...granted, allowed: true, retryAfterSeconds: 0 }, rejected: { ...granted, ...rejected } };
}

/** Gives back the tokens reserved for requests that waited in vain. */
export function unreserve(bucket: SharedBucket, rate: Rate, requests: number): SharedBucket {
  return { ...bucket, fullAtMs: bucket.fullAtMs - (requests * 1000) / rate.perSecond };
}

/** After an outage of the database: requests whose tokens this process's share has got back since need not be charged any more. */
export function withoutRefilled(bucket: SharedBucket, rate: Rate, { nowMs, processes }: Now): SharedBucket {
  const perTokenMs = (shareCost(rate, processes) * 1000) / rate.perSecond;
  const missing = Math.ceil(Math.max(0, bucket.shareFullAtMs - nowMs) / perTokenMs);
  return { ...bucket, uncharged: Math.min(bucket.uncharged, missing) };
}

type Now = { readonly nowMs: number; readonly processes: number };

function allowanceAt(bucket: SharedBucket, { burst }: Rate, { nowMs, processes }: Now): number {
  const least = Math.max(1, Math.floor((LEAST_ALLOWANCE * burst) / processes));
  return nowMs < bucket.allowanceUntilMs ? Math.max(least, bucket.allowance) : least;
}

/** A bucket with fewer tokens than there are processes can still be drawn from. */
function shareCost({ burst }: Rate, processes: number): number {
  return Math.min(processes, burst);
}

/** More than processes can admit before they hear of each other; a limit, because a larger state may be that of another rate. */
function debtOf({ perSecond, burst }: Rate, processes: number): number {
  return (1000 / perSecond) * (burst + processes);
}
