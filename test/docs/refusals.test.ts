// What docs/api.md says of the fields that an operation refuses is what the service does.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fieldCatalogue, problemCatalogue } from '../../src/platform/http/problem-catalogue.ts';
import { call } from '../support/api-client.ts';
import { type IntegratorMarket, startIntegratorMarket } from '../support/integrator-market.ts';
import type { Json } from '../support/scope-app.ts';
import { fieldCodesOf, fieldRefusals } from './field-refusals.ts';

type Operation = { readonly id: string; readonly method: string; readonly path: string };

const document: Json = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'));
const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(([method, { operationId: id, responses, tags }]) => ({
    id: String(id),
    method: method.toUpperCase(),
    path,
    // docs/api.md is for integrators; operators' endpoints have a guide of their own.
    mayNameFields: tags[0] !== 'Operator' && /`(?:invalid_query|validation_failed)`/.test(JSON.stringify(responses)),
  })),
);

let market: IntegratorMarket;
let deliveryId: string;

beforeAll(async () => {
  market = await startIntegratorMarket();
  [{ deliveryId }] = (await market.sell(1)) as [Json];
});
afterAll(() => market.close());

describe('Documented field codes', () => {
  it('are listed for exactly the operations that can return them', () => {
    const naming = operations.filter(({ mayNameFields }) => mayNameFields).map(({ id }) => id);
    expect(Object.keys(fieldRefusals).toSorted()).toEqual(naming.toSorted());
    const codes = new Set(Object.keys(fieldRefusals).flatMap(fieldCodesOf));
    expect([...codes].filter((code) => !Object.hasOwn({ ...fieldCatalogue, ...problemCatalogue }, code))).toEqual([]);
  });

  it.for(operations.filter(({ id }) => fieldCodesOf(id).length > 0))(
    'are the codes with which $id rejects invalid fields',
    async (operation) => {
      for (const { code, query = '', body } of fieldRefusals[operation.id] ?? []) {
        const { status, json } = await call(urlOf(operation, query), {
          method: operation.method,
          headers: { authorization: `Bearer ${market.buyerToken}`, 'x-api-key': market.supplierKey },
          ...(body === undefined ? {} : { body }),
        });
        const seen = json.errors?.map((fault: Json) => fault.code) ?? [];
        expect([query, body, json.code, seen.includes(code)]).toEqual([
          query,
          body,
          status === 400 ? 'invalid_query' : 'validation_failed',
          true,
        ]);
      }
    },
  );
});

function urlOf({ path }: Operation, query: string): string {
  return `${market.url}${path.replace('{deliveryId}', deliveryId)}?${query}`;
}
