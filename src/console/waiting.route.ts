// GET /console/api/waiting: how much work waits for operators.
import { COUNTED_MAX } from '../base/counted-max.ts';
import { countQueue } from '../claims/review-queue.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { countDead } from '../platform/queue/dead-jobs.ts';
import { WaitingSchema } from './waiting.schema.ts';

export function registerConsoleWaiting(scope: App, { database }: { readonly database: Database }): void {
  scope.get(
    '/api/waiting',
    { config: { permission: 'read' }, schema: { response: { 200: WaitingSchema } } },
    async (_request, reply) => {
      const [claims, failures] = await database.tx((tx) =>
        Promise.all([
          countQueue(tx, { status: 'open', kind: null, buyerKey: null, verticalKey: null }),
          countDead(tx, { name: null, ownerKey: null, error: null }, COUNTED_MAX),
        ]),
      );
      return reply.send({ claims: Math.min(claims, COUNTED_MAX), failures });
    },
  );
}
