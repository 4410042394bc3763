// GET /api/v1/buyer/leads: the partner's own deliveries, page by page (contract 6, GET leads; source 2.3).
import { Type } from 'typebox';

import { startOfUtcDay } from '../base/time.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { pageLinks } from '../platform/http/page-links.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import type { FieldFault } from '../platform/http/request-fault.ts';
import { principalOf } from '../platform/http/scope.ts';
import { invalidQuery } from '../platform/http/validation.ts';
import { bookingExample, saleExample } from './delivery-example.ts';
import { deliveryStatuses } from './delivery-row.ts';
import { DeliverySchema } from './delivery-schema.ts';
import { deliveryView } from './delivery-view.rules.ts';
import { type DeliveryQuery, listDeliveries } from './list-deliveries.ts';

export type BuyerLeadsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Pick<Buyer, 'returnPolicy' | 'timeZone'>;
};

const utcDayText = (description: string) =>
  Type.Optional(Type.String({ format: 'date', description, examples: ['2026-11-20'] }));

const QuerySchema = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'A page past the end is empty.' })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Deliveries per page.' })),
  status: Type.Optional(
    Type.String({ description: `One of ${deliveryStatuses.join(', ')}, in any case.`, examples: ['Confirmed'] }),
  ),
  from: utcDayText('First UTC day of delivery.'),
  to: utcDayText('Last UTC day of delivery, which is included.'),
});

const PageSchema = Type.Object(
  {
    page: Type.Integer({ minimum: 1 }),
    pageSize: Type.Integer({ minimum: 1, maximum: 100 }),
    total: Type.Integer({ minimum: 0, description: 'All matching deliveries, exactly.' }),
    totalPages: Type.Integer({ minimum: 0 }),
    data: Type.Array(Type.Ref('Delivery')),
  },
  {
    $id: 'DeliveryPage',
    description: 'Deliveries, newest first by deliveredAt, then by deliveryId.',
    examples: [{ page: 1, pageSize: 25, total: 2, totalPages: 1, data: [saleExample, bookingExample] }],
  },
);

export function registerBuyerLeads(scope: App, { database, clock, buyerOf }: BuyerLeadsDependencies): void {
  for (const schema of [DeliverySchema, PageSchema]) scope.addSchema(schema);
  scope.get(
    '/api/v1/buyer/leads',
    {
      schema: {
        operationId: 'listBuyerLeads',
        summary: 'List your delivered leads',
        description:
          'The leads delivered to you, from the moment each was routed. `Link` leads to the first, previous, next and last page.',
        tags: ['Buyer'],
        querystring: QuerySchema,
        response: {
          200: Type.Ref('DeliveryPage'),
          ...documentedProblems('partner_suspended'),
        },
      },
      // The view has exactly the members of the schema already.
      serializerCompiler: () => (answer) => JSON.stringify(answer),
    },
    async (request, reply) => {
      const now = clock.now();
      const { ownerKey } = principalOf(request);
      const query = readQuery(request.query);
      const { total, rows } = await database.tx((tx) => listDeliveries(tx, ownerKey, query), { snapshot: true });
      const { returnPolicy: policy, timeZone } = buyerOf(ownerKey);
      const { page, pageSize } = query;
      const totalPages = Math.ceil(total / pageSize);
      reply.header('link', pageLinks(request.url, { page, totalPages }));
      const data = rows.map((row) => deliveryView(row, { policy, timeZone, now, claim: null }));
      return reply.send({ page, pageSize, total, totalPages, data });
    },
  );
}

type Query = {
  readonly page?: number;
  readonly pageSize?: number;
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
};

function readQuery({ page = 1, pageSize = 25, status, from, to }: Query): DeliveryQuery {
  const faults: FieldFault[] = [];
  const known = deliveryStatuses.find((one) => one.toLowerCase() === status?.toLowerCase()) ?? null;
  if (status !== undefined && known === null) {
    faults.push({
      field: 'status',
      code: 'not_allowed_value',
      message: `must be one of ${deliveryStatuses.join(', ')}`,
    });
  }
  const days = { from: readDay('from', from, faults), to: readDay('to', to, faults) };
  if (days.from !== null && days.to !== null && days.from > days.to) {
    faults.push({ field: 'from', code: 'out_of_range', message: 'must not be after to' });
  }
  if (faults.length > 0) throw invalidQuery(faults);
  return { page, pageSize, status: known, ...days };
}

/** The schema lets the year 0 pass, which neither the calendar nor the database has. */
function readDay(field: string, text: string | undefined, faults: FieldFault[]): Date | null {
  if (text === undefined) return null;
  const day = text.startsWith('0000') ? null : startOfUtcDay(text);
  if (day === null) faults.push({ field, code: 'invalid_format', message: 'must be a valid date' });
  return day;
}
