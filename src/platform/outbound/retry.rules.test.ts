import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { HttpFault, HttpOutcome } from './http-outcome.ts';
import { giveUp, isUsedUp, type JobState, judge } from './retry.rules.ts';
import { outcomeOfHttp, type SendOutcome } from './send-outcome.ts';

const now = new Date('2026-11-18T12:00:00.000Z');
const retrySeconds = [0, 5, 30, 120, 600, 1800, 7200, 18_000, 36_000];
/** Neither sooner nor later. */
const EVEN = 0.5;
const first: JobState = { attempts: 1, steps: 0, uncertain: 1, isProbe: false };

const response = (status: number, retryAfter: string | null = null): HttpOutcome => ({
  kind: 'response',
  status,
  snippet: null,
  latencyMs: 40,
  retryAfter,
  location: null,
});
const failure = (error: HttpFault, receipt: 'no' | 'unknown'): HttpOutcome => ({
  kind: 'error',
  error,
  message: 'No answer.',
  receipt,
  latencyMs: 40,
});

type Options = { readonly job?: Partial<JobState>; readonly chance?: number; readonly schedule?: readonly number[] };

function judged(outcome: HttpOutcome, { job = {}, chance = EVEN, schedule = retrySeconds }: Options = {}) {
  const judgement = judge(outcomeOfHttp(outcome, now), { ...first, ...job }, { retrySeconds: schedule, chance, now });
  if (judgement.kind !== 'retry' && judgement.kind !== 'deferred') return judgement;
  const { dueAt, ...rest } = judgement;
  return { ...rest, seconds: (dueAt.getTime() - now.getTime()) / 1000 };
}

const again = (uncertain: number, seconds = 5) => ({ kind: 'retry', seconds, steps: 1, uncertain });

describe('The first attempt', () => {
  it.each([
    { responses: 'any 2xx', statuses: [200, 201, 202, 204, 299], judgement: { kind: 'delivered' } },
    // A redirect and a 5xx may both come after the lead was taken.
    { responses: 'a redirect', statuses: [300, 301, 302, 303, 304, 307, 308, 399], judgement: again(1) },
    { responses: 'a 5xx', statuses: [500, 501, 502, 503, 504, 599], judgement: again(1) },
    { responses: 'a temporary 4xx', statuses: [408, 409, 425, 429], judgement: again(0) },
    { responses: 'another 4xx', statuses: [400, 401, 403, 404, 405, 413, 415, 422, 451, 499], judgement: again(0) },
    { responses: '410 Gone', statuses: [410], judgement: { kind: 'failed', certain: true, endpointGone: true } },
    { responses: 'an invalid status', statuses: [100, 199, 600, 999], judgement: again(1) },
  ])('with $responses is judged by its class', ({ statuses, judgement }) => {
    expect(statuses.map((status) => [status, judged(response(status))])).toEqual(
      statuses.map((status) => [status, judgement]),
    );
  });

  it.each<{ fault: HttpFault; receipt: 'no' | 'unknown'; uncertain: number }>([
    { fault: 'refused', receipt: 'no', uncertain: 0 },
    { fault: 'dns', receipt: 'no', uncertain: 0 },
    { fault: 'tls', receipt: 'no', uncertain: 0 },
    { fault: 'blocked', receipt: 'no', uncertain: 0 },
    { fault: 'timeout', receipt: 'no', uncertain: 0 },
    { fault: 'timeout', receipt: 'unknown', uncertain: 1 },
    { fault: 'reset', receipt: 'unknown', uncertain: 1 },
    { fault: 'protocol', receipt: 'unknown', uncertain: 1 },
    { fault: 'aborted', receipt: 'unknown', uncertain: 1 },
  ])('without a response ($fault, receipt $receipt) is retried', ({ fault, receipt, uncertain }) => {
    expect(judged(failure(fault, receipt))).toEqual(again(uncertain));
  });
});

