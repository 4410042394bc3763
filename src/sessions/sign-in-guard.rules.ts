// How long whoever fails to sign in has to wait before the next attempt is looked at (decision 022).

/** What is counted: a name and an address together, an address whatever the names, a name whatever the addresses. */
export type GuardSubject = 'pair' | 'address' | 'name';

export type GuardState = {
  readonly failures: number;
  readonly blockedUntil: Date;
  readonly expiresAt: Date;
  /** Of a pair: somebody of this name has signed in from there. */
  readonly trustedUntil: Date | null;
};

export type GuardStates = Readonly<Record<GuardSubject, GuardState>>;

/**
 * Failures that cost nothing. Five mistakes of one person; an office behind one address has more people; and a name alone is held back
 * late, because that is what a stranger can do to an operator from anywhere.
 */
const FREE: Readonly<Record<GuardSubject, number>> = { pair: 5, address: 20, name: 20 };
const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** Failures count together when they come within this of each other. */
const WINDOW_MS = 15 * 60_000;
/**
 * Once there were too many, so long after the wait. Some three hundred guesses a day are then left to an address, whichever way it
 * takes: nothing against a password of twelve characters.
 */
const LONG_WINDOW_MS = 3_600_000;
/** An address from which somebody signed in stays known for as long as one works from a place. */
const TRUST_MS = 90 * 86_400_000;

/**
 * What holds an attempt back, and what it counts against. Failures elsewhere are held against strangers, but not against who is known
 * from this address: or anybody could lock an operator out.
 */
export function subjectsOf({ pair }: Pick<GuardStates, 'pair'>, now: Date): readonly GuardSubject[] {
  return pair.trustedUntil !== null && pair.trustedUntil > now ? ['pair', 'address'] : ['pair', 'address', 'name'];
}

/** Whole seconds, at least 1; 0 for an attempt that may be looked at. */
export function secondsToWait(states: GuardStates, now: Date): number {
  const waits = subjectsOf(states, now).map((subject) => states[subject].blockedUntil.getTime() - now.getTime());
  return Math.ceil(Math.max(0, ...waits) / 1000);
}

/** After an attempt has begun: it counts as failed until it is known that it did not, so that attempts at once count as well. */
export function afterAttempt(subject: GuardSubject, state: GuardState, now: Date): GuardState {
  const failures = (state.expiresAt > now ? state.failures : 0) + 1;
  const over = failures - FREE[subject];
  const waitMs = over < 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(over, 20));
  const blockedUntil = new Date(now.getTime() + waitMs);
  const keptMs = over < 0 ? WINDOW_MS : LONG_WINDOW_MS;
  return { ...state, failures, blockedUntil, expiresAt: new Date(blockedUntil.getTime() + keptMs) };
}

/**
 * After an attempt turned out to be none: the password was right and only the code was missing, or all was right (`complete`).
 * Failures of others stay; those of this person from here are over.
 */
export function afterSuccess(
  subject: GuardSubject,
  state: GuardState,
  { complete, now }: { readonly complete: boolean; readonly now: Date },
): GuardState {
  const isOver = complete && subject === 'pair';
  return {
    failures: isOver ? 0 : Math.max(0, state.failures - 1),
    // The attempt was looked at, so nothing held it back before.
    blockedUntil: now,
    expiresAt: state.expiresAt,
    trustedUntil: isOver ? new Date(now.getTime() + TRUST_MS) : state.trustedUntil,
  };
}
