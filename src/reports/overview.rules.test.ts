import { describe, expect, it } from 'vitest';

import { problemsOf, type QueueState, type MarketplaceStatus } from './overview.rules.ts';

const idle = (queue: QueueState['queue']): QueueState => ({
  ...{ queue, waiting: 0, inFlight: 0, later: 0 },
  ...{ isMore: false, ageSeconds: null },
});
const well: MarketplaceStatus = {
  queues: [idle('routing'), idle('sending'), idle('messages')],
  endpoints: { failing: 0, disabled: 0 },
  deadJobs: 0,
  deadJobsAreMore: false,
  recent: { minutes: 5, responses: 1000, faults: 0 },
  attempts: { made: 1000, serverErrors: 10, noResponse: 5 },
  processes: [{ role: 'all', isLost: false, clockAheadMs: null }],
};
const found = (status: Partial<MarketplaceStatus>): string[] =>
  problemsOf({ ...well, ...status }).map(({ kind, severity }) => `${severity} ${kind}`);
const aged = (queue: QueueState['queue'], ageSeconds: number): QueueState[] =>
  well.queues.map((one) => (one.queue === queue ? { ...one, waiting: 1, ageSeconds } : one));

describe('The current problems', () => {
  it('are none while jobs are processed and endpoints respond', () => {
    expect(problemsOf(well)).toEqual([]);
    expect(found({ queues: aged('routing', 30) })).toEqual([]);
  });

  it.each<{ says: string; status: Partial<MarketplaceStatus>; kinds: string[] }>([
    { says: 'no process at all', status: { processes: [] }, kinds: ['high no_worker'] },
    {
      says: 'a process that only serves',
      status: { processes: [{ role: 'api', isLost: false, clockAheadMs: null }] },
      kinds: ['high no_worker'],
    },
    {
      says: 'a lost worker beside another one',
      status: {
        processes: [
          { role: 'worker', isLost: true, clockAheadMs: null },
          { role: 'worker', isLost: false, clockAheadMs: null },
        ],
      },
      kinds: ['low process_lost'],
    },
    {
      says: 'the only worker lost',
      status: {
        processes: [
          { role: 'api', isLost: false, clockAheadMs: null },
          { role: 'worker', isLost: true, clockAheadMs: null },
        ],
      },
      kinds: ['high no_worker', 'high process_lost'],
    },
    {
      says: 'a machine whose clock is minutes away, unless its process is lost',
      status: {
        processes: [
          { role: 'all', isLost: false, clockAheadMs: -300_000 },
          { role: 'all', isLost: true, clockAheadMs: 300_000 },
        ],
      },
      kinds: ['high clocks_apart', 'low process_lost'],
    },
    {
      says: 'answers that failed on our side',
      status: { recent: { minutes: 5, responses: 10, faults: 1 } },
      kinds: ['high api_faults'],
    },
    { says: 'a lead that waits too long', status: { queues: aged('routing', 31) }, kinds: ['high queue_old'] },
    { says: 'a delivery that waits too long', status: { queues: aged('sending', 31) }, kinds: ['high queue_old'] },
    { says: 'a notice that waits too long', status: { queues: aged('messages', 31) }, kinds: ['low queue_old'] },
    {
      says: 'endpoints that fail or are disabled',
      status: { endpoints: { failing: 1, disabled: 2 } },
      kinds: ['high endpoints_failing', 'low endpoints_disabled'],
    },
    {
      says: 'a fifth of many attempts without a good answer',
      status: { attempts: { made: 20, serverErrors: 3, noResponse: 1 } },
      kinds: ['low attempts_refused'],
    },
    {
      says: 'nothing from a few attempts',
      status: { attempts: { made: 19, serverErrors: 19, noResponse: 0 } },
      kinds: [],
    },
    { says: 'a dead letter', status: { deadJobs: 1 }, kinds: ['high dead_jobs'] },
  ])('include $says', ({ status, kinds }) => {
    expect(found(status)).toEqual(kinds);
  });

  it('are listed worst first, in the singular and in the plural', () => {
    const problems = problemsOf({
      ...well,
      endpoints: { failing: 2, disabled: 1 },
      deadJobs: 10_000,
      deadJobsAreMore: true,
      queues: aged('routing', 7500),
    });
    expect(problems.map(({ text }) => text)).toEqual([
      'A lead has waited for its decision for 2 hours.',
      '2 endpoints are failing. Their deliveries are queued and retried automatically.',
      'More than 10,000 dead letters wait for a decision.',
      '1 endpoint is disabled: the offers of its partner are skipped.',
    ]);
    expect(problems[0]?.queue).toBe('routing');
  });
});