describe('Later attempts', () => {
  it('end with the third at other 4xx, and with any at 410', () => {
    expect([1, 2, 3, 4].map((attempts) => judged(response(404), { job: { attempts } }).kind)).toEqual([
      'retry',
      'retry',
      'failed',
      'failed',
    ]);
    expect([1, 2, 3].map((attempts) => judged(response(410), { job: { attempts } }).kind)).toEqual([
      'failed',
      'failed',
      'failed',
    ]);
  });

  it('are made to the end of the schedule after a temporary 4xx, a redirect, a 5xx and no response', () => {
    const outcomes = [429, 408, 409, 425, 302, 503].map((status) => response(status));
    for (const outcome of [...outcomes, failure('timeout', 'unknown'), failure('refused', 'no')]) {
      const kinds = retrySeconds.map((_, steps) => judged(outcome, { job: { attempts: steps + 1, steps } }).kind);
      expect(kinds).toEqual([...retrySeconds.slice(1).map(() => 'retry'), 'failed']);
    }
  });

  it('wait as long as the schedule says', () => {
    const waits = retrySeconds.map((_, steps) => judged(response(503), { job: { attempts: steps + 1, steps } }));
    expect(waits.slice(0, -1)).toEqual(
      [5, 30, 120, 600, 1800, 7200, 18_000, 36_000].map((seconds, index) => ({
        kind: 'retry',
        seconds,
        steps: index + 1,
        uncertain: 1,
      })),
    );
  });

  it('do not exist with a schedule of one', () => {
    expect(judged(response(503), { schedule: [0] })).toEqual({ kind: 'failed', certain: false, endpointGone: false });
  });

  it('are counted by steps and not by attempts', () => {
    expect(judged(response(503), { job: { attempts: 20, steps: 3, uncertain: 20 } })).toEqual({
      kind: 'retry',
      seconds: 600,
      steps: 4,
      uncertain: 20,
    });
  });

  it('end where interrupted attempts have used up the schedule', () => {
    const steps = [0, 7, 8, 9, 10];
    expect(steps.map((used) => isUsedUp({ ...first, steps: used }, retrySeconds))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
    expect([0, 1].map((used) => isUsedUp({ ...first, steps: used }, [0]))).toEqual([false, true]);
  });

  it('deliver in spite of any earlier attempts', () => {
    expect(judged(response(204), { job: { attempts: 9, steps: 8, uncertain: 9 } })).toEqual({ kind: 'delivered' });
  });
});

describe('The receipt of a failed delivery', () => {
  const last = { attempts: retrySeconds.length, steps: retrySeconds.length - 1 };
  it.each([
    {
      says: 'is excluded after refused connections alone',
      outcome: failure('refused', 'no'),
      uncertain: 1,
      certain: true,
    },
    { says: 'is excluded after a last 429', outcome: response(429), uncertain: 1, certain: true },
    { says: 'is uncertain after a last 500', outcome: response(500), uncertain: 1, certain: false },
    { says: 'is uncertain after a last redirect', outcome: response(307), uncertain: 1, certain: false },
    { says: 'is uncertain if an earlier attempt was', outcome: response(429), uncertain: 2, certain: false },
    { says: 'is uncertain after a timeout', outcome: failure('timeout', 'unknown'), uncertain: 1, certain: false },
  ])('$says', ({ outcome, uncertain, certain }) => {
    expect(judged(outcome, { job: { ...last, uncertain } })).toEqual({ kind: 'failed', certain, endpointGone: false });
  });

  it.each([404, 410])('after a final %d is as uncertain as after the earlier attempts', (status) => {
    const judge_ = (uncertain: number) => judged(response(status), { job: { attempts: 3, steps: 2, uncertain } });
    expect(judge_(1)).toMatchObject({ kind: 'failed', certain: true });
    expect(judge_(2)).toMatchObject({ kind: 'failed', certain: false });
  });

  it('is only as uncertain as after the earlier attempts if nothing was sent', () => {
    expect(giveUp({ uncertain: 1 })).toEqual({
      kind: 'failed',
      certain: true,
      endpointGone: false,
    });
    expect(giveUp({ uncertain: 2 })).toEqual({
      kind: 'failed',
      certain: false,
      endpointGone: false,
    });
  });
});

describe('A response that decides about the lead', () => {
  const decided = (why: 'rejected' | 'duplicate' | 'unpriced', receipt: 'no' | 'unknown'): SendOutcome => ({
    ...{ kind: 'not_taken', why, receipt, retryAfterSeconds: 60 },
    ...{ responseCode: 200, responseSnippet: null, latencyMs: 40, error: null },
  });
  const judgedDecision = (outcome: SendOutcome, job: Partial<JobState>) =>
    judge(outcome, { ...first, ...job }, { retrySeconds, chance: EVEN, now });

  it.each([
    { says: 'a rejection', outcome: decided('rejected', 'no') },
    { says: 'a duplicate', outcome: decided('duplicate', 'no') },
  ])('ends the delivery at the first attempt, and it has certainly not arrived after $says', ({ outcome }) => {
    expect(judgedDecision(outcome, {})).toEqual({ kind: 'failed', certain: true, endpointGone: false });
    expect(judgedDecision(outcome, { isProbe: true })).toMatchObject({ kind: 'failed', certain: true });
  });

  it('leaves the receipt as uncertain as earlier attempts did', () => {
    expect(judgedDecision(decided('rejected', 'no'), { attempts: 2, steps: 1, uncertain: 2 })).toEqual({
      kind: 'failed',
      certain: false,
      endpointGone: false,
    });
  });

  it('ends the delivery as uncertain if its price cannot be charged', () => {
    expect(judgedDecision(decided('unpriced', 'unknown'), {})).toEqual({
      kind: 'failed',
      certain: false,
      endpointGone: false,
    });
  });
});

describe('Retry-After', () => {
  it.each([
    { says: 'delays the next attempt if it is longer than the step', retryAfter: '60', seconds: 60 },
    { says: 'is ignored if it is shorter', retryAfter: '3', seconds: 5 },
    { says: 'may be a date', retryAfter: 'Wed, 18 Nov 2026 12:10:00 GMT', seconds: 600 },
    { says: 'may be a date in the past', retryAfter: 'Wed, 18 Nov 2026 11:00:00 GMT', seconds: 5 },
    { says: 'is limited to a day', retryAfter: '999999', seconds: 86_400 },
    { says: 'is ignored if it is invalid', retryAfter: 'soon', seconds: 5 },
  ])('$says', ({ retryAfter, seconds }) => {
    for (const status of [429, 503, 302])
      expect(judged(response(status, retryAfter))).toMatchObject({ kind: 'retry', seconds });
  });

  it('never adds attempts', () => {
    const steps = retrySeconds.length - 1;
    expect(judged(response(503, '60'), { job: { attempts: steps + 1, steps } }).kind).toBe('failed');
    expect(judged(response(503, '60'), { job: { steps: 2 } })).toMatchObject({ steps: 3 });
  });

  it('does not delay the end after a 410 or a third rejection', () => {
    expect(judged(response(410, '60')).kind).toBe('failed');
    expect(judged(response(404, '60'), { job: { attempts: 3 } }).kind).toBe('failed');
  });
});

describe('Jitter', () => {
  it('changes a wait by up to a fifth in both directions', () => {
    const schedule = [0, 100];
    expect(judged(response(503), { schedule, chance: 0 })).toMatchObject({ seconds: 80 });
    expect(judged(response(503), { schedule, chance: 0.5 })).toMatchObject({ seconds: 100 });
    expect(judged(response(503), { schedule, chance: 1 - Number.EPSILON })).toMatchObject({ seconds: 120 });
  });

  it('never exceeds that fifth, shortens a requested wait, or exceeds a day', () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const step = fc.integer({ min: 0, max: 200_000 });
    fc.assert(
      fc.property(chance, step, fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: null }), (luck, wait, asked) => {
        const found = judged(response(503, asked === null ? null : String(asked)), {
          schedule: [0, wait],
          chance: luck,
        });
        const seconds = 'seconds' in found ? found.seconds : Number.NaN;
        const least = Math.max(wait * 0.8, asked ?? 0);
        const most = Math.max(wait * 1.2, asked ?? 0);
        // Milliseconds are whole.
        expect(seconds).toBeGreaterThanOrEqual(Math.min(least, 86_400) - 0.001);
        expect(seconds).toBeLessThanOrEqual(Math.min(most, 86_400) + 0.001);
      }),
    );
  });
});

