import type { AttemptId, DeliveryId } from '../../base/ids.ts';
import { describe, expect, it } from 'vitest';

import type { AttemptRow } from '../attempt-view.rules.ts';
import { type DeliveryLife, timelineEvents, type TimelineSources } from './timeline.rules.ts';

const at = (seconds: number): Date => new Date(Date.parse('2026-11-20T17:00:00.000Z') + seconds * 1000);

const pending: DeliveryLife = {
  eventType: 'Lead Sale',
  refNumber: 100_042,
  status: 'Pending',
  channel: 'webhook',
  deliveredAt: at(0),
  confirmedAt: null,
  failedAt: null,
  failure: null,
  returnedAt: null,
  appointmentAt: null,
};

const attempt: AttemptRow = {
  attemptId: '01890f6e-9c7a-7cc0-98f5-8b3a6a0a0a0a' as AttemptId,
  deliveryId: '01890f6e-9c7a-7cc0-98f5-8b3a6a0a0a0b' as DeliveryId,
  eventType: 'Lead Sale',
  refNumber: 100_042,
  channel: 'webhook',
  target: 'https://crm.example/…',
  attempt: 1,
  state: 'scheduled',
  responseCode: null,
  responseSnippet: null,
  latencyMs: null,
  error: null,
  isTest: false,
  at: at(1),
  nextAttemptAt: null,
};

const linesOf = (life: Partial<DeliveryLife>, more: Partial<TimelineSources> = {}): string[] =>
  timelineEvents({
    life: { ...pending, ...life },
    attempts: [],
    entries: [],
    currency: 'USD',
    mentions: [],
    ...more,
  }).map((event) => `${(Date.parse(event.at) - at(0).getTime()) / 1000} ${event.type}: ${event.message}`);

const ROUTED = '0 delivery.routed: The lead was routed to you as LS-100042.';

describe('An attempt in the timeline', () => {
  it.each<readonly [string, Partial<AttemptRow>, string]>([
    ['in progress', {}, '1 attempt.scheduled: Attempt 1 by webhook to https://crm.example/… is in progress.'],
    [
      'that succeeded',
      { state: 'succeeded', responseCode: 200, latencyMs: 80 },
      '1 attempt.succeeded: Attempt 1 by webhook to https://crm.example/… succeeded (80 ms). Response 200.',
    ],
    [
      'that got no answer',
      { state: 'failed', error: 'No response came in time.', latencyMs: 15_000, nextAttemptAt: at(20) },
      '1 attempt.failed: Attempt 1 by webhook to https://crm.example/… failed (15000 ms). No response came in time. The next attempt is due at 2026-11-20T17:00:20.000Z.',
    ],
    [
      'that was cut off',
      { state: 'failed', error: 'interrupted' },
      '1 attempt.failed: Attempt 1 by webhook to https://crm.example/… failed. It was interrupted.',
    ],
    [
      'that was the last',
      { attempt: 9, state: 'exhausted', responseCode: 503, latencyMs: 12 },
      '1 attempt.exhausted: Attempt 9 by webhook to https://crm.example/… failed (12 ms) and was the last. Response 503.',
    ],
    [
      'to nowhere',
      { channel: 'sms', target: '', state: 'exhausted', error: 'No number is set.' },
      '1 attempt.exhausted: Attempt 1 by sms failed and was the last. No number is set.',
    ],
  ])('%s', (_, row, text) => {
    expect(linesOf({}, { attempts: [{ ...attempt, ...row }] })).toEqual([ROUTED, text]);
  });
});

describe('A delivery in the timeline', () => {
  it('lists booking, confirmation, charge, return and credit', () => {
    const life = {
      eventType: 'Calendar Assigned',
      status: 'Returned',
      appointmentAt: at(86_400),
      confirmedAt: at(2),
      returnedAt: at(9),
    } as const;
    const entries = [
      { type: 'charge', amountCents: -12_050, createdAt: at(2) },
      { type: 'credit', amountCents: 12_050, createdAt: at(9) },
      { type: 'adjustment', amountCents: 5, createdAt: at(9) },
    ];
    expect(linesOf(life, { entries })).toEqual([
      '0 delivery.routed: The lead was routed to you as CA-100042.',
      '0 appointment.booked: The appointment was booked for 2026-11-21T17:00:00.000Z.',
      '2 delivery.confirmed: The delivery was confirmed: it was accepted by webhook.',
      '2 delivery.charged: You were charged $120.50.',
      '9 delivery.credited: You were credited $120.50.',
      '9 delivery.returned: The return of the lead was approved.',
    ]);
  });

  it('names the API for a partner without a channel', () => {
    expect(linesOf({ channel: null, status: 'Confirmed', confirmedAt: at(0) })[1]).toBe(
      '0 delivery.confirmed: The delivery was confirmed at once: you read your leads through the API.',
    );
  });

  it('lists causes before effects at equal times', () => {
    const failed = { status: 'Failed', failedAt: at(1) } as const;
    const attempts = [{ ...attempt, state: 'exhausted', responseCode: 410 } as const];
    const mentions = [{ at: at(2), action: 'endpoint.disabled', actor: { type: 'system' } }];
    expect(linesOf(failed, { attempts, mentions }).map((line) => line.split(':')[0])).toEqual([
      '0 delivery.routed',
      '1 attempt.exhausted',
      '1 delivery.failed',
      '2 endpoint.disabled',
    ]);
  });
});

describe('Audit events in the timeline', () => {
  const mention = (seconds: number, action: string, type = 'system') => ({ at: at(seconds), action, actor: { type } });
  const types = (life: Partial<DeliveryLife>, mentions: TimelineSources['mentions']): string[] =>
    linesOf(life, { mentions })
      .slice(1)
      .map((line) => line.split(':')[0] ?? '')
      .filter((line) => !line.includes('delivery.confirmed') && !line.includes('delivery.failed'));

  it('include the endpoint’s events until the delivery was settled', () => {
    const both = [
      mention(-5, 'endpoint.disabled'),
      mention(10, 'endpoint.disabled'),
      mention(20, 'endpoint.enabled'),
      mention(900, 'endpoint.disabled'),
    ];
    expect(types({}, both)).toEqual(['10 endpoint.disabled', '20 endpoint.enabled', '900 endpoint.disabled']);
    expect(types({ status: 'Confirmed', confirmedAt: at(15) }, both)).toEqual(['10 endpoint.disabled']);
    expect(types({ status: 'Failed', failedAt: at(9) }, both)).toEqual(['10 endpoint.disabled', '20 endpoint.enabled']);
    expect(types({ channel: 'email' }, both)).toEqual([]);
  });

  it('include every request for redelivery', () => {
    const asked = [
      mention(30, 'delivery.redelivery_requested', 'buyer'),
      mention(40, 'delivery.redelivery_requested', 'operator'),
    ];
    expect(linesOf({ status: 'Confirmed', confirmedAt: at(2) }, { mentions: asked }).slice(2)).toEqual([
      '30 delivery.redelivery_requested: Redelivery was requested by you.',
      '40 delivery.redelivery_requested: Redelivery was requested by the operator.',
    ]);
  });
});
