// GET /api/v1/buyer/delivery-logs: the partner's latest attempts of every channel and kind, including tests (contract 6.13).
import { Type } from 'typebox';

import { betaGate } from '../buyers/buyer-gates.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { principalOf } from '../platform/http/scope.ts';
import { attemptsOfBuyer, LOG_LIMIT_MAX } from './attempt-log.sql.ts';
import { attemptExample, AttemptSchema } from './attempt.schema.ts';
import { attemptView, withoutAbandoned } from './attempt-view.rules.ts';

export type DeliveryLogsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Pick<Buyer, 'betaTools'>;
};

const LIMIT = 50;

const LogSchema = Type.Object(
  { data: Type.Array(Type.Ref('Attempt')) },
  { $id: 'DeliveryLog', description: 'Attempts, newest first.', examples: [{ data: [attemptExample] }] },
);

export function registerDeliveryLogs(scope: App, { database, clock, buyerOf }: DeliveryLogsDependencies): void {
  for (const schema of [AttemptSchema, LogSchema]) scope.addSchema(schema);
  scope.get(
    '/api/v1/buyer/delivery-logs',
    {
      onRequest: betaGate('delivery-logs', buyerOf),
      schema: {
        operationId: 'listDeliveryLogs',
        summary: 'List the latest delivery attempts',
        description:
          'Beta. Every attempt to deliver a lead, a message or a test to you, through any channel, newest first. An attempt is listed when it has ended, a test from its start.',
        tags: ['Buyer'],
        querystring: Type.Object({
          limit: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: LOG_LIMIT_MAX,
              default: LIMIT,
              description: 'The maximum number of attempts.',
            }),
          ),
        }),
        response: { 200: Type.Ref('DeliveryLog'), ...documentedProblems('partner_suspended', 'beta_not_enabled') },
      },
      // The view has exactly the members of the schema already.
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => {
      const now = clock.now();
      const { limit = LIMIT } = request.query;
      // One statement needs no transaction around it.
      const rows = await database.query(attemptsOfBuyer, { ownerKey: principalOf(request).ownerKey, limit });
      return reply.send({ data: rows.map((row) => attemptView(withoutAbandoned(row, now))) });
    },
  );
}
