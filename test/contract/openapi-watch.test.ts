// Every response of every test marketplace is compared with the OpenAPI document (test/support/openapi). These tests check that the
// comparison runs, and that it finds every difference.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ApiResponse, call, getAsBuyer, postLead } from '../support/api-client.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Exchange, exchangeJudge } from '../support/openapi/exchange-judge.ts';
import { responsesSeen, messagesSeen, takeFaults } from '../support/openapi/seen-faults.ts';
import { watchResponses, watchMessage } from '../support/openapi/watch-responses.ts';
import type { Json } from '../support/scope-app.ts';
import { marketYaml, sampleLead } from './market.ts';

const LEADS = '/api/v1/buyer/leads';
const INGEST = '/api/v1/ingest';

let market: TestMarketplace;
let key: string;
let token: string;
let served: Json;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
  key = await market.supplierKey('acme-media');
  token = await market.buyerToken('summit');
  served = (await call(`${market.url}/openapi.json`)).json;
});
afterAll(() => market.close());

function documentWith(lie: (document: Json) => void): Json {
  const document = structuredClone(served);
  lie(document);
  return document;
}

describe('The watch on responses', () => {
  it('sees every response of a test marketplace, and finds no faults in correct ones', async () => {
    await getAsBuyer(market.url, token, `${LEADS}?page=0`);
    await getAsBuyer(market.url, token, LEADS);
    expect(responsesSeen().get('listBuyerLeads')).toEqual(new Set([400, 200]));
    expect(takeFaults()).toEqual([]);
  });
});

describe('A response that differs from the document', () => {
  let other: TestMarketplace;

  beforeAll(async () => {
    other = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
    const app = other.runtime.app;
    if (app === null) throw new Error('there is no API');
    const document = documentWith(({ components }) => delete components.schemas.DeliveryPage.properties.totalPages);
    watchResponses(app, document);
  });
  afterAll(() => other.close());

  // It passes only because the watch fails it; the next test checks that it had no other reason to fail.
  let responded = 0;
  it.fails('fails a test that only sends the request', async () => {
    responded = (await getAsBuyer(other.url, await other.buyerToken('summit'), LEADS)).status;
    expect.assertions(0);
  });

  it('has the status that the request expects all the same', () => {
    expect(responded).toBe(200);
  });
});

