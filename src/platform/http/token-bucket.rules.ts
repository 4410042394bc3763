// A token bucket as one number: the instant at which it will be full again (contract 1.12).

export type Rate = {
  readonly perSecond: number;
  /** How many requests may come at one instant; at least 1. */
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
  /** Whole seconds after which a token is there again; 0 if one was given. At least 1 for a refusal. */
  readonly retryAfterSeconds: number;
};

/** Takes one token; a refusal takes none. `fullAtMs` is the state of the last draw, 0 for a new bucket. Another rate counts at once. */
export function draw(rate: Rate, fullAtMs: number, nowMs: number): Draw {
  const perTokenMs = 1000 / rate.perSecond;
  const capacityMs = perTokenMs * rate.burst;
  // A clock set back, or a smaller bucket, must not leave anybody waiting for longer than an empty bucket would.
  const before = Math.min(Math.max(fullAtMs, nowMs), nowMs + capacityMs);
  const after = before + perTokenMs;
  // Milliseconds of this century leave some 1e-4 of rounding in a double.
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
