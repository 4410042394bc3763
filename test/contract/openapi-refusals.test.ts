// Tests that each operation returns the errors that the OpenAPI document lists for it, one by one, from the document (contract 1.9).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ApiResponse, call } from '../support/api-client.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import { betaMarketYaml } from './beta-market.ts';

type Operation = {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
  readonly credential: 'supplier' | 'buyer';
};

const JSON_TYPE = { 'content-type': 'application/json' };
const SPENT = '{ perSecond: 0.001, burst: 1 }';

let market: TestMarketplace;
let operations: Operation[];
let supplierKey: string;
let buyerToken: string;
/** The credential whose only request is used up. */
let spentKey: string;
let spentToken: string;
let frozenToken: string;
let pendingKey: string;
let plainToken: string;

beforeAll(async () => {
  const yaml = betaMarketYaml({ origin: 'https://crm.summit.example' })
    .replace('suppliers:\n', `suppliers:\n  - { key: spent, name: Spent, status: approved, rateLimit: ${SPENT} }\n`)
    .replace('suppliers:\n', 'suppliers:\n  - { key: newcomer, name: Newcomer, status: pending }\n')
    .replace('{ perSecond: 0.001, burst: 1 }', SPENT);
  market = await startTestMarketplace({ yaml, role: 'api' });
  supplierKey = await market.supplierKey('acme-media');
  pendingKey = await market.supplierKey('newcomer');
  spentKey = await market.supplierKey('spent');
  buyerToken = await market.buyerToken('summit');
  plainToken = await market.buyerToken('plain');
  spentToken = await market.buyerToken('slow');
  frozenToken = await market.buyerToken('frozen');
  const document: Json = (await call(`${market.url}/openapi.json`)).json;
  operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      credential: 'supplierCredential' in operation.security[0] ? ('supplier' as const) : ('buyer' as const),
    })),
  );
  await call(`${market.url}/api/v1/supplier/stats`, { headers: { 'x-api-key': spentKey } });
  await call(`${market.url}/api/v1/buyer/leads`, { headers: { authorization: `Bearer ${spentToken}` } });
});
afterAll(() => market.close());

const headersOf = ({ credential }: Operation, secrets: { supplier: string; buyer: string }): Record<string, string> =>
  credential === 'supplier' ? { 'x-api-key': secrets.supplier } : { authorization: `Bearer ${secrets.buyer}` };

const known = () => ({ supplier: supplierKey, buyer: buyerToken });

type Ask = (operation: Operation) => Promise<ApiResponse>;

function ask(operation: Operation, headers: Record<string, string>, more: { query?: string; body?: string } = {}) {
  const { method, path } = operation;
  const body = more.body ?? (method === 'GET' || method === 'DELETE' ? undefined : '{}');
  const url = market.url + path.replaceAll(/\{[^}]+\}/g, 'x') + (more.query ?? '');
  const types = body === undefined ? {} : JSON_TYPE;
  return call(url, { method, headers: { ...types, ...headers }, ...(body === undefined ? {} : { body }) });
}

/** By code: how to provoke it from any operation that documents it. */
const provocations: Readonly<Record<string, Ask>> = {
  unauthorized: (operation) => ask(operation, {}),
  partner_suspended: (operation) => ask(operation, headersOf(operation, { supplier: '', buyer: frozenToken })),
  supplier_not_approved: (operation) => ask(operation, headersOf(operation, { supplier: pendingKey, buyer: '' })),
  beta_not_enabled: (operation) => ask(operation, headersOf(operation, { supplier: '', buyer: plainToken })),
  rate_limited: (operation) => ask(operation, headersOf(operation, { supplier: spentKey, buyer: spentToken })),
  body_too_large: (operation) => ask(operation, headersOf(operation, known()), { body: ' '.repeat(65_537) }),
  unsupported_media_type: (operation) =>
    ask(operation, { ...headersOf(operation, known()), 'content-type': 'text/plain' }, { body: '{}' }),
  invalid_json: (operation) => ask(operation, headersOf(operation, known()), { body: '[' }),
  idempotency_key_invalid: (operation) =>
    ask(operation, { ...headersOf(operation, known()), 'idempotency-key': 'x'.repeat(256) }),
  invalid_query: (operation) => {
    const { name } = operation.operation.parameters.find((parameter: Json) => parameter.in === 'query');
    return ask(operation, headersOf(operation, known()), { query: `?${name}=` });
  },
};

describe('Every operation that documents it', () => {
  it.each(Object.entries(provocations))('responds with %s', async (code, provoke) => {
    const having = operations.filter(({ operation }) =>
      Object.values<Json>(operation.responses).some(({ description }) => description.includes(`\`${code}\`: `)),
    );
    expect(having.length).toBeGreaterThan(0);
    for (const operation of having) {
      const { status, json } = await provoke(operation);
      const documented = operation.operation.responses[status]?.description ?? '';
      expect([operation.method, operation.path, json?.code, documented.includes(`\`${code}\`: `)]).toEqual([
        operation.method,
        operation.path,
        code,
        true,
      ]);
    }
  });

  it('is one for which the contract states it', () => {
    const codesOf = ({ operation }: Operation): string =>
      Object.values<Json>(operation.responses)
        .map(({ description }) => description)
        .join(' ');
    for (const operation of operations) {
      const { method, credential } = operation;
      const needed = [
        'unauthorized',
        'rate_limited',
        'unavailable',
        ...(credential === 'buyer' ? ['partner_suspended'] : []),
        ...(method === 'POST' || method === 'PATCH'
          ? ['invalid_json', 'body_too_large', 'unsupported_media_type']
          : []),
        ...(method === 'POST' ? ['idempotency_key_invalid', 'idempotency_in_progress', 'idempotency_key_reused'] : []),
      ];
      expect([operation.path, needed.filter((code) => !codesOf(operation).includes(`\`${code}\``))]).toEqual([
        operation.path,
        [],
      ]);
    }
  });
});
