// The route GET /api/v1/supplier/stats: the outcomes of a supplier's leads (contract 3.9).
import { Type } from 'typebox';

import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { principalOf } from '../platform/http/scope.ts';
import { supplierStats } from './supplier-stats.ts';

export type SupplierStatsDependencies = { readonly database: Database; readonly clock: Clock };

const QuerySchema = Type.Object({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 30,
      description: 'The number of UTC days, including today.',
    }),
  ),
});

const count = (description: string) => Type.Integer({ minimum: 0, description });

const StatsSchema = Type.Object(
  {
    days: Type.Integer({ description: 'The window requested.' }),
    supplierKey: Type.String(),
    totals: Type.Object({
      submitted: count('routed + rejected + pending. Test leads and repeated submissions are not counted.'),
      routed: count('Sold to a buyer.'),
      rejected: count('Failed the checks, was a duplicate, or found no buyer.'),
      pending: count('Not decided yet.'),
      acceptanceRate: Type.Number({
        description: '100 × routed / submitted, one decimal; 0 when nothing was submitted.',
      }),
      avgScore: Type.Number({ description: 'The average over accepted leads, one decimal; 0 if there are none.' }),
    }),
    byStatus: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description:
        'Leads by public status (Lead Sale, Calendar Assigned, Pending, Duplicate, No Buyer, Invalid, Suppressed). The counts sum to `submitted`; zeros are left out.',
    }),
  },
  {
    $id: 'SupplierStats',
    description: 'Leads by the UTC day on which they were submitted.',
    examples: [
      {
        days: 30,
        supplierKey: 'acme-media',
        totals: { submitted: 1250, routed: 988, rejected: 257, pending: 5, acceptanceRate: 79, avgScore: 71.4 },
        byStatus: {
          'Lead Sale': 901,
          'Calendar Assigned': 87,
          Pending: 5,
          Duplicate: 118,
          'No Buyer': 96,
          Invalid: 43,
        },
      },
    ],
  },
);

/** For suppliers in every status: the scope must also admit suppliers that may not submit leads. */
export function registerSupplierStats(scope: App, { database, clock }: SupplierStatsDependencies): void {
  scope.addSchema(StatsSchema);
  scope.get(
    '/api/v1/supplier/stats',
    {
      schema: {
        operationId: 'getSupplierStats',
        summary: 'Read your statistics',
        description: 'Available whether or not you are approved to submit leads.',
        tags: ['Supplier'],
        querystring: QuerySchema,
        response: { 200: Type.Ref('SupplierStats') },
      },
    },
    async (request, reply) => {
      const { days = 30 } = request.query;
      const { ownerKey } = principalOf(request);
      // One statement needs no transaction around it.
      return reply.send(await supplierStats(database, ownerKey, { days }, clock.now()));
    },
  );
}
