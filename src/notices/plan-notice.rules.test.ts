// Which channels a notice takes, and when (contract 12.3).
import { describe, expect, it } from 'vitest';

import { planOf, type Preferences } from './plan-notice.rules.ts';

const at = (time: string): Date => new Date(`2026-11-24T${time}:00Z`);
const all: Preferences = {
  emails: ['desk@summit.example'],
  webhookUrl: 'https://hooks.summit.example/in',
  chatUrl: 'https://chat.summit.example/in',
  timeZone: 'UTC',
  quietHours: { from: '22:00', to: '07:00' },
  digestAt: '06:00',
  off: ['cap.reached'],
  digest: ['claim.decided', 'claim.due'],
  urgent: ['endpoint.disabled', 'claim.due'],
};
const planned = (email: string | null, webhook: string, chat: string | null, isDigest = false) => ({
  state: 'planned',
  sends: [
    { channel: 'email', dueAt: new Date(email ?? ''), isDigest },
    { channel: 'webhook', dueAt: new Date(webhook), isDigest: false },
    { channel: 'chat', dueAt: new Date(chat ?? ''), isDigest },
  ],
});

describe('planOf', () => {
  it.each([
    [
      'sends at once by day',
      'invoice.issued',
      '12:00',
      planned('2026-11-24T12:00Z', '2026-11-24T12:00Z', '2026-11-24T12:00Z'),
    ],
    [
      'holds back for people at night',
      'invoice.issued',
      '23:00',
      planned('2026-11-25T07:00Z', '2026-11-24T23:00Z', '2026-11-25T07:00Z'),
    ],
    [
      'does not hold back what is urgent',
      'endpoint.disabled',
      '23:00',
      planned('2026-11-24T23:00Z', '2026-11-24T23:00Z', '2026-11-24T23:00Z'),
    ],
    [
      'does not hold back a test',
      'test',
      '23:00',
      planned('2026-11-24T23:00Z', '2026-11-24T23:00Z', '2026-11-24T23:00Z'),
    ],
    [
      'has a digest in quiet hours wait for their end',
      'claim.decided',
      '12:00',
      planned('2026-11-25T07:00Z', '2026-11-24T12:00Z', '2026-11-25T07:00Z', true),
    ],
    [
      'has an urgent digest come at its time',
      'claim.due',
      '12:00',
      planned('2026-11-25T06:00Z', '2026-11-24T12:00Z', '2026-11-25T06:00Z', true),
    ],
    ['does not send what is switched off', 'cap.reached', '12:00', { state: 'off' }],
  ])('%s', (_, kind, time, plan) => {
    expect(planOf(kind, all, at(time))).toEqual(plan);
  });

  it('says that a recipient has no channel', () => {
    expect(planOf('test', { ...all, emails: [], webhookUrl: null, chatUrl: null }, at('12:00'))).toEqual({
      state: 'no_channel',
    });
  });
});
