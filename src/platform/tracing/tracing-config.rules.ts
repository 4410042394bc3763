// Reads the settings of traces from OpenTelemetry's standard variables (contract 8.5).

export type TracingConfig = {
  /** The collector's URL for traces. */
  readonly url: string;
  /** Sent with every export; may hold a credential. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly resource: Readonly<Record<string, string>>;
  /** The share of traces that is exported, 0 to 1. */
  readonly ratio: number;
  /** For one export with all its repetitions. */
  readonly exportWithinMs: number;
  /** For tests, which would wait as long: by default every two seconds, and three at the end. */
  readonly exportEveryMs?: number;
  readonly closeWithinMs?: number;
};

type Source = {
  /** The trimmed value of a variable; null if it is unset or empty. */
  readonly text: (name: string) => string | null;
  readonly url: (name: string, protocols: readonly string[]) => string | null;
  readonly faults: string[];
};

/** One lead in a hundred: at 2,000 leads a second that is about a hundred spans a second. */
const DEFAULT_RATIO = '0.01';
/** A process never continues the trace of a caller, so each sampler is the same with and without `parentbased_`. */
const SAMPLER = /^(?:parentbased_)?(always_on|always_off|traceidratio)$/;

/** Null without an endpoint: nothing is traced. Adds a fault for each wrong value, without quoting headers. */
export function readTracingConfig({ text, url, faults }: Source): TracingConfig | null {
  const own = url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['http:', 'https:']);
  const common = url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']);
  const endpoint = own ?? (common === null ? null : `${common.replace(/\/$/, '')}/v1/traces`);
  if (endpoint === null) return null;
  for (const name of ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL']) {
    const protocol = text(name);
    if (protocol !== null && protocol !== 'http/json') {
      faults.push(`${name} must be "http/json", which collectors take on port 4318, not "${protocol}"`);
    }
  }
  return {
    url: endpoint,
    headers: pairs('OTEL_EXPORTER_OTLP_HEADERS', text('OTEL_EXPORTER_OTLP_HEADERS'), faults),
    serviceName: text('OTEL_SERVICE_NAME') ?? 'leadmarket',
    resource: pairs('OTEL_RESOURCE_ATTRIBUTES', text('OTEL_RESOURCE_ATTRIBUTES'), faults),
    exportWithinMs: millisecondsOf('OTEL_EXPORTER_OTLP_TIMEOUT', text('OTEL_EXPORTER_OTLP_TIMEOUT'), faults),
    ratio: ratioOf({ sampler: text('OTEL_TRACES_SAMPLER'), argument: text('OTEL_TRACES_SAMPLER_ARG') }, faults),
  };
}

function ratioOf(given: { sampler: string | null; argument: string | null }, faults: string[]): number {
  const { sampler: name, argument } = given;
  const [, sampler] = SAMPLER.exec(name ?? 'parentbased_traceidratio') ?? [];
  if (sampler === undefined) {
    const known = 'always_on, always_off or traceidratio, each also with parentbased_ before it';
    faults.push(`OTEL_TRACES_SAMPLER must be ${known}, not "${name}"`);
    return 0;
  }
  if (sampler !== 'traceidratio') return sampler === 'always_on' ? 1 : 0;
  const ratio = /^(?:\d+\.?\d*|\.\d+)$/.test(argument ?? DEFAULT_RATIO) ? Number(argument ?? DEFAULT_RATIO) : -1;
  if (ratio < 0 || ratio > 1) {
    faults.push(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1 such as 0.05, not "${argument}"`);
  }
  return ratio;
}

/** Shorter than the standard's 10 seconds, because what waits for an export has to fit into memory. */
function millisecondsOf(variable: string, text: string | null, faults: string[]): number {
  const value = /^\d{1,5}$/.test(text ?? '5000') ? Number(text ?? '5000') : 0;
  if (value === 0) faults.push(`${variable} must be a whole number of milliseconds from 1 to 99999, not "${text}"`);
  return value;
}

/** `name=value,name=value`, with special characters of values as %XX. The fault does not quote the text, which may hold a secret. */
function pairs(variable: string, text: string | null, faults: string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const item of (text ?? '').split(',').filter((part) => part.trim() !== '')) {
    const [, name, value] = /^\s*([^\s=,;]+)\s*=\s*(.*?)\s*$/.exec(item) ?? [];
    const decoded = value === undefined ? null : decode(value);
    if (name === undefined || decoded === null) {
      faults.push(`${variable} must be NAME=VALUE pairs separated by commas, with special characters as %XX`);
      return {};
    }
    found[name] = decoded;
  }
  return found;
}

function decode(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}
