// The returns and disputes on all deliveries of a lead, in short, for the operator's page of it.
import { type LeadId, typeId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import type { ClaimStatus } from '../buyers/claim-status.ts';
import type { Tx } from '../platform/database/database.ts';
import { claimIdOf } from './claim-view.rules.ts';
import { claimsOfLeadSql } from './claim.sql.ts';

export type ClaimOfLead = {
  /** `ret_…` or `dsp_…`. */
  readonly claimId: string;
  readonly kind: 'return' | 'dispute';
  readonly partner: string;
  readonly deliveryId: string;
  readonly reason: string;
  readonly status: ClaimStatus;
  readonly filedAt: string;
  readonly decidedAt: string | null;
  /** Null where nothing was credited. */
  readonly credit: number | null;
};

/** Newest first. */
export async function claimsOfLead(tx: Tx, leadId: LeadId): Promise<ClaimOfLead[]> {
  return (await tx.query(claimsOfLeadSql, { leadId })).map((claim) => ({
    claimId: claimIdOf(claim),
    kind: claim.kind,
    partner: claim.buyerKey,
    deliveryId: typeId('delivery', claim.deliveryId),
    reason: claim.reason,
    status: claim.status,
    filedAt: claim.filedAt.toISOString(),
    decidedAt: claim.decidedAt?.toISOString() ?? null,
    credit: claim.creditCents === null ? null : wireAmount(claim.creditCents),
  }));
}
