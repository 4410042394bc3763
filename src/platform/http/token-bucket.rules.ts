// A token bucket whose state is one number: the instant at which it will be full again (contract 1.12).

export type Rate = {
  readonly perSecond: number;
  /** The number of requests allowed at one instant; at least 1. */
  readonly burst: number;
};

export type Draw = {
  readonly allowed: boolean;
  /** The state to keep: milliseconds since 1970. */
  readonly fullAtMs: number;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Whole seconds until the bucket is full. */
  readonly resetSeconds: number;
  /** Whole seconds until the next token; 0 if one was given, else at least 1. */
  readonly retryAfterSeconds: number;
};

export type DrawOptions = {
  /** The tokens that a request takes; 1 by default. */
  readonly cost?: number;
  /** How far a bucket that several processes share may be overdrawn; 0 by default. */
  readonly debtMs?: number;
};

/** Milliseconds of this century have a rounding error of some 1e-4 in a double. */
export const ROUNDING_MS = 0.001;

/** Takes a request's tokens if there are enough. `fullAtMs` is the state of the last draw, 0 for a new bucket. A changed rate applies at once. */
export function draw(rate: Rate, fullAtMs: number, nowMs: number, { cost = 1, debtMs = 0 }: DrawOptions = {}): Draw {
  const perTokenMs = 1000 / rate.perSecond;
  const capacityMs = perTokenMs * rate.burst;
  // A clock set back, or a smaller bucket, must not cause a longer wait than an empty or overdrawn bucket.
  const before = Math.min(Math.max(fullAtMs, nowMs), nowMs + capacityMs + debtMs);
  const after = before + cost * perTokenMs;
  const overMs = after - nowMs - capacityMs;
  const allowed = overMs <= ROUNDING_MS;
  const kept = allowed ? after : before;
  return {
    allowed,
    fullAtMs: kept,
    remaining: Math.max(0, Math.floor((capacityMs - (kept - nowMs)) / perTokenMs + 0.001)),
    resetSeconds: Math.ceil((kept - nowMs) / 1000 - 1e-6),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(overMs / 1000 - 1e-6)),
  };
}
