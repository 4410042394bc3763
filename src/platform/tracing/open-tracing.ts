// Opens the export of traces if it is configured, and loads the code for it only then.
import type { TracingConfig } from './tracing-config.rules.ts';
import type { Tracing, TracingOptions } from './tracing.ts';

/** Null without a configuration. */
export async function openTracing(config: TracingConfig | null, options: TracingOptions): Promise<Tracing | null> {
  if (config === null) return null;
  const { startOtlpTracing } = await import('./otlp-tracing.ts');
  return startOtlpTracing(config, options);
}
