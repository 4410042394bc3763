import { expect, test } from 'vitest';

import {
  afterAttempt,
  afterSuccess,
  type GuardState,
  type GuardStates,
  secondsToWait,
  subjectsOf,
} from './sign-in-guard.rules.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const at = (ms: number): Date => new Date(START + ms);
const fresh: GuardState = { failures: 0, blockedUntil: at(0), expiresAt: at(0), trustedUntil: null };
const nobody: GuardStates = { pair: fresh, address: fresh, name: fresh };

/** What holds after each attempt that was looked at. */
function fail(states: GuardStates, now: Date): GuardStates {
  const next: { -readonly [Subject in keyof GuardStates]: GuardState } = { ...states };
  for (const subject of subjectsOf(states, now)) next[subject] = afterAttempt(subject, states[subject], now);
  return next;
}

function succeed(states: GuardStates, complete: boolean, now: Date): GuardStates {
  const next: { -readonly [Subject in keyof GuardStates]: GuardState } = { ...states };
  for (const subject of subjectsOf(states, now)) {
    next[subject] = afterSuccess(subject, states[subject], { complete, now });
  }
  return next;
}

function times(count: number, states: GuardStates, now: Date): GuardStates {
  return count === 0 ? states : times(count - 1, fail(states, now), now);
}

test.each([
  [0, 0],
  [4, 0],
  [5, 2],
  [6, 4],
  [7, 8],
  [13, 512],
  [14, 900],
  [40, 900],
])('after %i failures at once one waits %i s', (failures, seconds) => {
  expect(secondsToWait(times(failures, nobody, at(0)), at(0))).toBe(seconds);
});

test('five mistakes cost nothing where each is forgotten before the next five', () => {
  let states = nobody;
  for (let day = 0; day < 30; day += 1) states = times(4, states, at(day * 86_400_000));
  expect(secondsToWait(states, at(29 * 86_400_000))).toBe(0);
});

test('who waits as told may try again, and is then told to wait longer', () => {
  const held = times(5, nobody, at(0));
  expect(secondsToWait(held, at(1999))).toBe(1);
  expect(secondsToWait(held, at(2000))).toBe(0);
  expect(secondsToWait(fail(held, at(2000)), at(2000))).toBe(4);
});

const from = (states: GuardStates, own: Partial<GuardStates>): GuardStates => ({ ...states, ...own });

test('strangers at many addresses hold back a name, but not who is known from another address', () => {
  let name = fresh;
  for (let stranger = 0; stranger < 30; stranger += 1) name = fail(from(nobody, { name }), at(stranger)).name;
  const unknown = from(nobody, { name });
  const known = from(unknown, { pair: { ...fresh, trustedUntil: at(1000) } });
  expect(secondsToWait(unknown, at(30))).toBeGreaterThan(0);
  expect(secondsToWait(known, at(30))).toBe(0);
  // And what a known one does changes nothing for strangers.
  expect(succeed(fail(known, at(30)), true, at(30)).name).toEqual(name);
  expect(secondsToWait(known, at(1000))).toBeGreaterThan(0);
});

test('a right password without its code counts as no failure, and as no success', () => {
  const mistaken = times(3, nobody, at(0));
  const incomplete = succeed(fail(mistaken, at(1)), false, at(1));
  expect(incomplete.pair.failures).toBe(3);
  expect(incomplete.pair.trustedUntil).toBeNull();
  const late = times(7, nobody, at(0));
  // Held back until here; the code may follow at once.
  expect(secondsToWait(succeed(fail(late, at(8000)), false, at(8000)), at(8000))).toBe(0);
});

test('signing in ends the failures from here, and leaves those of the address and the name', () => {
  const done = succeed(fail(times(4, nobody, at(0)), at(1)), true, at(1));
  expect([done.pair.failures, done.address.failures, done.name.failures]).toEqual([0, 4, 4]);
  expect(done.pair.trustedUntil).toEqual(at(1 + 90 * 86_400_000));
});

test.each([2, 16, 64, 256, 900, 3600])(
  'an attacker that gives up at a wait of %i s, until all is forgotten, has some three hundred guesses a day',
  (patience) => {
    let states = nobody;
    let nowMs = 0;
    let looked = 0;
    while (nowMs <= 86_400_000) {
      const wait = secondsToWait(states, at(nowMs));
      if (wait >= patience) {
        nowMs = states.pair.expiresAt.getTime() - START;
        states = nobody;
      } else {
        nowMs += wait * 1000;
        states = fail(states, at(nowMs));
        looked += 1;
      }
    }
    expect(looked).toBeLessThan(320);
  },
);
