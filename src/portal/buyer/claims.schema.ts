// Returns and disputes in the portal: one shape for both, so that one list can hold them.
import { type Static, Type } from 'typebox';

import { claimKinds, claimStatuses } from '../../buyers/claim-status.ts';
import { ClaimTimelineSchema } from '../../claims/claim-timeline.schema.ts';
import { reasonCodes } from '../../claims/reason.rules.ts';
import { orNull } from '../../platform/http/values.schema.ts';

const instant = Type.String({ format: 'date-time' });

export const PortalClaimSchema = Type.Object({
  id: Type.String(),
  kind: Type.Enum([...claimKinds]),
  status: Type.Enum([...claimStatuses]),
  deliveryId: Type.String(),
  deliveryRef: Type.String(),
  eventType: Type.String(),
  payout: Type.Number(),
  reason: Type.Enum([...reasonCodes]),
  /** The proof of a return, the detail of a dispute. */
  statement: orNull(Type.String()),
  evidenceUrl: orNull(Type.String()),
  filedAt: instant,
  decisionDueAt: instant,
  decidedAt: orNull(instant),
  decisionNote: orNull(Type.String()),
  credit: orNull(Type.Object({ amount: Type.Number(), entryId: Type.String() })),
  isWithdrawable: Type.Boolean(),
});
export type PortalClaim = Static<typeof PortalClaimSchema>;

export const ClaimDetailSchema = Type.Object({ ...PortalClaimSchema.properties, timeline: ClaimTimelineSchema });
export type ClaimDetail = Static<typeof ClaimDetailSchema>;

export const ClaimsQuerySchema = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  kind: Type.Optional(Type.Enum([...claimKinds])),
  status: Type.Optional(Type.Enum([...claimStatuses])),
  sort: Type.Optional(Type.Enum(['-filed', 'filed'], { default: '-filed' })),
});
export type ClaimsQuery = Static<typeof ClaimsQuerySchema>;

const { kind, status } = ClaimsQuerySchema.properties;
/** The filters alone. */
export const ClaimFiltersSchema = Type.Object({ kind, status });
export type ClaimFilters = Static<typeof ClaimFiltersSchema>;

export const ClaimsSchema = Type.Object({
  page: Type.Integer(),
  pageSize: Type.Integer(),
  total: Type.Integer(),
  totalPages: Type.Integer(),
  data: Type.Array(PortalClaimSchema),
});
export type PortalClaims = Static<typeof ClaimsSchema>;
