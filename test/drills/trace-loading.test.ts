// What a process loads of OpenTelemetry: nothing where no collector is configured (decision 058).
import { afterAll, describe, expect, it } from 'vitest';

import { call } from '../support/api-client.ts';
import { startCollector } from '../support/collector.ts';
import { createTestDatabase } from '../support/database.ts';
import { killServers, startServer } from '../support/server-process.ts';

afterAll(killServers);

describe('The code that exports traces', () => {
  // Prints what is loaded from OpenTelemetry's packages. The metrics' package always loads the small `api`.
  const listing = `
    import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) {
      if (/\\/@opentelemetry\\/(?!api\\/)/.test(url)) process.stderr.write('loaded ' + url + '\\n');
      return next(url, context);
    } });`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(listing)}`;

  it('is loaded only if a collector is configured, and then at the start', async () => {
    const home = await createTestDatabase();
    const collector = await startCollector();
    const env = { DATABASE_URL: home.url, NODE_OPTIONS };
    const plain = await startServer(env);
    plain.signal('SIGTERM');
    expect((await plain.ended).code).toBe(0);
    expect(plain.output()).not.toContain('loaded ');

    const traced = await startServer({
      ...env,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.receiver.origin,
      OTEL_TRACES_SAMPLER: 'always_on',
    });
    expect(traced.output()).toContain('loaded ');
    expect((await call(`${traced.url}/healthz`)).status).toBe(200);
    traced.signal('SIGTERM');
    expect((await traced.ended).code).toBe(0);
    expect(collector.spans().map(({ name }) => name)).toEqual(['GET /healthz']);
    expect(collector.receiver.requests.map(({ path }) => path)).toEqual(['/v1/traces']);
    await collector.close();
    await home.drop();
  });
});
