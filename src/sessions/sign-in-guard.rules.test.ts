import { describe, expect, it } from 'vitest';

import {
  afterAttempt,
  afterSuccess,
  type GuardState,
  type GuardStates,
  secondsToWait,
  subjectsOf,
  addressNet,
} from './sign-in-guard.rules.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const at = (ms: number): Date => new Date(START + ms);
const fresh: GuardState = { failures: 0, blockedUntil: at(0), expiresAt: at(0), trustedUntil: null };
const noFailures: GuardStates = { pair: fresh, address: fresh, name: fresh };

/** The states after an attempt that was checked. */
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

describe('The sign-in guard', () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 2],
    [6, 4],
    [7, 8],
    [13, 512],
    [14, 900],
    [40, 900],
  ])('after %i failures at once requires a wait of %i s', (failures, seconds) => {
    expect(secondsToWait(times(failures, noFailures, at(0)), at(0))).toBe(seconds);
  });

  it('requires no wait for four mistakes a day', () => {
    let states = noFailures;
    for (let day = 0; day < 30; day += 1) states = times(4, states, at(day * 86_400_000));
    expect(secondsToWait(states, at(29 * 86_400_000))).toBe(0);
  });

  it('checks an attempt after the wait, and doubles the wait after its failure', () => {
    const held = times(5, noFailures, at(0));
    expect(secondsToWait(held, at(1999))).toBe(1);
    expect(secondsToWait(held, at(2000))).toBe(0);
    expect(secondsToWait(fail(held, at(2000)), at(2000))).toBe(4);
  });

  const from = (states: GuardStates, own: Partial<GuardStates>): GuardStates => ({ ...states, ...own });

  it('blocks a name after failures from many addresses, but not from an address that it has signed in from', () => {
    let name = fresh;
    for (let stranger = 0; stranger < 30; stranger += 1) name = fail(from(noFailures, { name }), at(stranger)).name;
    const unknown = from(noFailures, { name });
    const known = from(unknown, { pair: { ...fresh, trustedUntil: at(1000) } });
    expect(secondsToWait(unknown, at(30))).toBeGreaterThan(0);
    expect(secondsToWait(known, at(30))).toBe(0);
    // A sign-in from the trusted address changes nothing for strangers.
    expect(succeed(fail(known, at(30)), true, at(30)).name).toEqual(name);
    expect(secondsToWait(known, at(1000))).toBeGreaterThan(0);
  });

  it('counts a correct password without its code neither as a failure nor as a success', () => {
    const mistaken = times(3, noFailures, at(0));
    const incomplete = succeed(fail(mistaken, at(1)), false, at(1));
    expect(incomplete.pair.failures).toBe(3);
    expect(incomplete.pair.trustedUntil).toBeNull();
    const late = times(7, noFailures, at(0));
    // Blocked until here; the code may follow at once.
    expect(secondsToWait(succeed(fail(late, at(8000)), false, at(8000)), at(8000))).toBe(0);
  });

  it('resets after a sign-in the failures of its pair, and leaves those of the address and the name', () => {
    const done = succeed(fail(times(4, noFailures, at(0)), at(1)), true, at(1));
    expect([done.pair.failures, done.address.failures, done.name.failures]).toEqual([0, 4, 4]);
    expect(done.pair.trustedUntil).toEqual(at(1 + 90 * 86_400_000));
  });

  it.each([2, 16, 64, 256, 900, 3600])(
    'leaves an attacker who pauses at a wait of %i s until the failures expire about three hundred guesses a day',
    (patience) => {
      let states = noFailures;
      let nowMs = 0;
      let guesses = 0;
      while (nowMs <= 86_400_000) {
        const wait = secondsToWait(states, at(nowMs));
        if (wait >= patience) {
          nowMs = states.pair.expiresAt.getTime() - START;
          states = noFailures;
        } else {
          nowMs += wait * 1000;
          states = fail(states, at(nowMs));
          guesses += 1;
        }
      }
      expect(guesses).toBeLessThan(320);
    },
  );

  it.each([
    ['203.0.113.24', '203.0.113.24'],
    ['::ffff:203.0.113.24', '203.0.113.24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['somewhere', 'somewhere'],
    ['', ''],
  ])('counts the address %j as the network %j', (address, net) => {
    expect(addressNet(address)).toBe(net);
  });
});
