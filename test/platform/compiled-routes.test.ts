// The table of routes is compiled in production and not in most tests: both find the same route for every path and method.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { App } from '../../src/platform/http/app.ts';
import { marketYaml } from '../contract/market.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { routesOf } from '../support/routes.ts';

let compiled: TestMarketplace;
let usual: TestMarketplace;

beforeAll(async () => {
  compiled = await startTestMarketplace({ yaml: marketYaml(), compilesRoutes: true });
  usual = await startTestMarketplace({ yaml: marketYaml() });
});

afterAll(async () => {
  await compiled.close();
  await usual.close();
});

function appOf({ runtime }: TestMarketplace): App {
  if (runtime.app === null) throw new Error('the marketplace has no application');
  return runtime.app;
}

async function outcomeOf(market: TestMarketplace, method: string, url: string): Promise<string> {
  const { statusCode, headers, body } = await appOf(market).inject({ method: method as 'GET', url });
  const code = /"code":"\w+"/.exec(body)?.[0];
  return [statusCode, headers['content-type'], headers['www-authenticate'], headers.allow, code].join(' ');
}

/** The requests so far by method, template of the route and class of status. */
async function requestsOf(market: TestMarketplace): Promise<string[]> {
  const { body } = await appOf(market).inject('/metrics');
  return body.match(/^leadmarket_http_request_duration_seconds_count\{.*$/gm) ?? [];
}

describe('the compiled table of routes', () => {
  it('finds for every route what the other one finds', async () => {
    const routes = routesOf(appOf(compiled));
    expect(routes.length).toBeGreaterThan(400);
    const differing: string[] = [];
    for (const { method, path } of routes) {
      const url = path.replaceAll(/:\w+/g, 'a-name').replace('*', 'a/path');
      const [one, other] = [await outcomeOf(compiled, method, url), await outcomeOf(usual, method, url)];
      if (one !== other) differing.push(`${method} ${path}: ${one}, not ${other}`);
    }
    expect(differing).toEqual([]);
    const requests = await requestsOf(compiled);
    expect(requests.length).toBeGreaterThan(400);
    expect(requests.toSorted()).toEqual((await requestsOf(usual)).toSorted());
  });

  it.each([
    ['GET', '/api/v1/nothing'],
    ['PATCH', '/api/v1/ingest'],
    ['GET', '/api/v1/buyer/leads/'],
    ['GET', '/api/v1/buyer/leads/%00'],
    ['GET', '/api/v1/buyer/leads/%E0%A4%A'],
    ['GET', `/api/v1/buyer/leads/${'a'.repeat(9000)}`],
    ['GET', '//healthz'],
    ['GET', '/HEALTHZ'],
    ['HEAD', '/healthz'],
    ['OPTIONS', '/api/v1/ingest'],
  ])('responds to %s %s as the other one does', async (method, url) => {
    expect(await outcomeOf(compiled, method, url)).toBe(await outcomeOf(usual, method, url));
  });
});
