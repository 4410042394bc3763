// Opens the export of traces if it is configured, and loads the code for it only then.
import type { Registry } from '@prometheus-io/client';

import type { TracingConfig } from './tracing-config.rules.ts';
import type { Tracing } from './tracing.ts';

export type TracingOptions = {
  readonly registry: Registry;
  /** Attributes of this process, beside those of the configuration. */
  readonly resource: Readonly<Record<string, string>>;
  /** Called for each export that failed. */
  readonly onFault: (error: unknown) => void;
};

/** Null without a configuration. */
export async function openTracing(config: TracingConfig | null, options: TracingOptions): Promise<Tracing | null> {
  if (config === null) return null;
  const { startOtlpTracing } = await import('./otlp-tracing.ts');
  return startOtlpTracing(config, options);
}
