// Tests that each operation returns the errors that the OpenAPI document lists for it, one by one, from the document (contract 1.9).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ApiResponse, call } from '../support/api-client.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import type { Json } from '../support/scope-app.ts';
import { betaMarketYaml } from './beta-market.ts';

type Operation = {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
  readonly credential: 'supplier' | 'buyer' | 'operator';
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
/** Used in turn: one alone would run out of requests. */
let operatorTokens: string[];
let spentOperatorToken: string;

beforeAll(async () => {
  const yaml = betaMarketYaml({ origin: 'https://crm.summit.example' })
    .replace('suppliers:\n', `suppliers:\n  - { key: spent, name: Spent, status: approved, rateLimit: ${SPENT} }\n`)
    .replace('suppliers:\n', 'suppliers:\n  - { key: newcomer, name: Newcomer, status: pending }\n')
    .replace('{ perSecond: 0.001, burst: 1 }', SPENT);
  // It stands still, so that what is used up does not come back.
  market = await startTestMarketplace({ yaml, role: 'api', clock: handClock('2026-11-20T12:00:00Z') });
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
      credential: credentialOf(path, operation),
    })),
  );
  const scopes = ['read', 'operate', 'configure', 'money', 'privacy'] as const;
  const issued = await Promise.all(Array.from({ length: 20 }, () => market.operatorToken(scopes)));
  [spentOperatorToken = '', ...operatorTokens] = issued;
  await spend(spentOperatorToken);
  await call(`${market.url}/api/v1/supplier/stats`, { headers: { 'x-api-key': spentKey } });
  await call(`${market.url}/api/v1/buyer/leads`, { headers: { authorization: `Bearer ${spentToken}` } });
});
afterAll(() => market.close());

function credentialOf(path: string, operation: Json): Operation['credential'] {
  if (path.startsWith('/api/v1/operator/')) return 'operator';
  return 'supplierCredential' in operation.security[0] ? 'supplier' : 'buyer';
}

/** Until its requests are used up. */
async function spend(token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const { status } = await call(`${market.url}/api/v1/operator/jobs`, { headers });
  if (status !== 429) await spend(token);
}

type Secrets = { readonly supplier: string; readonly buyer: string; readonly operator: string };
const headersOf = ({ credential }: Operation, secrets: Partial<Secrets>): Record<string, string> =>
  credential === 'supplier'
    ? { 'x-api-key': secrets.supplier ?? '' }
    : { authorization: `Bearer ${secrets[credential] ?? ''}` };

let asked = 0;
function known(): Secrets {
  asked += 1;
  const operator = operatorTokens[asked % operatorTokens.length] ?? '';
  return { supplier: supplierKey, buyer: buyerToken, operator };
}
/** More than any operation takes. */
const tooLarge = ({ credential }: Operation): number => (credential === 'operator' ? 12_100_000 : 65_537);
/** The operator's are said to be as long and are not sent, but for the operation with the largest limit. */
const isSentWhole = ({ credential, operation }: Operation): boolean =>
  credential !== 'operator' || operation.operationId === 'applyMarketplaceFile';

type Ask = (operation: Operation) => Promise<Pick<ApiResponse, 'status' | 'json'>>;

const addressOf = ({ path }: Operation): string => path.replaceAll(/\{[^}]+\}/g, 'x');

function ask(operation: Operation, headers: Record<string, string>, more: { query?: string; body?: string } = {}) {
  const { method } = operation;
  const body = more.body ?? (method === 'GET' || method === 'DELETE' ? undefined : '{}');
  const url = market.url + addressOf(operation) + (more.query ?? '');
  const types = body === undefined ? {} : JSON_TYPE;
  return call(url, { method, headers: { ...types, ...headers }, ...(body === undefined ? {} : { body }) });
}

/** Only the header of a request with a body of this length. */
const announce: (operation: Operation, bytes: number) => ReturnType<Ask> = async (operation, bytes) => {
  const headers = { ...JSON_TYPE, ...headersOf(operation, known()), 'content-length': String(bytes) };
  const line = `${operation.method} ${addressOf(operation)}`;
  const { status, body } = await exchange(Number(new URL(market.url).port), requestText(line, headers));
  return { status, json: JSON.parse(body) };
};

/** By code: how to provoke it from any operation that documents it. */
const provocations: Readonly<Record<string, Ask>> = {
  unauthorized: (operation) => ask(operation, {}),
  partner_suspended: (operation) => ask(operation, headersOf(operation, { buyer: frozenToken })),
  supplier_not_approved: (operation) => ask(operation, headersOf(operation, { supplier: pendingKey })),
  beta_not_enabled: (operation) => ask(operation, headersOf(operation, { buyer: plainToken })),
  rate_limited: (operation) =>
    ask(operation, headersOf(operation, { supplier: spentKey, buyer: spentToken, operator: spentOperatorToken })),
  body_too_large: (operation) =>
    isSentWhole(operation)
      ? ask(operation, headersOf(operation, known()), { body: ' '.repeat(tooLarge(operation)) })
      : announce(operation, tooLarge(operation)),
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
    if (code === 'body_too_large')
      expect(having.filter((one) => one.credential === 'operator' && isSentWhole(one))).toHaveLength(1);
    // All at once, because those above a limit wait before they are refused.
    const responses = await Promise.all(having.map(provoke));
    for (const [index, { method, path, operation }] of having.entries()) {
      const { status, json } = responses[index] ?? { status: 0, json: null };
      const documented = operation.responses[status]?.description ?? '';
      const seen = [method, path, json?.code, documented.includes(`\`${code}\`: `)];
      expect(seen).toEqual([method, path, code, true]);
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
