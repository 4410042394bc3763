// Tests that a request with several errors gets the first one in the order of the contract (contract 1.8).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ApiResponse, call } from '../support/api-client.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { marketYaml } from './market.ts';

const INGEST = '/api/v1/ingest';
const LEADS = '/api/v1/buyer/leads';
const STATS = '/api/v1/supplier/stats';
const TOO_LARGE = JSON.stringify({ note: 'x'.repeat(65_536) });

let market: TestMarketplace;
let key: string;
let pendingKey: string;
/** The credential of a supplier whose one request is used up. */
let spentKey: string;
let frozenToken: string;

beforeAll(async () => {
  const spent = '{ perSecond: 0.001, burst: 1 }';
  const yaml = marketYaml()
    .replace(
      '{ key: rival-media, name: Rival Media,',
      `{ key: spent, name: Spent, status: approved, rateLimit: ${spent} }\n  - { key: rival-media, name: Rival Media,`,
    )
    .replace('status: pending }', `status: pending, rateLimit: ${spent} }`);
  market = await startTestMarketplace({ yaml, role: 'api' });
  key = await market.supplierKey('acme-media');
  pendingKey = await market.supplierKey('newcomer');
  spentKey = await market.supplierKey('spent');
  frozenToken = await market.buyerToken('frozen');
  for (const used of [spentKey, pendingKey]) await send('POST', INGEST, { 'x-api-key': used }, '{}');
});
afterAll(() => market.close());

function send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<ApiResponse> {
  return call(market.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
}

type Case = readonly [what: string, status: number, code: string, request: () => Promise<ApiResponse>];

const JSON_TYPE = { 'content-type': 'application/json' };
const TEXT_TYPE = { 'content-type': 'text/plain' };
const GZIP = { 'content-encoding': 'gzip' };

const cases: readonly Case[] = [
  [
    'an unknown path before the method, the key, the type and the body',
    404,
    'not_found',
    () => send('DELETE', '/api/v1/ingests', TEXT_TYPE),
  ],
  ['an unknown path without a key', 404, 'not_found', () => send('POST', '/api/v1/nothing', TEXT_TYPE, '{')],
  [
    'a path in capitals',
    404,
    'not_found',
    () => send('POST', '/API/v1/ingest', { ...JSON_TYPE, 'x-api-key': key }, '{}'),
  ],
  [
    'a path with a slash behind it',
    404,
    'not_found',
    () => send('POST', `${INGEST}/`, { ...JSON_TYPE, 'x-api-key': key }, '{}'),
  ],
  ['a wrong method before a missing key', 405, 'method_not_allowed', () => send('GET', INGEST, {})],
  ['a wrong method before a large body', 405, 'method_not_allowed', () => send('PUT', INGEST, TEXT_TYPE, TOO_LARGE)],
  [
    'a wrong method before a bad query',
    405,
    'method_not_allowed',
    () => send('POST', `${STATS}?days=0`, JSON_TYPE, '{}'),
  ],
  [
    'a missing key before everything of the body',
    401,
    'unauthorized',
    () => send('POST', INGEST, { ...TEXT_TYPE, ...GZIP }, TOO_LARGE),
  ],
  [
    'a wrong key before a bad Idempotency-Key',
    401,
    'unauthorized',
    () => send('POST', INGEST, { 'x-api-key': 'lms_x', 'idempotency-key': 'x'.repeat(300) }, '{'),
  ],
  ['a missing token before a bad query', 401, 'unauthorized', () => send('GET', `${LEADS}?page=0`, {})],
  [
    'an unapproved supplier before its rate, and before the body',
    403,
    'supplier_not_approved',
    () => send('POST', INGEST, { ...TEXT_TYPE, 'x-api-key': pendingKey }, TOO_LARGE),
  ],
  [
    'a suspended partner before a bad query',
    403,
    'partner_suspended',
    () => send('GET', `${LEADS}?page=0&status=x`, { authorization: `Bearer ${frozenToken}` }),
  ],
  [
    'the rate before the size',
    429,
    'rate_limited',
    () => send('POST', INGEST, { ...TEXT_TYPE, 'x-api-key': spentKey }, TOO_LARGE),
  ],
  ['the rate before a bad query', 429, 'rate_limited', () => send('GET', `${STATS}?days=0`, { 'x-api-key': spentKey })],
  [
    'the size before the type and encoding',
    413,
    'body_too_large',
    () => send('POST', INGEST, { ...TEXT_TYPE, ...GZIP, 'x-api-key': key }, TOO_LARGE),
  ],
  [
    'the size before the JSON',
    413,
    'body_too_large',
    () => send('POST', INGEST, { ...JSON_TYPE, 'x-api-key': key }, `{${TOO_LARGE}`),
  ],
  [
    'the type before the JSON',
    415,
    'unsupported_media_type',
    () => send('POST', INGEST, { ...TEXT_TYPE, 'x-api-key': key }, '{'),
  ],
  [
    'the encoding before the JSON',
    415,
    'unsupported_media_type',
    () => send('POST', INGEST, { ...JSON_TYPE, ...GZIP, 'x-api-key': key }, '{'),
  ],
  [
    'the type before the Idempotency-Key',
    415,
    'unsupported_media_type',
    () => send('POST', INGEST, { ...TEXT_TYPE, 'x-api-key': key, 'idempotency-key': 'x'.repeat(300) }, '{}'),
  ],
  [
    'the JSON before what it says',
    400,
    'invalid_json',
    () => send('POST', INGEST, { ...JSON_TYPE, 'x-api-key': key }, '{"email":1'),
  ],
  [
    'the Idempotency-Key before what the body says',
    400,
    'idempotency_key_invalid',
    () => send('POST', INGEST, { ...JSON_TYPE, 'x-api-key': key, 'idempotency-key': 'x'.repeat(300) }, '{}'),
  ],
];

describe('The first reported error is', () => {
  it.each(cases)('%s', async (_, status, code, request) => {
    const response = await request();
    expect([response.status, response.json.code]).toEqual([status, code]);
  });

  it('a conflict only if the submission is valid', async () => {
    const lead = { external_id: 'O-1', full_name: 'Jordan', email: 'a@b.co' };
    const headers = { ...JSON_TYPE, 'x-api-key': key };
    await send('POST', INGEST, headers, JSON.stringify(lead));
    expect((await send('POST', INGEST, headers, JSON.stringify({ ...lead, full_name: 'J' }))).status).toBe(409);
    const rejected = await send('POST', INGEST, headers, JSON.stringify({ ...lead, email: 'no' }));
    expect([rejected.status, rejected.json.reason]).toEqual([422, 'email invalid']);
  });
});
