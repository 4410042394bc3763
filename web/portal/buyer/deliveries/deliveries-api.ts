// What the routes of the portal answer about deliveries and claims, and the words for their codes.
import type { Delivery } from '../../../../sdk/typescript/client.ts';
import type { PortalClaim } from '../../../../src/portal/buyer/claims.schema.ts';

/** As GET /portal/api/buyer/deliveries answers. */
export type DeliveriesAnswer = {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly totalPages: number;
  /** Where a search finds nearly everything: `total` is of the deliveries from this instant on. */
  readonly backTo: string | null;
  readonly tooShort: boolean;
  readonly data: readonly Delivery[];
};

/** As GET /portal/api/buyer/deliveries/:deliveryId answers. */
export type DeliveryDetail = {
  readonly delivery: Delivery;
  readonly isErased: boolean;
  readonly consent: {
    /** Null where nothing of the person is shown. */
    readonly given: boolean | null;
    readonly at: string | null;
    readonly version: string | null;
    readonly leadIp: string | null;
    readonly sourceUrl: string | null;
  };
  readonly campaign: {
    readonly source: string | null;
    readonly medium: string | null;
    readonly campaign: string | null;
    readonly term: string | null;
    readonly content: string | null;
  };
  readonly redelivery: { readonly allowed: boolean; readonly code: string | null };
};

export type Claim = PortalClaim;
export type ClaimKind = Claim['kind'];
export type ClaimStatus = Claim['status'];
export const claimStatuses = [
  'submitted',
  'under_review',
  'approved',
  'denied',
  'withdrawn',
] as const satisfies readonly ClaimStatus[];

export type FilingOption = {
  readonly allowed: boolean;
  readonly refusal: { readonly code: string; readonly meaning: string; readonly remedy: string } | null;
  /** The last second for it. */
  readonly until: string;
};

/** As GET /portal/api/buyer/deliveries/:deliveryId/filing answers. */
export type Filing = {
  readonly deliveryId: string;
  readonly deliveryRef: string;
  readonly eventType: string;
  readonly return: FilingOption;
  readonly dispute: FilingOption;
  readonly reasons: ReadonlyArray<{ readonly code: string; readonly meaning: string; readonly proofRequired: boolean }>;
  readonly notReturnable: readonly string[];
  readonly cap: { readonly month: string; readonly limit: number; readonly used: number; readonly remaining: number };
  readonly claims: readonly Claim[];
};

export const kindWords: Readonly<Record<ClaimKind, string>> = { return: 'Return', dispute: 'Dispute' };

const REASONS: Readonly<Record<string, string>> = {
  invalid_phone: 'Disconnected or invalid phone',
  bounced_email: 'Bounced or invalid email',
  out_of_geo: 'Outside agreed geography',
  out_of_filter: 'Outside agreed filter criteria',
  duplicate: 'Duplicate within the dedup window',
  bot: 'Bot, non-human or inflated submission',
  no_show: 'Verified no-show',
  filter_mismatch: 'Explicit filter mismatch',
};

export function reasonWords(code: string): string {
  return REASONS[code] ?? code.replaceAll('_', ' ');
}
