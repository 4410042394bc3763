// Tests that beta tools are available only to partners for which they are enabled, one by one (contract 1.8, 6.12).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ApiResponse, call, problem, problemFacts } from '../support/api-client.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { betaMarketYaml } from './beta-market.ts';

const RANDOM_ID = 'dlv_01m7wyk0h2emp81qch4dvtyn6a';
const TOOLS = [
  ['timeline', 'GET', `/api/v1/buyer/leads/${RANDOM_ID}/timeline`],
  ['delivery-logs', 'GET', '/api/v1/buyer/delivery-logs'],
  ['test-delivery', 'POST', '/api/v1/buyer/test-delivery'],
] as const;

let market: TestMarketplace;
const tokens = new Map<string, string>();
const yaml = betaMarketYaml({ origin: 'https://crm.example' });

beforeAll(async () => {
  market = await startTestMarketplace({ yaml, role: 'api' });
  for (const partner of ['summit', 'plain', 'slow', 'frozen']) tokens.set(partner, await market.buyerToken(partner));
});
afterAll(() => market.close());

type Sent = { readonly headers?: Record<string, string>; readonly body?: string };

function send(
  partner: string,
  [, method, path]: (typeof TOOLS)[number],
  { headers = {}, body }: Sent = {},
): Promise<ApiResponse> {
  const all = { authorization: `Bearer ${tokens.get(partner)}`, ...headers };
  return call(market.url + path, { method, headers: all, ...(body === undefined ? {} : { body }) });
}

const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(TOOLS.map((tool) => [tool[0], tool] as const))('The beta tool %s', (_, tool) => {
  const isPost = tool[1] === 'POST';

  it('is refused to a partner for which it is not enabled', async () => {
    const response = await send('plain', tool, isPost ? { headers: JSON_TYPE, body: '{"target":"preview"}' } : {});
    expect(problemFacts(response)).toEqual(problem(403, 'beta_not_enabled'));
  });

  it('is refused before the id, the query and the body are checked', async () => {
    for (const path of [tool[2].replace(RANDOM_ID, 'nonsense'), `${tool[2]}?limit=0`]) {
      const response = await send('plain', [tool[0], tool[1], path] as never);
      expect([path, response.status, response.json.code]).toEqual([path, 403, 'beta_not_enabled']);
    }
    if (!isPost) return;
    for (const sent of [
      {},
      { headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(70_000) },
      { headers: JSON_TYPE, body: '{' },
      { headers: JSON_TYPE, body: '{"target":"elsewhere"}' },
      { headers: { ...JSON_TYPE, 'idempotency-key': 'x'.repeat(300) }, body: '{"target":"preview"}' },
    ]) {
      const response = await send('plain', tool, sent);
      expect([response.status, response.json.code]).toEqual([403, 'beta_not_enabled']);
    }
  });

  it('is refused after the checks of token, partner status and rate', async () => {
    const unknown = await call(market.url + tool[2], { method: tool[1] });
    const suspended = await send('frozen', tool);
    expect([unknown.json.code, suspended.json.code]).toEqual(['unauthorized', 'partner_suspended']);
    await send('slow', tool);
    const limited = await send('slow', tool);
    expect([limited.status, limited.json.code]).toEqual([429, 'rate_limited']);
  });

  it('is open to a partner for which it is enabled', async () => {
    const response = await send('summit', tool, isPost ? { headers: JSON_TYPE, body: '{"target":"preview"}' } : {});
    expect([response.status, response.json.code]).toEqual(
      tool[0] === 'timeline' ? [404, 'delivery_not_found'] : [200, undefined],
    );
  });
});

describe('The gate of the beta tools', () => {
  it('opens each tool separately, and closes it again', async () => {
    for (const [tool] of TOOLS) {
      await market.apply(yaml.replace('key: plain, name: Plain,', `key: plain, name: Plain, betaTools: [${tool}],`));
      const responses = await Promise.all(
        TOOLS.map((one) =>
          send('plain', one, one[1] === 'POST' ? { headers: JSON_TYPE, body: '{"target":"preview"}' } : {}),
        ),
      );
      expect(responses.map(({ status }) => status !== 403)).toEqual(TOOLS.map(([name]) => name === tool));
    }
    await market.apply(yaml);
    expect((await send('plain', TOOLS[1])).status).toBe(403);
  });

  it('refuses HEAD like GET', async () => {
    const response = await call(`${market.url}/api/v1/buyer/delivery-logs`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${tokens.get('plain')}` },
    });
    expect(response.status).toBe(403);
  });
});
