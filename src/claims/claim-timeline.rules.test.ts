import { describe, expect, it } from 'vitest';

import { approvedClaim, submittedClaim } from '../../test/claims/sample-claim.ts';
import type { AuditActor } from '../audit/audit-event.ts';
import type { AuditMention } from '../audit/read-audit.ts';
import type { InvoiceId } from '../base/ids.ts';
import type { Claim } from './claim.ts';
import { claimTimeline } from './claim-timeline.rules.ts';

const submitted: Claim = { ...submittedClaim, filedAt: new Date('2026-11-20T18:00:00.000Z') };
const approved: Claim = {
  ...approvedClaim,
  filedAt: submitted.filedAt,
  decidedAt: new Date('2026-11-23T16:00:00.000Z'),
  decidedBy: 'ada',
};

const user: AuditActor = { type: 'buyer', name: 'ann@summit.example' };
const tokenId = 'tok_01m7ww5brzff488f6mxkdn36hm';
const token: AuditActor = { type: 'buyer', name: tokenId };
const tokenLabels: ReadonlyMap<string, string> = new Map();
const operator: AuditActor = { type: 'operator', name: 'grace' };

function mention(step: string, at: string, actor: AuditActor): AuditMention {
  return { at: new Date(at), actor, action: `return.${step}`, target: 'ret_x' };
}
const filed = mention('filed', '2026-11-20T18:00:00.000Z', user);

describe('The timeline of a claim', () => {
  it('has filing, files, review, decision and credit in the order of time', () => {
    const mentions = [
      mention('under_review', '2026-11-21T18:00:00.000Z', operator),
      mention('file_added', '2026-11-20T18:05:00.000Z', token),
      filed,
      mention('approved', '2026-11-23T16:00:00.000Z', operator),
    ];
    const invoiceId = '019a9f04-0000-7000-8000-000000000005' as InvoiceId;
    const steps = claimTimeline({ claim: approved, mentions, invoiceId, tokenLabels }, 'operator');
    expect(steps.map(({ step, at, by }) => [step, at, by?.party, by?.name])).toEqual([
      ['filed', '2026-11-20T18:00:00.000Z', 'partner', 'ann@summit.example'],
      ['file_added', '2026-11-20T18:05:00.000Z', 'partner', null],
      ['under_review', '2026-11-21T18:00:00.000Z', 'marketplace', 'grace'],
      ['approved', '2026-11-23T16:00:00.000Z', 'marketplace', 'ada'],
      ['credited', '2026-11-23T16:00:00.000Z', undefined, undefined],
    ]);
    expect(steps.map(({ credit }) => credit)).toEqual([
      ...[null, null, null, null],
      {
        amount: 45.5,
        entryId: expect.stringMatching(/^txn_/),
        invoiceId: expect.stringMatching(/^inv_/),
      },
    ]);
  });

  it('names no operator to the partner, but its own users', () => {
    const mentions = [filed, mention('under_review', '2026-11-21T18:00:00.000Z', operator)];
    const steps = claimTimeline({ claim: approved, mentions, invoiceId: null, tokenLabels }, 'partner');
    expect(steps.map(({ step, by }) => [step, by?.party, by?.name])).toEqual([
      ['filed', 'partner', 'ann@summit.example'],
      ['under_review', 'marketplace', null],
      ['approved', 'marketplace', null],
      ['credited', undefined, undefined],
    ]);
    expect(JSON.stringify(steps)).not.toMatch(/ada|grace|So it is/);
  });

  it('names the token by its label, also to the operator', () => {
    const labels = new Map([[tokenId, 'CRM']]);
    // Under the key of the partner, as in earlier releases.
    const unknown: AuditActor = { type: 'buyer', name: submitted.buyerKey };
    const mentions = [
      filed,
      mention('file_added', '2026-11-20T18:05:00.000Z', token),
      mention('withdrawn', '2026-11-21T18:00:00.000Z', unknown),
    ];
    for (const viewer of ['partner', 'operator'] as const) {
      const history = { claim: submitted, mentions, invoiceId: null };
      const authors = claimTimeline({ ...history, tokenLabels: labels }, viewer).map(({ by }) => by);
      expect(authors).toEqual([
        { party: 'partner', name: 'ann@summit.example', tokenLabel: null },
        { party: 'partner', name: null, tokenLabel: 'CRM' },
        { party: 'partner', name: null, tokenLabel: null },
      ]);
      expect(claimTimeline({ ...history, tokenLabels }, viewer)[1]?.by).toEqual(authors[2]);
    }
  });

  it('ends with the denial, or with the withdrawal', () => {
    const denied: Claim = { ...approved, status: 'denied', creditCents: null, creditTransferId: null };
    const stepsOf = (claim: Claim, ...mentions: readonly AuditMention[]): string[] =>
      claimTimeline({ claim, mentions: [filed, ...mentions], invoiceId: null, tokenLabels }, 'operator').map(
        ({ step }) => step,
      );
    expect(stepsOf(denied)).toEqual(['filed', 'denied']);
    const withdrawal = mention('withdrawn', '2026-11-21T18:00:00.000Z', token);
    expect(stepsOf({ ...submitted, status: 'withdrawn' }, withdrawal)).toEqual(['filed', 'withdrawn']);
  });

  it('has no credit for a delivery that was free', () => {
    const free: Claim = { ...approved, creditCents: null, creditTransferId: null };
    const steps = claimTimeline({ claim: free, mentions: [filed], invoiceId: null, tokenLabels }, 'partner');
    expect(steps.map(({ step }) => step)).toEqual(['filed', 'approved']);
  });

  it('begins with the filing also without an audit event of it', () => {
    const steps = claimTimeline({ claim: submitted, mentions: [], invoiceId: null, tokenLabels }, 'operator');
    expect(steps).toEqual([
      {
        step: 'filed',
        at: '2026-11-20T18:00:00.000Z',
        by: { party: 'partner', name: null, tokenLabel: null },
        credit: null,
      },
    ]);
  });
});