describe('A probe of an endpoint', () => {
  const probe = { isProbe: true, steps: 8, attempts: 30, uncertain: 3 };
  it('uses up no step, and is due again in the queue of its endpoint', () => {
    expect(judged(response(503), { job: probe })).toEqual({ kind: 'retry', seconds: 0, steps: 8, uncertain: 3 });
    expect(judged(failure('refused', 'no'), { job: probe })).toMatchObject({ steps: 8, uncertain: 2 });
    expect(judged(response(429, '60'), { job: probe })).toMatchObject({ seconds: 60, steps: 8 });
  });

  it('ends a delivery whose response is final', () => {
    expect(judged(response(200), { job: probe })).toEqual({ kind: 'delivered' });
    expect(judged(response(410), { job: probe })).toMatchObject({ kind: 'failed', endpointGone: true });
    expect(judged(response(404), { job: probe })).toMatchObject({ kind: 'failed', endpointGone: false });
  });
});

describe('An attempt that our own rate limit defers', () => {
  it('is due when the limit ends, and uses up nothing', () => {
    const until = new Date(now.getTime() + 60_000);
    const terms = { retrySeconds: [0], chance: EVEN, now };
    expect(judge({ kind: 'deferred', until }, first, terms)).toEqual({ kind: 'deferred', dueAt: until });
  });
});
