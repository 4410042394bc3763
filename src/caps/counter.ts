// A counter of what an offer has sold in one window, or of one slot of appointments (contract 4.5).
import type { CapWindow } from '../base/time.ts';

/** A slot of an appointment is counted like a window that begins with it. */
export type CounterWindow = CapWindow | 'slot';

/** Names one counter: an offer, a kind of window and the instant at which that window began. */
export type CounterKey = { readonly offerKey: string; readonly window: CounterWindow; readonly startsAt: Date };

export type CounterUse = { readonly used: number; readonly usedCents: number };

export type Counter = CounterKey & CounterUse;
