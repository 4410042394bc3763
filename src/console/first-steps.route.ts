// GET /console/api/first-steps: how far a new marketplace is set up.
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { readFirstSteps } from '../watch/read-first-steps.ts';
import { FirstStepsSchema } from './first-steps.schema.ts';

export function registerFirstSteps(scope: App, { database }: { readonly database: Database }): void {
  scope.get(
    '/api/first-steps',
    { config: { permission: 'read' }, schema: { response: { 200: FirstStepsSchema } } },
    async (_request, reply) => {
      const steps = await database.tx(readFirstSteps);
      return reply.send({ isDone: steps === null, steps });
    },
  );
}
