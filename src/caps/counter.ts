// Types of cap counters: sales of an offer in one window, or in one appointment slot (contract 4.5).
import type { CapWindow } from '../base/time.ts';

/** An appointment slot is counted as a window that starts with it. */
export type CounterWindow = CapWindow | 'slot';

/** Identifies a counter: offer, kind of window and start of the window. */
export type CounterKey = { readonly offerKey: string; readonly window: CounterWindow; readonly startsAt: Date };

export type CounterUse = { readonly used: number; readonly usedCents: number };

export type Counter = CounterKey & CounterUse;
