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

/** Takes one token if there is one. `fullAtMs` is the state of the last draw, 0 for a new bucket. A changed rate applies at once. */
export function draw(rate: Rate, fullAtMs: number, nowMs: number): Draw {
  const perTokenMs = 1000 / rate.perSecond;
  const capacityMs = perTokenMs * rate.burst;
  // A clock set back, or a smaller bucket, must not cause a longer wait than an empty bucket.
  const before = Math.min(Math.max(fullAtMs, nowMs), nowMs + capacityMs);
  const after = before + perTokenMs;
  // Milliseconds of this century have a rounding error of some 1e-4 in a double.
  const overMs = after - nowMs - capacityMs;
  const allowed = overMs <= 0.001;
  const kept = allowed ? after : before;
  return {
    allowed,
    fullAtMs: kept,
    remaining: Math.max(0, Math.floor((capacityMs - (kept - nowMs)) / perTokenMs + 0.001)),
    resetSeconds: Math.ceil((kept - nowMs) / 1000 - 1e-6),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(overMs / 1000 - 1e-6)),
  };
}
