// The console's verticals: all of them, and one, as in the marketplace file.
import { readSettings } from '../marketplace/stored-settings.ts';
import { readVerticals } from '../marketplace/stored-verticals.ts';
import { verticalForm } from '../marketplace/vertical-form.rules.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import type { Refusal } from '../platform/http/request-fault.ts';
import { countOffersOfVerticals } from '../routing/stored-offers.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import { ShownVerticalSchema, VerticalParams, type Verticals, VerticalsSchema } from './verticals.schema.ts';

const NOT_FOUND: Refusal = { status: 404, code: 'not_found', detail: 'There is no such vertical.' };

export function registerConsoleVerticals(scope: App, { database }: { readonly database: Database }): void {
  scope.get(
    '/api/verticals',
    { config: { permission: 'read' }, schema: { response: { 200: VerticalsSchema } } },
    async (_request, reply) => reply.send(await database.tx(readAll, { snapshot: true })),
  );
  scope.get(
    '/api/verticals/:verticalKey',
    { config: { permission: 'read' }, schema: { params: VerticalParams, response: { 200: ShownVerticalSchema } } },
    async (request, reply) => {
      const { version, data } = await database.tx(readAll, { snapshot: true });
      const vertical = data.find(({ key }) => key === request.params.verticalKey);
      return vertical === undefined ? sendProblem(request, reply, NOT_FOUND) : reply.send({ version, vertical });
    },
  );
}

/** There are few: a marketplace has tens of verticals, not thousands. */
async function readAll(tx: Tx): Promise<Verticals> {
  const { version } = await readSettings(tx);
  const verticals = await readVerticals(tx);
  const suppliers = verticals.size === 0 ? [] : [...(await readSuppliers(tx)).values()];
  const offers = await countOffersOfVerticals(tx);
  const data = [...verticals.values()].map((vertical) => ({
    ...verticalForm(vertical),
    suppliers: suppliers
      .filter((supplier) => supplier.vertical === vertical.key || supplier.verticals.includes(vertical.key))
      .map(({ supplierKey }) => supplierKey),
    offers: offers.get(vertical.key) ?? 0,
  }));
  return { version, data };
}
