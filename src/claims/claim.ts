// The type of a stored return or dispute, with columns of its delivery (contract 6.8 to 6.10).
import type { DeliveryId, ClaimId, LeadId, TransferId } from '../base/ids.ts';
import type { ClaimKind, ClaimStatus } from '../buyers/claim-status.ts';
import type { EventType } from '../deliveries/delivery.ts';
import type { ReasonCode } from './reason.rules.ts';

export type Claim = {
  readonly claimId: ClaimId;
  readonly kind: ClaimKind;
  readonly buyerKey: string;
  readonly deliveryId: DeliveryId;
  readonly leadId: LeadId;
  readonly refNumber: number;
  readonly supplierKey: string;
  readonly eventType: EventType;
  /** The amount charged for the delivery. */
  readonly payoutCents: number;
  readonly reason: ReasonCode;
  /** The proof of a return, the detail of a dispute. */
  readonly statement: string | null;
  /** Disputes only; never fetched. */
  readonly evidenceUrl: string | null;
  readonly status: ClaimStatus;
  readonly filedAt: Date;
  readonly decisionDueAt: Date;
  /** Null until approval or denial, like note and reviewer. */
  readonly decidedAt: Date | null;
  readonly decisionNote: string | null;
  readonly decidedBy: string | null;
  /** Both null unless the claim was approved and its delivery had a price. */
  readonly creditCents: number | null;
  readonly creditTransferId: TransferId | null;
  /** The first day, `YYYY-MM-DD`, of the delivery's month in the partner's zone. */
  readonly deliveryMonth: string;
};

/** What a list of claims comes to. */
export type ClaimSums = { readonly rows: number; readonly cents: number };
