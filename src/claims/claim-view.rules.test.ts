import { Errors } from 'typebox/value';
import { describe, expect, it } from 'vitest';

import { approvedClaim as approved, submittedClaim as claim } from '../../test/claims/sample-claim.ts';
import type { Claim } from './claim.ts';
import { DisputeRequestSchema, DisputeSchema, ReturnRequestSchema, ReturnSchema } from './claim.schema.ts';
import { claimForm, claimView, evidenceLines } from './claim-view.rules.ts';
import { ReturnPolicySchema } from './return-policy.schema.ts';

const dispute: Claim = { ...approved, kind: 'dispute', evidenceUrl: 'https://files.example.com/x' };

describe('A claim', () => {
  it('that is a return is shown with exactly the members of the contract, in their order', () => {
    expect(Object.keys(claimView(claim))).toEqual([
      'returnId',
      'deliveryId',
      'deliveryRef',
      'reason',
      'proof',
      'status',
      'filedAt',
      'decisionDueAt',
      'decidedAt',
      'decisionNote',
      'credit',
    ]);
    expect(claimView(claim)).toMatchObject({
      returnId: expect.stringMatching(/^ret_/),
      deliveryRef: 'LS-100042',
      proof: 'Dead.',
      status: 'submitted',
      filedAt: '2026-11-20T18:21:09.113Z',
      decisionDueAt: '2026-12-01T07:59:59.000Z',
      decidedAt: null,
      decisionNote: null,
      credit: null,
    });
    expect([...Errors(ReturnSchema, claimView(claim))]).toEqual([]);
  });

  it('that is a dispute has a detail and the address of evidence', () => {
    const view = claimView(dispute);
    expect(Object.keys(view).slice(0, 6)).toEqual([
      'disputeId',
      'deliveryId',
      'deliveryRef',
      'reason',
      'detail',
      'evidenceUrl',
    ]);
    expect(view).toMatchObject({ disputeId: expect.stringMatching(/^dsp_/), detail: 'Dead.' });
    expect([...Errors(DisputeSchema, view)]).toEqual([]);
  });

  it('that is approved shows note and credit', () => {
    expect(claimView(approved)).toMatchObject({
      status: 'approved',
      decidedAt: '2026-11-23T16:02:40.000Z',
      decisionNote: 'So it is.',
      credit: { amount: 45.5, entryId: expect.stringMatching(/^txn_/) },
    });
  });

  it.each([claim, approved, dispute])('shows nothing of supplier, lead and operator', (one) => {
    const text = JSON.stringify(claimView(one));
    for (const secret of ['acme', 'lead_', 'command line', 'summit', '2026-11-01']) expect(text).not.toContain(secret);
  });

  it('shows supplier, lead and operator to the operator', () => {
    expect(claimForm(dispute)).toMatchObject({
      kind: 'dispute',
      partner: 'summit',
      supplier: 'acme-media',
      leadId: expect.stringMatching(/^lead_/),
      detail: 'Dead.',
      decidedBy: 'command line',
      payout: 45.5,
    });
  });
});

describe('Evidence in words', () => {
  it.each([
    [null, 'There is no evidence in our data'],
    [
      { about: 'duplicate', dedupDays: 30, deliveries: [] },
      'No other delivery of this contact to the partner within 30',
    ],
    [
      {
        about: 'duplicate',
        dedupDays: 30,
        deliveries: [{ deliveryId: 'dlv_x', deliveredAt: '2026-11-01T00:00:00.000Z', status: 'Confirmed' }],
      },
      '2026-11-01T00:00:00.000Z  dlv_x  Confirmed',
    ],
    [{ about: 'filters', offer: 'west', known: false, checks: [] }, 'are not known'],
    [{ about: 'filters', offer: 'west', known: true, checks: [] }, 'had no such filter'],
    [
      {
        about: 'filters',
        offer: 'west',
        known: true,
        checks: [{ filter: 'states', wanted: ['CA'], found: 'NV', holds: false }],
      },
      'FAILS  states: wanted ["CA"], found "NV"',
    ],
  ] as const)('%j', (evidence, words) => {
    expect(evidenceLines(evidence).join('\n')).toContain(words);
  });
});

describe('The documented examples of claims', () => {
  it.each([ReturnRequestSchema, ReturnSchema, DisputeRequestSchema, DisputeSchema, ReturnPolicySchema])(
    'match the schema: %#',
    (schema) => {
      const { examples } = schema as unknown as { examples: unknown[] };
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) expect([...Errors(schema, example)]).toEqual([]);
    },
  );
});
