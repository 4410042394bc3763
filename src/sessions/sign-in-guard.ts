// Slows down password guessing; the counters are in the database, shared by all processes (decision 022).
import { strict as assert } from 'node:assert';
import { hash } from 'node:crypto';

import type { Tx } from '../platform/database/database.ts';
import {
  afterAttempt,
  afterSuccess,
  type GuardState,
  type GuardStates,
  type GuardSubject,
  secondsToWait,
  subjectsOf,
} from './sign-in-guard.rules.ts';
import { deleteGuard, purgeGuards, lockGuards, updateGuards } from './sign-in-guard.sql.ts';

/** The name that is tried, and the network that it is tried from (`addressNet`). */
export type Attempt = { readonly name: string; readonly net: string };

const subjects: readonly GuardSubject[] = ['pair', 'address', 'name'];

/** Counts the attempt as a failure and returns 0, or returns the seconds left to wait and counts nothing. */
export async function beginAttempt(tx: Tx, attempt: Attempt, now: Date): Promise<number> {
  const states = await lockStates(tx, attempt, now);
  const seconds = secondsToWait(states, now);
  if (seconds === 0) {
    await writeStates(
      tx,
      attempt,
      subjectsOf(states, now).map((subject) => ({
        subject,
        state: afterAttempt(subject, states[subject], now),
      })),
    );
  }
  // Last, because it skips locked rows and waits for no lock: it cannot be part of a deadlock.
  await tx.query(purgeGuards, { now });
  return seconds;
}

/** Takes back the failure that `beginAttempt` counted. */
export async function settleAttempt(
  tx: Tx,
  attempt: Attempt,
  outcome: { readonly complete: boolean; readonly now: Date },
): Promise<void> {
  const states = await lockStates(tx, attempt, outcome.now);
  await writeStates(
    tx,
    attempt,
    subjectsOf(states, outcome.now).map((subject) => ({
      subject,
      state: afterSuccess(subject, states[subject], outcome),
    })),
  );
}

/** Deletes the counter of the name alone, so that it may sign in from unknown addresses again. */
export async function unlockName(tx: Tx, name: string): Promise<void> {
  await tx.query(deleteGuard, { subject: subjectHash('name', { name, net: '' }) });
}

async function lockStates(tx: Tx, attempt: Attempt, now: Date): Promise<GuardStates> {
  const hashes = subjects.map((subject) => subjectHash(subject, attempt));
  const rows = await tx.query(lockGuards, { hashes, now });
  const stateOf = (subject: GuardSubject): GuardState => {
    const own = subjectHash(subject, attempt);
    const row = rows.find((candidate) => candidate.subject.equals(own));
    assert(row !== undefined, 'a locked sign_in_guard row is missing');
    return row;
  };
  return { pair: stateOf('pair'), address: stateOf('address'), name: stateOf('name') };
}

type Written = { readonly subject: GuardSubject; readonly state: GuardState };

async function writeStates(tx: Tx, attempt: Attempt, written: readonly Written[]): Promise<void> {
  await tx.query(updateGuards, {
    subjects: written.map(({ subject }) => subjectHash(subject, attempt)),
    failures: written.map(({ state }) => state.failures),
    blockedUntils: written.map(({ state }) => state.blockedUntil),
    expiredTimes: written.map(({ state }) => state.expiresAt),
    trustedUntils: written.map(({ state }) => state.trustedUntil),
  });
}

function subjectHash(subject: GuardSubject, { name, net }: Attempt): Buffer {
  const counted = { pair: `${name}\n${net}`, address: net, name }[subject];
  return hash('sha256', `${subject}\n${counted}`, 'buffer');
}
