// Exports traces to an OpenTelemetry collector over OTLP/HTTP, in batches, and drops spans rather than making anything wait (decision 058).
import { setTimeout as sleep } from 'node:timers/promises';

import {
  type Context,
  type HrTime,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  RandomIdGenerator,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { Counter } from '@prometheus-io/client';

import type { Uuid } from '../../base/ids.ts';
import type { TracingConfig } from './tracing-config.rules.ts';
import { type EndedSpan, rootSpanIdOf, traceIdOf, type Tracing, type TracingOptions } from './tracing.ts';

/** At about a kilobyte per span; a collector that is away for longer than this lasts costs spans, and no more memory. */
const WAITING_SPANS = 4096;
const SPANS_PER_EXPORT = 512;
const EXPORT_EVERY_MS = 2000;
/** A part of the 30 s that the process has to stop. */
const CLOSE_WITHIN_MS = 3000;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

export function startOtlpTracing(config: TracingConfig, options: TracingOptions): Tracing {
  const { exported, dropped } = countSpans(options);
  const { url, headers, exportWithinMs, exportEveryMs = EXPORT_EVERY_MS, closeWithinMs = CLOSE_WITHIN_MS } = config;
  const otlp = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: exportWithinMs });
  // Spans in the processor's queue; those that an export has taken are not in it any more.
  let waiting = 0;
  const exporter: SpanExporter = {
    export(spans, done) {
      waiting -= spans.length;
      otlp.export(spans, (result) => {
        const isTaken = result.error === undefined;
        (isTaken ? exported : dropped).inc(spans.length);
        if (!isTaken) options.onFault(result.error);
        done(result);
      });
    },
    shutdown: () => otlp.shutdown(),
  };
  const random = new RandomIdGenerator();
  let root: Uuid | null = null;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...options.resource, ...config.resource, 'service.name': config.serviceName }),
    // What comes here is sampled already.
    sampler: new AlwaysOnSampler(),
    idGenerator: {
      generateTraceId: () => (root === null ? random.generateTraceId() : traceIdOf(root)),
      generateSpanId: () => (root === null ? random.generateSpanId() : rootSpanIdOf(root)),
    },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: WAITING_SPANS,
        maxExportBatchSize: SPANS_PER_EXPORT,
        scheduledDelayMillis: exportEveryMs,
        // The exporter's own limit comes first.
        exportTimeoutMillis: 2 * exportWithinMs,
      }),
    ],
  });
  const tracer = provider.getTracer('leadmarket');
  const sampler = new TraceIdRatioBasedSampler(config.ratio);

  /** Returns the span's id; empty for a span that was dropped. */
  const add = (span: EndedSpan, context: Context): string => {
    if (waiting >= WAITING_SPANS) {
      dropped.inc();
      return '';
    }
    waiting += 1;
    const { attributes, startedMs, links = [] } = span;
    const started = tracer.startSpan(
      span.name,
      {
        ...{ kind: KINDS[span.kind], attributes, startTime: timeOf(startedMs) },
        links: links.map((link) => ({ context: { ...link, traceFlags: TraceFlags.NONE, isRemote: true } })),
      },
      context,
    );
    if (span.failed === true) started.setStatus({ code: SpanStatusCode.ERROR });
    // Clocks of processes differ, and a span cannot end before it starts.
    started.end(timeOf(Math.max(span.endedMs, startedMs)));
    return started.spanContext().spanId;
  };

  return {
    isSampled: (id) =>
      sampler.shouldSample(ROOT_CONTEXT, traceIdOf(id)).decision === SamplingDecision.RECORD_AND_SAMPLED,
    addRoot(id, span) {
      root = id;
      try {
        add(span, ROOT_CONTEXT);
      } finally {
        root = null;
      }
    },
    addChild(id, span, parentSpanId = rootSpanIdOf(id)) {
      const parent = { traceId: traceIdOf(id), traceFlags: TraceFlags.SAMPLED, isRemote: true };
      const spanId = parentSpanId === '' ? rootSpanIdOf(id) : parentSpanId;
      return add(span, trace.setSpanContext(ROOT_CONTEXT, { ...parent, spanId }));
    },
    async close() {
      // What could not be exported is counted and reported by the exporter above.
      const flushed = provider.shutdown().catch(() => undefined);
      await Promise.race([flushed, sleep(closeWithinMs, undefined, { ref: false })]);
    },
  };
}

/** Seconds and nanoseconds: of a bare number before the start of the process the library believes that it counts from there. */
function timeOf(ms: number): HrTime {
  return [Math.trunc(ms / 1000), Math.trunc((ms % 1000) * 1e6)];
}

function countSpans({ registry }: TracingOptions): { exported: Counter; dropped: Counter } {
  const registers = [registry];
  return {
    exported: new Counter({
      name: 'leadmarket_trace_spans_exported_total',
      help: 'Spans that the collector of traces has taken.',
      registers,
    }),
    dropped: new Counter({
      name: 'leadmarket_trace_spans_dropped_total',
      help: 'Spans that were dropped because the collector of traces takes none or too few.',
      registers,
    }),
  };
}
