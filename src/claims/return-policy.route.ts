// The route GET /api/v1/buyer/return-policy (contract 6.7).
import { Type } from 'typebox';

import type { Buyer } from '../buyers/buyer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { etag, IfNoneMatch } from '../platform/http/etag.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { principalOf } from '../platform/http/scope.ts';
import { readReturnPolicy } from './return-policy.ts';
import { ReturnPolicySchema } from './return-policy.schema.ts';

export type ReturnPolicyDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Pick<Buyer, 'buyerKey' | 'returnPolicy' | 'timeZone'>;
};

export function registerReturnPolicy(scope: App, { database, clock, buyerOf }: ReturnPolicyDependencies): void {
  scope.addSchema(ReturnPolicySchema);
  scope.get(
    '/api/v1/buyer/return-policy',
    {
      onSend: etag,
      // No personal data: the client may cache it, and revalidates it on each use.
      config: { cacheControl: 'private, no-cache', responseHeaders: ['ETag'] },
      schema: {
        operationId: 'getReturnPolicy',
        summary: 'Read your return policy',
        description:
          'The window, holidays and reasons of returns, and what is left of the monthly caps. With `If-None-Match` the response is 304 while nothing has changed.',
        tags: ['Buyer'],
        headers: IfNoneMatch,
        response: {
          200: Type.Ref('ReturnPolicy'),
          304: Type.Null({ description: 'Not modified.' }),
          ...documentedProblems('partner_suspended'),
        },
      },
      // The view has exactly the members of the schema already.
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => {
      const now = clock.now();
      const buyer = buyerOf(principalOf(request).ownerKey);
      // A snapshot keeps limits and uses consistent.
      return reply.send(await database.tx((tx) => readReturnPolicy(tx, buyer, now), { snapshot: true }));
    },
  );
}
