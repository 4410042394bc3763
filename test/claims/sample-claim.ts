// A claim for tests of rules: a return of a delivery for 45.50, as it is filed and as it is approved.
import type { ClaimId, DeliveryId, LeadId, TransferId } from '../../src/base/ids.ts';
import type { Claim } from '../../src/claims/claim.ts';

export const submittedClaim: Claim = {
  claimId: '019a9f04-0000-7000-8000-000000000001' as ClaimId,
  kind: 'return',
  buyerKey: 'summit',
  deliveryId: '019a9f04-0000-7000-8000-000000000002' as DeliveryId,
  leadId: '019a9f04-0000-7000-8000-000000000003' as LeadId,
  refNumber: 100_042,
  supplierKey: 'acme-media',
  eventType: 'Lead Sale',
  payoutCents: 4550,
  reason: 'invalid_phone',
  statement: 'Dead.',
  evidenceUrl: null,
  status: 'submitted',
  filedAt: new Date('2026-11-20T18:21:09.113Z'),
  decisionDueAt: new Date('2026-12-01T07:59:59.000Z'),
  decidedAt: null,
  decisionNote: null,
  decidedBy: null,
  creditCents: null,
  creditTransferId: null,
  deliveryMonth: '2026-11-01',
};

export const approvedClaim: Claim = {
  ...submittedClaim,
  status: 'approved',
  decidedAt: new Date('2026-11-23T16:02:40.000Z'),
  decisionNote: 'So it is.',
  decidedBy: 'command line',
  creditCents: 4550,
  creditTransferId: '019a9f04-0000-7000-8000-000000000004' as TransferId,
};
