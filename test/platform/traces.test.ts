// Traces of leads, from the POST to the confirmed webhook, as a collector gets them (contract 8.5; decision 058).
import { Writable } from 'node:stream';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createLog } from '../../src/platform/log.ts';
import { type ApiResponse, call, postLead } from '../support/api-client.ts';
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts';
import type { TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { isConfirmed, openTracedMarket, PERSONAL, tracedLead, traceIdOf, tracing } from './traced-market.ts';

let receiver: Receiver;
let failuresLeft = 1;

beforeAll(async () => {
  receiver = await startReceiver({
    respond() {
      failuresLeft -= 1;
      return failuresLeft >= 0 ? { status: 503, body: 'no room for jordan.rivera@example.com' } : { status: 204 };
    },
  });
});

afterAll(() => receiver.close());

describe('The trace of a lead that is sold and delivered at the second attempt', () => {
  let collector: Collector;
  let market: TestMarketplace;
  let posted: ApiResponse;
  let repeated: ApiResponse;
  let spans: CollectedSpan[];
  let logged = '';

  beforeAll(async () => {
    collector = await startCollector();
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        logged += chunk.toString();
        done();
      },
    });
    const config = tracing(collector.url, { headers: { 'x-tenant': 'ours' }, resource: { 'deployment.name': 'test' } });
    market = await openTracedMarket(receiver.origin, config, createLog('debug', destination));
    const key = await market.supplierKey('acme-media');
    failuresLeft = 1;
    posted = await postLead(market.url, key, tracedLead, {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'x-request-id': 'request-of-the-first',
    });
    await isConfirmed(market, String(posted.json.lead_id));
    repeated = await postLead(market.url, key, tracedLead, { 'idempotency-key': 'once' });
    await call(`${market.url}/no/such/path?email=jordan.rivera@example.com`);
    // The end of the process exports what is left.
    await market.close();
    spans = collector.spans();
  });

  afterAll(() => collector.close());

  const ofLead = (): CollectedSpan[] => spans.filter(({ traceId }) => traceId === traceIdOf(posted));

  it('has all steps, in their order, under the id of the lead', () => {
    expect(posted.status).toBe(202);
    const names = ofLead().map(({ name }) => name);
    expect(names[0]).toBe('POST /api/v1/ingest');
    expect(names.filter((name) => name !== 'POST /api/v1/ingest').toSorted()).toEqual([
      ...['attempt webhook', 'attempt webhook', 'route', 'store result', 'store result', 'wait in inbox'],
    ]);
    const started = (name: string, at: number): bigint =>
      BigInt(ofLead().filter((span) => span.name === name)[at]?.startTimeUnixNano ?? 0);
    const order = [
      started('POST /api/v1/ingest', 0),
      started('wait in inbox', 0),
      started('route', 0),
      started('attempt webhook', 0),
      started('store result', 0),
      started('attempt webhook', 1),
      started('store result', 1),
    ];
    expect(order).toEqual(order.toSorted((one, other) => Number(one - other)));
    for (const span of spans)
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
  });

  it('hangs together: each span but the first is below the POST or below its attempt', () => {
    const [root] = ofLead();
    expect(root?.parentSpanId ?? '').toBe('');
    expect(root?.spanId).toBe(traceIdOf(posted).slice(16));
    const attempts = ofLead().filter(({ name }) => name === 'attempt webhook');
    for (const { name, parentSpanId } of ofLead().slice(1)) {
      const parents = name === 'store result' ? attempts.map(({ spanId }) => spanId) : [root?.spanId];
      expect(parents).toContain(parentSpanId);
    }
    expect(new Set(ofLead().map(({ spanId }) => spanId)).size).toBe(7);
  });

  it('says what happened by ids, keys and fixed words', () => {
    const of = (name: string): Array<Readonly<Record<string, unknown>>> =>
      ofLead()
        .filter((span) => span.name === name)
        .map(({ attributes }) => attributes);
    for (const { attributes } of ofLead()) expect(attributes['leadmarket.lead_id']).toBe(posted.json.lead_id);
    expect(of('POST /api/v1/ingest')).toEqual([
      {
        'http.request.method': 'POST',
        'http.route': '/api/v1/ingest',
        'http.response.status_code': 202,
        'leadmarket.request_id': 'request-of-the-first',
        'leadmarket.supplier_key': 'acme-media',
        'leadmarket.is_test': false,
        'leadmarket.outcome': 'accepted',
        'leadmarket.lead_id': posted.json.lead_id,
      },
    ]);
    expect(of('route')).toEqual([
      {
        'leadmarket.lead_id': posted.json.lead_id,
        'leadmarket.supplier_key': 'acme-media',
        'leadmarket.batch_leads': 1,
        'leadmarket.outcome': 'routed',
        'leadmarket.lead_status': 'Lead Sale',
        'leadmarket.offer_keys': ['summit-west'],
        'leadmarket.partner_keys': ['summit'],
        'leadmarket.delivery_ids': [expect.stringMatching(/^dlv_/) as string],
      },
    ]);
    expect(of('attempt webhook')).toEqual([
      expect.objectContaining({
        'leadmarket.attempt': 1,
        'leadmarket.outcome': 'later',
        'http.response.status_code': 503,
        'server.address': '127.0.0.1',
        'leadmarket.partner_key': 'summit',
      }),
      expect.objectContaining({
        'leadmarket.attempt': 2,
        'leadmarket.outcome': 'taken',
        'http.response.status_code': 204,
      }),
    ]);
    expect(of('store result').map((attributes) => attributes['leadmarket.outcome'])).toEqual(['retry', 'confirmed']);
    const failed = ofLead().filter(({ status }) => status.code === 2);
    expect(failed.map(({ name, attributes }) => [name, attributes['leadmarket.attempt']])).toEqual([
      ['attempt webhook', 1],
    ]);
  });

  it('links to the trace of the caller without joining it', () => {
    expect(ofLead()[0]?.links).toEqual([
      expect.objectContaining({ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }),
    ]);
    expect(spans.filter(({ traceId }) => traceId === '0af7651916cd43dd8448eb211c80319c')).toEqual([]);
  });

  it('is found from a line of the log by the request’s id', () => {
    const lines = logged.split('\n').filter((line) => line.includes('"request-of-the-first"'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        requestId: 'request-of-the-first',
        trace_id: traceIdOf(posted),
        span_id: ofLead()[0]?.spanId,
        status: 202,
      }),
    ]);
  });

  it('is linked from the request that repeats the lead, which has a trace of its own', () => {
    expect(repeated.json.lead_id).toBe(posted.json.lead_id);
    const repeats = spans.filter(({ attributes }) => attributes['leadmarket.outcome'] === 'repeated');
    expect(repeats).toEqual([
      expect.objectContaining({
        name: 'POST /api/v1/ingest',
        links: [expect.objectContaining({ traceId: traceIdOf(posted), spanId: ofLead()[0]?.spanId })],
      }),
    ]);
    expect(repeats[0]?.traceId).not.toBe(traceIdOf(posted));
  });

  it('names other requests by their declared route', () => {
    const unknown = spans.filter(({ name }) => name === 'GET (unknown)');
    expect(unknown.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([404]);
  });

  it('is exported with the service’s name and the configured headers, and holds no value of the person', () => {
    expect(spans[0]?.resource).toMatchObject({
      'service.name': 'leads',
      'deployment.name': 'test',
      'leadmarket.role': 'all',
    });
    for (const { headers, body } of collector.receiver.requests) {
      expect(headers['x-tenant']).toBe('ours');
      expect(body).not.toMatch(PERSONAL);
    }
    // The same values do arrive where they belong.
    expect(receiver.requests.at(-1)?.body).toMatch(PERSONAL);
    expect(receiver.requests.at(-1)?.headers['traceparent']).toBeUndefined();
  });
});
