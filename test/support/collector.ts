// A collector of traces on loopback: takes exports over OTLP/HTTP as JSON, and lists their spans.
import { type Receiver, type Reply, startReceiver } from './receiver.ts';

type Value = {
  readonly stringValue?: string;
  readonly intValue?: string | number;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly Value[] };
};
type Attributes = ReadonlyArray<{ readonly key: string; readonly value: Value }>;

type SentSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Attributes;
  readonly status: { readonly code?: number };
  readonly links?: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>;
};

type Export = {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: ReadonlyArray<{ readonly spans: readonly SentSpan[] }>;
  }>;
};

export type CollectedSpan = Omit<SentSpan, 'attributes'> & {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
};

export type Collector = {
  readonly url: string;
  readonly receiver: Receiver;
  /** All spans so far, by start time. */
  spans(): CollectedSpan[];
  close(): Promise<void>;
};

export async function startCollector(respond: () => Reply = () => ({ status: 200, body: '{}' })): Promise<Collector> {
  const receiver = await startReceiver({ respond });
  return {
    url: `${receiver.origin}/v1/traces`,
    receiver,
    spans: () =>
      receiver.requests
        .flatMap(({ body }) => (JSON.parse(body) as Export).resourceSpans)
        .flatMap(({ resource, scopeSpans }) =>
          scopeSpans
            .flatMap(({ spans }) => spans)
            .map((span) => ({
              ...span,
              attributes: readAttributes(span.attributes),
              resource: readAttributes(resource.attributes),
            })),
        )
        .toSorted((one, other) => Number(BigInt(one.startTimeUnixNano) - BigInt(other.startTimeUnixNano))),
    close: () => receiver.close(),
  };
}

function readAttributes(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]));
}

function readValue({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Value): unknown {
  if (arrayValue !== undefined) return arrayValue.values.map(readValue);
  return stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? doubleValue ?? boolValue;
}
