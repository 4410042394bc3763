import { describe, expect, it } from 'vitest';

import { jobToJudge, type AttemptContext, reasonNotToSend } from './judge-attempt.rules.ts';

const now = new Date('2026-11-21T12:00:00.000Z');

const yesterday = new Date('2026-11-20T12:00:00.000Z');

const justAfter = new Date('2026-11-20T12:00:00.001Z');

const retrySeconds = [0, 10, 20];

const contextOf = (more: Partial<AttemptContext> = {}): AttemptContext => ({
  channel: 'webhook',
  purpose: 'sale',
  job: { attempts: 2, steps: 1, uncertain: 1, isProbe: false },
  isErased: false,
  disabledAt: null,
  breakerOpenSince: null,
  isOfPartner: true,
  hasWebhook: true,
  ...more,
});

const usedUp = { attempts: 4, steps: 3, uncertain: 4, isProbe: false };

describe('An attempt', () => {
  it.each<[says: string, more: Partial<AttemptContext>, why: RegExp | null]>([
    ['is made', {}, null],
    ['is not made for an erased lead', { isErased: true }, /erased/],
    ['is not made at a disabled endpoint', { disabledAt: yesterday }, /disabled/],
    ['is not made when all steps are used up', { job: usedUp }, /interrupted/],
    ['is not made for a copy to a removed channel', { purpose: 'copy', isOfPartner: false }, /no longer in use/],
    ['is made for a sale to a removed channel', { isOfPartner: false }, null],
  ])('%s', (_says, more, why) => {
    const reason = reasonNotToSend(contextOf(more), retrySeconds);
    if (why === null) expect(reason).toBeNull();
    else expect(reason).toMatch(why);
  });
});

describe('A probe that fails', () => {
  const probe = { attempts: 2, steps: 1, uncertain: 1, isProbe: true };
  it.each<[says: string, more: Partial<AttemptContext>, wasMade: boolean, state: { isProbe: boolean; steps: number }]>([
    ['uses up no step', { breakerOpenSince: justAfter, channel: 'sms' }, true, { isProbe: true, steps: 1 }],
    ['uses up a step when nothing was sent', { breakerOpenSince: justAfter }, false, { isProbe: false, steps: 1 }],
    [
      'is the last attempt after a day',
      { breakerOpenSince: yesterday, channel: 'sms' },
      true,
      { isProbe: false, steps: 3 },
    ],
    [
      'is the last attempt after a day without a URL',
      { breakerOpenSince: yesterday, hasWebhook: false },
      true,
      { isProbe: false, steps: 3 },
    ],
    [
      'leaves it to a webhook that is disabled then',
      { breakerOpenSince: yesterday },
      true,
      { isProbe: true, steps: 1 },
    ],
  ])('%s', (_says, more, wasMade, state) => {
    expect(jobToJudge(contextOf({ job: probe, ...more }), { wasMade, retrySeconds, now })).toEqual({
      ...probe,
      ...state,
    });
  });
});
