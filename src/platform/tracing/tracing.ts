// The interface of traces: spans that have ended, added to the trace of a lead or request (contract 8.5; decision 058).
import type { Registry } from '@prometheus-io/client';

import type { NewId, Uuid } from '../../base/ids.ts';

/** Keys, ids, numbers and fixed words; never a value that a person, supplier or partner has typed. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[]>>;

/** A span of another system's trace. */
export type SpanLink = { readonly traceId: string; readonly spanId: string };

export type EndedSpan = {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  /** Milliseconds since 1970, with fractions. */
  readonly startedMs: number;
  readonly endedMs: number;
  readonly attributes: SpanAttributes;
  readonly failed?: boolean;
  readonly links?: readonly SpanLink[];
};

/** The span of a sampled request, which its route may describe further. */
export type RequestSpan = {
  readonly startedMs: number;
  /** Keys, ids and fixed words only. */
  readonly attributes: Record<string, string | number | boolean>;
  readonly links: SpanLink[];
};

export type RequestTrace = {
  /** The trace's id. A lead that is stored under this id continues the request's trace. */
  readonly id: NewId;
  /** Null if the trace is not sampled. */
  readonly span: RequestSpan | null;
};

export type TracingOptions = {
  readonly registry: Registry;
  /** Attributes of this process, beside those of the configuration. */
  readonly resource: Readonly<Record<string, string>>;
  /** Called for each export that failed. */
  readonly onFault: (error: unknown) => void;
};

export type Tracing = {
  /** Whether spans of this lead or request are exported; every process gives the same answer. */
  isSampled(id: Uuid): boolean;
  /** Adds the first span of a trace, whose id follows from `id` as well. Never throws, never waits. */
  addRoot(id: Uuid, span: EndedSpan): void;
  /** Adds a span below `parentSpanId`, by default the first span of the trace. Returns its id. Never throws, never waits. */
  addChild(id: Uuid, span: EndedSpan, parentSpanId?: string): string;
  /** Exports what is left, for at most three seconds. */
  close(): Promise<void>;
};

/** 32 hex digits: a trace has the id of its lead. */
export function traceIdOf(id: Uuid): string {
  return id.replaceAll('-', '');
}

/** 16 hex digits, the random half of the id: every process knows the first span of a trace without having seen it. */
export function rootSpanIdOf(id: Uuid): string {
  return traceIdOf(id).slice(16);
}