describe('A message to an endpoint', () => {
  const headers = { 'webhook-id': 'dlv_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };

  it.fails('fails the test if its data is not in the document', () => {
    watchMessage('{"type":"lead.delivered","timestamp":"2026-11-20T17:03:12.418Z","data":{}}', headers);
    expect.assertions(0);
  });

  it('is counted as seen', () => {
    expect(messagesSeen()).toBe(1);
  });

  it('is checked by its type', () => {
    const judge = exchangeJudge(served);
    const [data] = served.components.schemas.Delivery.examples;
    const message = { type: 'lead.delivered', timestamp: data.deliveredAt, data };
    expect(judge.judgeMessage(message, headers)).toEqual([]);
    expect(judge.judgeMessage({ ...message, type: 'lead.unheard' }, headers)).toHaveLength(1);
    expect(judge.judgeMessage(message, {})).toHaveLength(3);
  });
});

describe('The comparison of an exchange with the document', () => {
  let list: Exchange;
  let accepted: Exchange;
  let invalid: Exchange;
  let unauthorized: Exchange;

  beforeAll(async () => {
    const query = `${LEADS}?pageSize=10`;
    list = exchangeOf('GET', query, await getAsBuyer(market.url, token, query));
    const lead = sampleLead(1);
    accepted = exchangeOf('POST', INGEST, await postLead(market.url, key, lead), lead);
    invalid = exchangeOf('GET', `${LEADS}?page=0`, await getAsBuyer(market.url, token, `${LEADS}?page=0`));
    unauthorized = exchangeOf('GET', LEADS, await getAsBuyer(market.url, 'lmb_x', LEADS));
  });

  it('accepts four exchanges that are as documented', () => {
    const { judge } = exchangeJudge(served);
    expect([list, accepted, invalid, unauthorized].flatMap(judge)).toEqual([]);
  });

  const operationOf = (document: Json, path = LEADS): Json => document.paths[path][path === INGEST ? 'post' : 'get'];

  const lies: ReadonlyArray<
    readonly [what: string, exchange: () => Exchange, lie: (document: Json) => void, seen: RegExp]
  > = [
    ['the operation', () => list, ({ paths }) => delete paths[LEADS], /the operation is not documented/],
    ['the status', () => list, (all) => delete operationOf(all).responses['200'], /the status is not documented/],
    [
      'the content type',
      () => list,
      (all) => (operationOf(all).responses['200'].content = { 'text/csv': { schema: { type: 'string' } } }),
      /content type "application\/json" is not documented/,
    ],
    ['that there is a body', () => list, (all) => delete operationOf(all).responses['200'].content, /there is a body/],
    [
      'the type of a member',
      () => list,
      ({ components }) => (components.schemas.DeliveryPage.properties.total = { type: 'string' }),
      /\/total must be string/,
    ],
    [
      'a member that is missing',
      () => list,
      ({ components }) => components.schemas.DeliveryPage.required.push('cursor'),
      /required property 'cursor'/,
    ],
    [
      'a member that it does not know',
      () => list,
      ({ components }) => delete components.schemas.DeliveryPage.properties.total,
      /must NOT have unevaluated properties/,
    ],
    [
      'a member of the other answer',
      () => accepted,
      ({ components }) => delete components.schemas.LeadAccepted.properties.score,
      /must NOT have unevaluated properties/,
    ],
    [
      'a form',
      () => accepted,
      ({ components }) => (components.schemas.LeadAccepted.properties.lead_id.format = 'uuid'),
      /must match format "uuid"/,
    ],
    [
      'the code of a refusal',
      () => invalid,
      (all) => (operationOf(all).responses['400'].description = '`invalid_json`: It is not JSON.'),
      /the code invalid_query is not documented/,
    ],
    [
      'a header',
      () => list,
      (all) => delete operationOf(all).responses['200'].headers.Link,
      /the header link is not documented/,
    ],
    [
      'a header that is missing',
      () => unauthorized,
      (all) => (operationOf(all).responses['401'].headers['Retry-After'] = { $ref: '#/components/headers/RetryAfter' }),
      /the header retry-after is missing/,
    ],
    [
      'the value of a header',
      () => list,
      ({ components }) => (components.headers.CacheControl.schema = { const: 'public' }),
      /the header cache-control: no-store: it must be equal to constant/,
    ],
    [
      'a parameter',
      () => list,
      (all) => (operationOf(all).parameters.find(({ name }: Json) => name === 'pageSize').schema.maximum = 5),
      /pageSize was accepted: 10/,
    ],
    [
      'a parameter that is needed',
      () => list,
      (all) => (operationOf(all).parameters.find(({ name }: Json) => name === 'from').required = true),
      /from is missing and was accepted/,
    ],
    [
      'the body of a request',
      () => accepted,
      ({ components }) => (components.schemas.LeadSubmission.properties.full_name = { type: 'null' }),
      /the body was accepted: \/full_name must be null/,
    ],
    [
      'that a request has a body',
      () => accepted,
      (all) => delete operationOf(all, INGEST).requestBody,
      /a body was accepted/,
    ],
  ];

  it.each(lies)('notices: %s', (_, exchange, lie, seen) => {
    const { judge } = exchangeJudge(documentWith(lie));
    expect(judge(exchange()).join('\n')).toMatch(seen);
  });
});

function exchangeOf(method: string, url: string, response: ApiResponse, body?: object): Exchange {
  return {
    method,
    url,
    requestHeaders: {},
    requestBody: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(response.text),
  };
}
