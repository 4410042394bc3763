// The change history of a supplier, a partner with its offers, an offer or the marketplace settings, for the console.
import { readAuditChanges } from '../audit/read-audit.ts';
import { MARKETPLACE_KEY, type ConfigKey } from '../marketplace/settings.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { readOffersOfBuyer } from '../routing/stored-offers.ts';
import { auditTargets, changeView, configKindOf } from '../marketplace-file/change-audit.rules.ts';
import { type ChangesQuery, ChangesQuerySchema, ChangesSchema } from './changes.schema.ts';

const SHOWN = 50;

export function registerConsoleChanges(scope: App, { database }: { readonly database: Database }): void {
  scope.get(
    '/api/configuration/changes',
    {
      config: { permission: 'read' },
      schema: {
        querystring: ChangesQuerySchema,
        response: { 200: ChangesSchema },
      },
    },
    async (request, reply) => {
      const { kind, key = MARKETPLACE_KEY } = request.query;
      const events = await database.tx(
        async (tx) => readAuditChanges(tx, auditTargets(await thingsOf(tx, kind, key)), SHOWN),
        {
          snapshot: true,
        },
      );
      const data = events.map((event) => changeView({ kind: configKindOf(event.action), key: event.target }, event));
      return reply.send({ data });
    },
  );
}

/** The history of a partner includes its offers. */
async function thingsOf(tx: Tx, kind: ChangesQuery['kind'], key: string): Promise<ConfigKey[]> {
  if (kind !== 'partner') return [{ kind, key }];
  const offers = await readOffersOfBuyer(tx, key);
  return [{ kind: 'buyer', key }, ...offers.map(({ offerKey }) => ({ kind: 'offer', key: offerKey }) as const)];
}
