// The supplier's overview in the portal: submissions over time, acceptance, scores, and why leads came to nothing.
import { Type } from 'typebox';

import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { SupplierStatus } from '../../suppliers/supplier.ts';
import { supplierStatuses } from '../../suppliers/supplier.schema.ts';
import { readSupplierOverview } from '../../reports/read-supplier-overview.ts';

export type PortalSupplierOverviewDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly supplierOf: (supplierKey: string) => { readonly name: string; readonly status: SupplierStatus };
};

const count = Type.Integer({ minimum: 0 });
const TotalsSchema = {
  submitted: count,
  accepted: count,
  routed: count,
  rejected: count,
  pending: count,
  acceptedRate: Type.Number(),
  acceptanceRate: Type.Number(),
  avgScore: Type.Number(),
};
const ReasonSchema = {
  reason: Type.String(),
  meaning: Type.String(),
  remedy: Type.String(),
  leads: count,
  share: Type.Number(),
};

const OverviewSchema = Type.Object({
  days: Type.Integer(),
  from: Type.String(),
  to: Type.String(),
  supplierKey: Type.String(),
  name: Type.String(),
  status: Type.Enum([...supplierStatuses]),
  totals: Type.Object(TotalsSchema),
  byStatus: Type.Array(Type.Object({ status: Type.String(), leads: count, meaning: Type.String() })),
  byDay: Type.Array(Type.Object({ date: Type.String(), ...TotalsSchema })),
  scores: Type.Array(Type.Object({ from: Type.Integer(), to: Type.Integer(), leads: count })),
  rejections: Type.Object({
    atTheDoor: Type.Array(Type.Object(ReasonSchema)),
    afterwards: Type.Array(Type.Object({ status: Type.String(), ...ReasonSchema })),
  }),
  lacking: Type.Object({
    latest: Type.Integer(),
    unsold: count,
    sold: count,
    fields: Type.Array(Type.Object({ field: Type.String(), lackingUnsold: count, lackingSold: count })),
  }),
});

export function registerPortalSupplierOverview(
  scope: App,
  { database, clock, supplierOf }: PortalSupplierOverviewDependencies,
): void {
  scope.get(
    '/api/supplier/overview',
    {
      schema: {
        querystring: Type.Object({
          days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, default: 30 })),
        }),
        response: { 200: OverviewSchema },
      },
    },
    async (request, reply) => {
      const { days = 30 } = request.query;
      const { ownerKey } = principalOf(request);
      const { name, status } = supplierOf(ownerKey);
      const overview = await database.tx((tx) => readSupplierOverview(tx, ownerKey, { days }, clock.now()), {
        snapshot: true,
      });
      return reply.send({ ...overview, name, status });
    },
  );
}
