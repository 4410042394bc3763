import { describe, expect, it } from 'vitest';

import {
  type IllEndpoint,
  inOrder,
  type MarketplaceStatus,
  type Problem,
  type QueueState,
  serviceProblems,
} from './overview.rules.ts';

const idle = (queue: QueueState['queue']): QueueState => ({
  ...{ queue, waiting: 0, inFlight: 0, later: 0 },
  ...{ isMore: false, ageSeconds: null },
});
const well: MarketplaceStatus = {
  queues: [idle('routing'), idle('sending'), idle('messages')],
  endpoints: { failing: 0, disabled: 0, listed: [] },
  deadJobs: 0,
  deadJobsAreMore: false,
  recent: { minutes: 5, responses: 1000, faults: 0 },
  attempts: { made: 1000, serverErrors: 10, noResponse: 5 },
  processes: [{ role: 'all', isLost: false, clockAheadMs: null }],
};
const problemsOf = (status: Partial<MarketplaceStatus>): Problem[] =>
  serviceProblems({ ...well, ...status }, (partner) => (partner === 'harbor' ? 12_000 : 0));
const found = (status: Partial<MarketplaceStatus>): string[] =>
  problemsOf(status).map(({ kind, severity }) => `${severity} ${kind}`);
const since = new Date('2026-11-20T12:00:00Z');
const endpoint = (name: string, more: Partial<IllEndpoint> = {}): IllEndpoint => ({
  ...{ ownerKind: 'buyer', ownerKey: name.toLowerCase(), name, channel: 'webhook', state: 'failing', since },
  lastError: null,
  ...more,
});
const aged = (queue: QueueState['queue'], ageSeconds: number): QueueState[] =>
  well.queues.map((one) => (one.queue === queue ? { ...one, waiting: 1, ageSeconds } : one));

describe('The current problems', () => {
  it('are none while jobs are processed and endpoints respond', () => {
    expect(problemsOf({})).toEqual([]);
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
      kinds: ['low process_lost', 'high clocks_apart'],
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
      status: {
        endpoints: {
          ...{ failing: 2, disabled: 1 },
          listed: [
            endpoint('Harbor'),
            endpoint('Acme', { ownerKind: 'supplier' }),
            endpoint('Summit', { state: 'disabled' }),
          ],
        },
      },
      kinds: ['high endpoint_failing', 'low endpoint_failing', 'high endpoint_disabled'],
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

  it('name each endpoint with its owner, its last response, and what its partner spends', () => {
    const listed = [
      endpoint('Harbor', { lastError: 'HTTP 503' }),
      endpoint('Acme', { ownerKind: 'supplier', lastError: 'no response' }),
      endpoint('', { ownerKey: 'summit', state: 'disabled' }),
    ];
    const problems = problemsOf({ endpoints: { failing: 2, disabled: 1, listed } });
    expect(problems.map(({ subject, text, cents, partner }) => [subject, text, cents, partner])).toEqual([
      [
        'buyer:harbor:webhook',
        'The webhook of Harbor is failing (HTTP 503). Its deliveries are queued and retried automatically.',
        12_000,
        'harbor',
      ],
      [
        'supplier:acme:webhook',
        'The callback of Acme is failing (no response). What it waits for is queued and retried automatically.',
        null,
        null,
      ],
      [
        'buyer:summit:webhook',
        'The webhook of summit is disabled: the offers of the partner are skipped.',
        0,
        'summit',
      ],
    ]);
    expect(problems[0]?.since).toBe(since);
  });

  it('name twenty endpoints, and count the rest', () => {
    const listed = Array.from({ length: 50 }, (_, index) => endpoint(`P${index}`));
    const problems = problemsOf({ endpoints: { failing: 60, disabled: 0, listed } });
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)?.text).toBe('40 more endpoints are failing or disabled.');
  });

  it('speak in the singular and in the plural', () => {
    const problems = problemsOf({ deadJobs: 10_000, deadJobsAreMore: true, queues: aged('routing', 7500) });
    expect(problems.map(({ text, subject }) => [text, subject])).toEqual([
      ['A lead has waited for its decision for 2 hours.', 'routing'],
      ['More than 10,000 dead letters wait for a decision.', ''],
    ]);
  });
});

describe('Problems in order', () => {
  const problem = (text: string, severity: Problem['severity'], cents: number | null): Problem => ({
    ...{ kind: 'dead_jobs', subject: '', remedy: '', partner: null, since: null },
    ...{ text, severity, cents },
  });

  it('begin with what is urgent and costs an unknown sum, then go by money, and end with what costs nothing', () => {
    const problems = [
      problem('notice', 'low', null),
      problem('cheap', 'high', 100),
      problem('first', 'high', null),
      problem('dear', 'low', 5000),
      problem('second', 'high', null),
      problem('free', 'high', 0),
    ];
    expect(inOrder(problems).map(({ text }) => text)).toEqual(['first', 'second', 'dear', 'cheap', 'free', 'notice']);
  });
});
