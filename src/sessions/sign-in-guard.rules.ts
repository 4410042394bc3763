// Computes the waiting time after failed sign-ins, per name, address and both together (decision 022).
import ipaddr from 'ipaddr.js';

/** Failures are counted per name and address together, per address with any name, and per name from any address. */
export type GuardSubject = 'pair' | 'address' | 'name';

export type GuardState = {
  readonly failures: number;
  readonly blockedUntil: Date;
  readonly expiresAt: Date;
  /** For a pair: an operator of this name has signed in from this address. */
  readonly trustedUntil: Date | null;
};

export type GuardStates = Readonly<Record<GuardSubject, GuardState>>;

/**
 * Failures before the first wait: five mistakes of one person; more for an address, which may be a whole office; and more for a name
 * alone, because a stranger anywhere can cause those.
 */
const FREE: Readonly<Record<GuardSubject, number>> = { pair: 5, address: 20, name: 20 };
const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** Failures are added up while the next one comes within this time. */
const WINDOW_MS = 15 * 60_000;
/**
 * After too many failures the count lasts this long after the wait. That leaves an address about three hundred guesses a day, at
 * any rate of attempts: too few against a password of twelve characters.
 */
const LONG_WINDOW_MS = 3_600_000;
/** How long an address is trusted after a sign-in from it. */
const TRUST_MS = 90 * 86_400_000;

/**
 * The counters that delay an attempt and that it counts against. The counter of the name alone does not apply to an address that the
 * operator has signed in from: otherwise a stranger could lock the operator out.
 */
export function subjectsOf({ pair }: Pick<GuardStates, 'pair'>, now: Date): readonly GuardSubject[] {
  return pair.trustedUntil !== null && pair.trustedUntil > now ? ['pair', 'address'] : ['pair', 'address', 'name'];
}

/** In whole seconds; 0 for an attempt that may be checked now. */
export function secondsToWait(states: GuardStates, now: Date): number {
  const waits = subjectsOf(states, now).map((subject) => states[subject].blockedUntil.getTime() - now.getTime());
  return Math.ceil(Math.max(0, ...waits) / 1000);
}

/** The state when an attempt begins: it counts as failed until it succeeds, so that concurrent attempts count as well. */
export function afterAttempt(subject: GuardSubject, state: GuardState, now: Date): GuardState {
  const failures = (state.expiresAt > now ? state.failures : 0) + 1;
  const excess = failures - FREE[subject];
  const waitMs = excess < 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(excess, 20));
  const blockedUntil = new Date(now.getTime() + waitMs);
  const keptMs = excess < 0 ? WINDOW_MS : LONG_WINDOW_MS;
  return { ...state, failures, blockedUntil, expiresAt: new Date(blockedUntil.getTime() + keptMs) };
}

/**
 * The state after an attempt that did not fail: only the code was missing, or everything was right (`complete`). A complete sign-in
 * resets the failures of its name and address together; the other counters keep the failures of others.
 */
export function afterSuccess(
  subject: GuardSubject,
  state: GuardState,
  { complete, now }: { readonly complete: boolean; readonly now: Date },
): GuardState {
  const isReset = complete && subject === 'pair';
  return {
    failures: isReset ? 0 : Math.max(0, state.failures - 1),
    // The attempt was checked, so no wait applied before it.
    blockedUntil: now,
    expiresAt: state.expiresAt,
    trustedUntil: isReset ? new Date(now.getTime() + TRUST_MS) : state.trustedUntil,
  };
}

/** The network that counts as one origin: an IPv4 address, or the /64 of an IPv6 address. Other texts are returned unchanged. */
export function addressNet(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
