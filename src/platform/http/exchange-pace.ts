// Decides when a process exchanges with the database what it knows of shared limits: soon where it matters, and never twice at once.
import type { Clock } from '../clock.ts';
import type { Urgency } from './shared-bucket.rules.ts';

export type ExchangePace = {
  /** Call it whenever there is something to exchange. */
  due(urgency: Urgency): void;
  stop(): void;
};

/** Calls `run` after some milliseconds; returns the function that prevents it. */
export type After = (ms: number, run: () => void) => () => void;

export type ExchangePaceOptions = {
  readonly clock: Clock;
  /** Never rejects. Resolves to how urgent what is left is; null if nothing is. */
  readonly exchange: (startedAtMs: number) => Promise<Urgency | null>;
  readonly after: After;
};

/** From the first request on: four small statements a second for all limits of a busy process. */
const LATER_MS = 250;
/** From the start of one exchange to that of the next. */
const GAP_MS = { now: 20, soon: 100 } as const;

/** Starts `exchange` as soon as the most urgent call of `due` wants it. */
export function createExchangePace({ clock, exchange, after }: ExchangePaceOptions): ExchangePace {
  let timer: { readonly atMs: number; readonly cancel: () => void } | null = null;
  let isRunning = false;
  let isStopped = false;
  let startedAtMs = Number.NEGATIVE_INFINITY;

  const run = (): void => {
    timer = null;
    isRunning = true;
    startedAtMs = clock.now().getTime();
    void exchange(startedAtMs).then((left) => {
      isRunning = false;
      if (left !== null) due(left);
    });
  };

  function due(urgency: Urgency): void {
    if (isRunning || isStopped) return;
    const nowMs = clock.now().getTime();
    // A clock that is set back must not delay the next exchange.
    const sinceMs = Math.max(0, nowMs - startedAtMs);
    const inMs = urgency === 'later' ? LATER_MS : Math.max(0, GAP_MS[urgency] - sinceMs);
    if (timer !== null && timer.atMs <= nowMs + inMs) return;
    timer?.cancel();
    timer = { atMs: nowMs + inMs, cancel: after(inMs, run) };
  }

  return {
    due,
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}

/** Does not keep the process alive. */
export function afterTimeout(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
}
