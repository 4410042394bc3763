// The export of traces: whole traces or none, and a collector that does not work (decision 058).
import { Registry } from '@prometheus-io/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newUuid } from '../../src/base/ids.ts';
import { openTracing } from '../../src/platform/tracing/open-tracing.ts';
import type { EndedSpan } from '../../src/platform/tracing/tracing.ts';
import { call, postLead } from '../support/api-client.ts';
import { startCollector } from '../support/collector.ts';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { traceOf } from '../support/trace.ts';
import { isConfirmed, openTracedMarket, tracedLead, traceIdOf, tracing } from './traced-market.ts';

let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});

afterAll(async () => {
  await receiver.close();
});

describe('Traces', () => {
  it('of a part of the leads are whole: all their spans or none', async () => {
    const collector = await startCollector();
    const market = await openTracedMarket(receiver.origin, tracing(collector.url, { ratio: 0.5 }));
    const key = await market.supplierKey('acme-media');
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        postLead(market.url, key, {
          ...{ ...tracedLead, external_id: `half-${at}`, email: `a${at}@example.com`, phone: `+1555${5_550_200 + at}` },
        }),
      ),
    );
    for (const { json } of responses) {
      await eventually('the lead is decided', async () => {
        const { events } = await traceOf(market.database, String(json.lead_id));
        return events.some(({ type }) => type === 'delivery.confirmed' || type === 'lead.rejected');
      });
    }
    await market.close();
    const spans = collector.spans();
    const traces = responses.map((response) => spans.filter(({ traceId }) => traceId === traceIdOf(response)));
    const sampled = traces.filter((trace) => trace.length > 0);
    // One half or the other is empty once in 10^12 runs.
    expect(sampled.length).toBeGreaterThan(0);
    expect(sampled.length).toBeLessThan(40);
    for (const trace of sampled) {
      const names = new Set(trace.map(({ name }) => name));
      for (const name of ['POST /api/v1/ingest', 'wait in inbox', 'route']) expect(names).toContain(name);
    }
    await collector.close();
  });

  // Own marketplace: where traces go is set at the start.
  it.concurrent.each([
    ['is gone', null],
    ['hangs', 'hang' as const],
    ['is broken', { status: 500 } as const],
  ])('change no answer and no end when their collector %s, and are counted as dropped', async (_what, reply) => {
    const collector = await startCollector(() => reply ?? 'reset');
    if (reply === null) await collector.close();
    const market = await openTracedMarket(
      receiver.origin,
      tracing(collector.url, { exportWithinMs: 400, closeWithinMs: 200 }),
    );
    const posted = await postLead(market.url, await market.supplierKey('acme-media'), tracedLead);
    expect(posted.status).toBe(202);
    await isConfirmed(market, String(posted.json.lead_id));
    // What is being exported counts after its time limit.
    const dropped = await eventually('spans are counted as dropped', async () => {
      const { text } = await call(`${market.url}/metrics`);
      const count = Number(/^leadmarket_trace_spans_dropped_total (\d+)$/m.exec(text)?.[1] ?? 0);
      return count > 0 ? count : null;
    });
    expect(dropped).toBeGreaterThan(0);
    await market.close();
    if (reply !== null) await collector.close();
  });

  it.concurrent('do not keep a process from ending while their collector hangs', async () => {
    const collector = await startCollector(() => 'hang');
    const market = await openTracedMarket(
      receiver.origin,
      tracing(collector.url, { exportWithinMs: 90_000, closeWithinMs: 200 }),
    );
    expect((await postLead(market.url, await market.supplierKey('acme-media'), tracedLead)).status).toBe(202);
    await eventually('an export has begun', () => collector.receiver.requests.length > 0);
    await market.close();
    await collector.close();
  });
});

describe('Spans', () => {
  const spanAt = (startedMs: number): EndedSpan => ({
    ...{ name: 'wait', kind: 'internal', startedMs, endedMs: startedMs + 1.5, attributes: {} },
  });

  it('that began before the process have their true times', async () => {
    const collector = await startCollector();
    const options = { registry: new Registry(), resource: {}, onFault: () => undefined };
    const traces = await openTracing(tracing(collector.url), options);
    const lastYear = Date.UTC(2025, 10, 23, 12, 0, 0, 250);
    traces?.addChild(newUuid(), spanAt(lastYear));
    await traces?.close();
    const [span] = collector.spans();
    expect(span?.startTimeUnixNano).toBe(`${lastYear}000000`);
    expect(span?.endTimeUnixNano).toBe(`${lastYear + 1}500000`);
    await collector.close();
  });

  it('are dropped and counted when too many wait, and the others arrive', async () => {
    const collector = await startCollector();
    const registry = new Registry();
    const traces = await openTracing(tracing(collector.url), { registry, resource: {}, onFault: () => undefined });
    for (let count = 0; count < 6000; count += 1) traces?.addRoot(newUuid(), spanAt(Date.now()));
    await traces?.close();
    const arrived = collector.spans().length;
    // The first exports begin while spans are added.
    expect(arrived).toBeGreaterThanOrEqual(4096);
    expect(arrived).toBeLessThan(6000);
    expect(await registry.metrics()).toContain(`leadmarket_trace_spans_dropped_total ${6000 - arrived}\n`);
    expect(await registry.metrics()).toContain(`leadmarket_trace_spans_exported_total ${arrived}\n`);
    await collector.close();
  });
});
