import { describe, expect, it } from 'vitest';

import { loadConfig } from '../config.ts';
import type { TracingConfig } from './tracing-config.rules.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' };

type Env = Readonly<Record<string, string>>;

function tracingOf(env: Env): TracingConfig | null {
  const outcome = loadConfig(env, () => 'authorization=Bearer%20from-a-file\n');
  if (!outcome.ok) throw new Error(outcome.faults.join());
  return outcome.config.tracing;
}

function faultsOf(env: Env): readonly string[] {
  const outcome = loadConfig({ ...ENDPOINT, ...env });
  return outcome.ok ? [] : outcome.faults;
}

describe('The settings of traces', () => {
  it('switch them off without an endpoint, whatever else is set', () => {
    expect(tracingOf({})).toBeNull();
    expect(tracingOf({ OTEL_SERVICE_NAME: 'leads', OTEL_TRACES_SAMPLER: 'always_on' })).toBeNull();
  });

  it('have defaults', () => {
    expect(tracingOf(ENDPOINT)).toEqual({
      url: 'http://collector.example:4318/v1/traces',
      headers: {},
      serviceName: 'leadmarket',
      resource: {},
      ratio: 0.01,
      exportWithinMs: 5000,
    });
  });

  it.each<[Env, Partial<TracingConfig>]>([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/otlp/' }, { url: 'https://c.example/otlp/v1/traces' }],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t.example/in' }, { url: 'https://t.example/in' }],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=1, b=x%20y=z' }, { headers: { a: '1', b: 'x y=z' } }],
    [{ OTEL_EXPORTER_OTLP_HEADERS_FILE: 'headers' }, { headers: { authorization: 'Bearer from-a-file' } }],
    [{ OTEL_SERVICE_NAME: 'leads' }, { serviceName: 'leads' }],
    [{ OTEL_RESOURCE_ATTRIBUTES: 'region=eu,cell=7' }, { resource: { region: 'eu', cell: '7' } }],
    [{ OTEL_TRACES_SAMPLER: 'always_on', OTEL_TRACES_SAMPLER_ARG: '0.5' }, { ratio: 1 }],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, { ratio: 0 }],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '.25' }, { ratio: 0.25 }],
    [{ OTEL_TRACES_SAMPLER_ARG: '1' }, { ratio: 1 }],
    [{ OTEL_EXPORTER_OTLP_TIMEOUT: '800' }, { exportWithinMs: 800 }],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, {}],
  ])('as %j are read as %j', (env, expected) => {
    expect(tracingOf({ ...ENDPOINT, ...env })).toMatchObject(expected);
  });

  it.each<[Env, RegExp]>([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must be a URL/],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /^OTEL_EXPORTER_OTLP_PROTOCOL must be "http\/json"/],
    [{ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' }, /^OTEL_EXPORTER_OTLP_TRACES_PROTOCOL must be/],
    [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, /^OTEL_TRACES_SAMPLER must be always_on/],
    [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, /^OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/],
    [{ OTEL_TRACES_SAMPLER_ARG: 'few' }, /^OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/],
    [{ OTEL_EXPORTER_OTLP_TIMEOUT: '0' }, /^OTEL_EXPORTER_OTLP_TIMEOUT must be a whole number/],
    [
      { OTEL_EXPORTER_OTLP_HEADERS: 'Bearer s3cret' },
      /^OTEL_EXPORTER_OTLP_HEADERS must be NAME=VALUE pairs(?!.*s3cret)/,
    ],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' }, /^OTEL_EXPORTER_OTLP_HEADERS must be NAME=VALUE pairs/],
    [{ OTEL_RESOURCE_ATTRIBUTES: '=x' }, /^OTEL_RESOURCE_ATTRIBUTES must be NAME=VALUE pairs/],
  ])('as %j are faulty', (env, fault) => {
    expect(faultsOf(env)).toEqual([expect.stringMatching(fault)]);
  });
});
