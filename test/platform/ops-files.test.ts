// The alerts and the dashboard of ops/ name metrics: each must exist, with these labels and values.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { call, postLead } from '../support/api-client.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { marketYaml, sampleLead } from '../contract/market.ts';

const OPS = join(import.meta.dirname, '../../ops');
/** Set by Prometheus itself, from the scrape configuration. */
const OF_PROMETHEUS = ['job', 'instance'];

type Rules = { readonly groups: ReadonlyArray<{ readonly rules: ReadonlyArray<{ readonly expr: string }> }> };
type Dashboard = { readonly panels: ReadonlyArray<{ readonly targets: ReadonlyArray<{ readonly expr: string }> }> };

const alerts = (parse(readFileSync(join(OPS, 'alerts.yaml'), 'utf8')) as Rules).groups
  .flatMap(({ rules }) => rules)
  .map(({ expr }) => expr);
const dashboards = readdirSync(join(OPS, 'grafana')).flatMap((name) =>
  (JSON.parse(readFileSync(join(OPS, 'grafana', name), 'utf8')) as Dashboard).panels
    .flatMap(({ targets }) => targets)
    .map(({ expr }) => expr),
);

type Selector = { readonly metric: string; readonly labels: ReadonlyArray<readonly [name: string, values: string]> };

function selectorsOf(expression: string): Selector[] {
  return [...expression.matchAll(/\b((?:leadmarket|process|nodejs)_[a-z0-9_]+)(?:\{([^}]*)\})?/g)].map(
    ([, metric = '', labels = '']) => ({
      metric,
      labels: [...labels.matchAll(/(\w+)=~?"([^"]*)"/g)].map(([, name = '', values = '']) => [name, values] as const),
    }),
  );
}

let market: TestMarketplace;
let text = '';
beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml() });
  const key = await market.supplierKey('acme-media');
  await postLead(market.url, key, sampleLead(1));
  await postLead(market.url, key, {});
  text = (await call(`${market.url}/metrics`)).text;
});
afterAll(() => market.close());

/** Values that a sample has, and the words of the metric's help, which names those that occur seldom. */
function knownValues(metric: string, label: string): readonly string[] {
  const base = metric.replace(/_(?:bucket|count|sum)$/, '');
  const help = new RegExp(`^# HELP ${base} (.*)$`, 'm').exec(text)?.[1] ?? '';
  const samples = [...text.matchAll(new RegExp(`^${metric}\\{.*?\\b${label}="([^"]*)"`, 'gm'))].map(
    ([, value = '']) => value,
  );
  return [...help.split(/\W+/), ...samples];
}

describe('The alerts and dashboards', () => {
  it.each([
    ['alerts', alerts],
    ['dashboards', dashboards],
  ])('of the %s name metrics that exist', (_, expressions) => {
    expect(expressions.length).toBeGreaterThan(10);
    const named = expressions.flatMap(selectorsOf).map(({ metric }) => metric);
    expect(named.length).toBeGreaterThan(10);
    expect([...new Set(named)].filter((metric) => !new RegExp(`^(?:# TYPE )?${metric}[ {]`, 'm').test(text))).toEqual(
      [],
    );
  });

  it('select by labels and values that these metrics have', () => {
    const unknown = [...alerts, ...dashboards].flatMap(selectorsOf).flatMap(({ metric, labels }) =>
      labels
        .filter(([label]) => !OF_PROMETHEUS.includes(label))
        .flatMap(([label, values]) => values.split('|').map((value) => ({ metric, label, value })))
        .filter(({ label, value }) => label !== 'status' || !/^[1-5]xx$/.test(value))
        .filter(({ label, value }) => !knownValues(metric, label).includes(value)),
    );
    expect(unknown).toEqual([]);
  });
});
