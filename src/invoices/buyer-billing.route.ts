// GET /api/v1/buyer/billing: a partner's balance, invoices and ledger (contract 6.18).
import { Type } from 'typebox';

import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { pageLinks } from '../platform/http/page-links.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { principalOf } from '../platform/http/scope.ts';
import { BillingSchema, InvoiceSchema, LedgerEntrySchema, ReceiptSchema } from './billing.schema.ts';
import { readBilling } from './read-billing.ts';

export type BuyerBillingDependencies = { readonly database: Database; readonly clock: Clock };

const QuerySchema = Type.Object({
  page: Type.Optional(
    Type.Integer({ minimum: 1, default: 1, description: 'The page of the ledger. A page past the end is empty.' }),
  ),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Entries per page.' })),
});

export function registerBuyerBilling(scope: App, { database, clock }: BuyerBillingDependencies): void {
  for (const schema of [InvoiceSchema, ReceiptSchema, LedgerEntrySchema, BillingSchema]) scope.addSchema(schema);
  scope.get(
    '/api/v1/buyer/billing',
    {
      config: { responseHeaders: ['Link'] },
      schema: {
        operationId: 'getBilling',
        summary: 'Read your billing',
        description:
          'Your balance, your invoices and a page of your ledger. `Link` leads to the first, previous, next and last page of the ledger.',
        tags: ['Buyer'],
        querystring: QuerySchema,
        response: { 200: Type.Ref('Billing'), ...documentedProblems('partner_suspended') },
      },
      // Needs no schema serializer: the view has exactly its members.
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => {
      const now = clock.now();
      const { ownerKey } = principalOf(request);
      const { page = 1, pageSize = 25 } = request.query;
      const billing = await database.tx((tx) => readBilling(tx, ownerKey, { page, pageSize }, now), { snapshot: true });
      const { totalPages } = billing.ledger;
      reply.header('link', pageLinks(request.url, { page, totalPages }));
      return reply.send(billing);
    },
  );
}
