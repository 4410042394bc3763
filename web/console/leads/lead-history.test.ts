import { describe, expect, it } from 'vitest';

import { leadHistory } from './lead-history.ts';

const at = (minute: number): string => `2026-11-20T12:0${minute}:00.000Z`;

describe('leadHistory', () => {
  it('lists the events of all sources in chronological order, with names and times as the page shows them', () => {
    const story: Parameters<typeof leadHistory>[0] = {
      currency: 'USD',
      deliveries: [{ partner: 'summit', partnerName: 'Summit Debt Relief' }],
      events: [
        { at: at(0), type: 'lead.received', message: 'Accepted with a score of 90' },
        { at: at(0), type: 'lead.held', message: 'Held: no offer is open now; next try at 2026-11-20T18:00:00.000Z' },
        { at: at(3), type: 'delivery.confirmed', message: 'LS-1 to summit confirmed and charged' },
      ],
      attempts: [
        {
          ...{ attemptId: 'att_2', deliveryId: 'dlv_1', deliveryRef: 'LS-1', partner: 'summit', channel: 'webhook' },
          ...{ target: '', attempt: 2, state: 'succeeded', responseCode: 200, responseSnippet: null, latencyMs: 5 },
          ...{ error: null, at: at(2), nextAttemptAt: null },
        },
        {
          ...{ attemptId: 'att_1', deliveryId: 'dlv_1', deliveryRef: 'LS-1', partner: 'summit', channel: 'webhook' },
          ...{ target: '', attempt: 1, state: 'failed', responseCode: null, responseSnippet: null, latencyMs: null },
          ...{ error: 'No response came in time.', at: at(1), nextAttemptAt: at(2) },
        },
      ],
      ledger: [
        {
          ...{ entryId: 'txn_1', partner: 'summit', type: 'charge', amount: -45, balanceAfter: 0, description: '' },
          ...{ deliveryId: 'dlv_1', createdAt: at(3) },
        },
      ],
      claims: [
        {
          ...{ claimId: 'ret_1', kind: 'return', partner: 'summit', deliveryId: 'dlv_1', reason: 'invalid_phone' },
          ...{ status: 'denied', filedAt: at(4), decidedAt: at(5), credit: null },
        },
      ],
    };
    expect(leadHistory(story, 'America/New_York').map(({ message }) => message)).toEqual([
      'Accepted with a score of 90',
      'Held: no offer is open now; next try at Nov 20, 2026, 1:00:00 PM EST',
      'Attempt 1 by webhook to Summit Debt Relief failed (No response came in time)',
      'Attempt 2 by webhook to Summit Debt Relief succeeded (response 200)',
      'LS-1 to summit confirmed and charged',
      '$45.00 charged to Summit Debt Relief',
      'Return filed by Summit Debt Relief: invalid phone',
      'Return of Summit Debt Relief denied',
    ]);
  });
});
