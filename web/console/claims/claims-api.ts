// What the console asks about claims, and how the answers look.
import { queryOptions } from '@tanstack/react-query';

import { queryText } from '../../ui/filters.ts';
import { read } from '../../ui/request.ts';

export type ClaimKind = 'return' | 'dispute';
export type ClaimStatus = 'submitted' | 'under_review' | 'approved' | 'denied' | 'withdrawn';

export type QueuedClaim = {
  readonly id: string;
  readonly kind: ClaimKind;
  readonly status: ClaimStatus;
  readonly partner: string;
  readonly partnerName: string;
  readonly deliveryRef: string;
  readonly reason: string;
  readonly reasonMeaning: string;
  readonly payout: number;
  readonly filedAt: string;
  readonly decisionDueAt: string;
  readonly isLate: boolean;
  readonly decidedAt: string | null;
  readonly decidedBy: string | null;
  readonly credit: number | null;
};

export type Queue = {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly hasMore: boolean;
  readonly currency: string;
  readonly data: readonly QueuedClaim[];
};

export type Decision = { readonly at: string; readonly by: string; readonly note: string };

export type LeadFields = {
  readonly fullName: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly businessName: string | null;
  readonly state: string | null;
  readonly debtAmount: number | null;
  readonly source: string | null;
  readonly tcpaConsent: boolean;
  readonly consentTimestamp: string | null;
  readonly consentVersion: string | null;
  readonly leadIp: string | null;
  readonly sourceFormUrl: string | null;
  readonly trustedformCertUrl: string | null;
  readonly jornayaLeadId: string | null;
  readonly appointmentAt: string | null;
  readonly extra: Readonly<Record<string, unknown>>;
};

export type FilterCheck = {
  readonly filter: string;
  readonly wanted: unknown;
  readonly found: string | number | boolean | null;
  readonly holds: boolean;
};

export type DuplicateDelivery = {
  readonly deliveryId: string;
  readonly deliveryRef: string | null;
  readonly leadId: string | null;
  readonly deliveredAt: string;
  readonly status: 'Pending' | 'Confirmed' | 'Failed' | 'Returned';
  /** Null where one of both leads is erased. */
  readonly sameEmail: boolean | null;
  readonly samePhone: boolean | null;
};

export type Evidence =
  | { readonly about: 'duplicate'; readonly dedupDays: number; readonly deliveries: readonly DuplicateDelivery[] }
  | {
      readonly about: 'filters';
      readonly offer: string;
      readonly known: boolean;
      readonly checks: readonly FilterCheck[];
    };

export type Review = QueuedClaim & {
  readonly currency: string;
  readonly timeZone: string;
  readonly proofRequired: boolean;
  readonly statement: string | null;
  readonly evidenceUrl: string | null;
  readonly filedUntil: string;
  readonly decision: Decision | null;
  readonly creditEntryId: string | null;
  readonly delivery: {
    readonly deliveryId: string;
    readonly deliveryRef: string;
    readonly eventType: 'Lead Sale' | 'Calendar Assigned';
    readonly offer: string;
    readonly status: 'Pending' | 'Confirmed' | 'Failed' | 'Returned';
    readonly payout: number;
    readonly channel: string | null;
    readonly deliveredAt: string;
    readonly confirmedAt: string | null;
    readonly appointmentAt: string | null;
    readonly attempts: ReadonlyArray<{
      readonly at: string;
      readonly channel: string;
      readonly state: 'scheduled' | 'succeeded' | 'failed' | 'exhausted';
      readonly responseCode: number | null;
      readonly latencyMs: number | null;
      readonly error: string | null;
    }>;
    readonly others: number;
  };
  readonly lead: {
    readonly leadId: string;
    readonly externalId: string | null;
    readonly supplier: string;
    readonly receivedAt: string;
    readonly score: number | null;
    readonly scoreNotes: readonly string[];
    readonly erasedAt: string | null;
    readonly fields: LeadFields | null;
  };
  readonly evidence: Evidence | null;
  readonly otherClaims: ReadonlyArray<{
    readonly id: string;
    readonly kind: ClaimKind;
    readonly status: ClaimStatus;
    readonly reason: string;
    readonly filedAt: string;
    readonly statement: string | null;
    readonly decision: Decision | null;
  }>;
  readonly cap: {
    readonly month: string;
    readonly limit: number;
    readonly used: number;
    readonly remaining: number;
  } | null;
  readonly history: {
    readonly days: number;
    readonly deliveries: number;
    readonly approved: number;
    readonly denied: number;
    readonly withdrawn: number;
    readonly open: number;
    readonly credited: number;
  };
  /** Null where the claim is decided or withdrawn. */
  readonly effect: {
    readonly credit: number;
    readonly balance: number;
    readonly balanceAfter: number;
    readonly partnerTold: 'webhook' | 'feed';
    readonly supplierTold: boolean;
    readonly appealUntil: string | null;
  } | null;
  readonly queue: {
    readonly open: number;
    readonly hasMore: boolean;
    readonly next: string | null;
    readonly previous: string | null;
  };
};

export type Decided = {
  readonly id: string;
  readonly status: ClaimStatus;
  readonly credit: number | null;
  readonly balance: number;
  readonly partnerTold: 'webhook' | 'feed' | null;
  readonly supplierTold: boolean;
  readonly next: string | null;
  readonly open: number;
};

/** Which claims come next: '' for all kinds and all partners. */
export type QueueFilter = { readonly kind: '' | ClaimKind; readonly partner: string };

export const reviewOf = (claimId: string, { kind, partner }: QueueFilter) =>
  queryOptions({
    queryKey: ['claims', 'one', claimId, kind, partner],
    queryFn: ({ signal }) =>
      read<Review>(`/console/api/claims/${encodeURIComponent(claimId)}${queryText({ kind, partner })}`, signal),
  });
