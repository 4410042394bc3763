// docs/marketplace-file.schema.json is what the declarations come to; `npm run file-schema` rewrites it. Editors check YAML by it.
import { readFileSync } from 'node:fs';

import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { publishedSchema } from '../../src/marketplace-file/file-schema.rules.ts';
import { readScenarios } from '../routing/scenario-file.ts';

const check = new Ajv({ strict: true, strictTypes: false, keywords: ['errorMessage'] }).compile(publishedSchema());

function errorsOf(text: string): string[] {
  check(parse(text, { merge: true }));
  return (check.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

/** Names of members with dots, whatever the list or choice that they stand in. */
function membersIn(schema: unknown, path: string): string[] {
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    properties?: Record<string, unknown>;
    items?: unknown;
    anyOf?: unknown[];
  };
  const inner = [...anyOf, ...(items === undefined ? [] : [items])].flatMap((one) => membersIn(one, path));
  const own = Object.entries(properties).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [at, ...membersIn(member, at)];
  });
  return [...new Set([...own, ...inner])];
}

function namesIn(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => namesIn(entry, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [at, ...namesIn(member, at)];
  });
}

describe('docs/marketplace-file.schema.json', () => {
  it('is generated from the schemas', async () => {
    const text = `${JSON.stringify(publishedSchema(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../docs/marketplace-file.schema.json');
  });
});

describe('The schema accepts', () => {
  it('the shipped examples', () => {
    expect(errorsOf(readFileSync('examples/marketplace.yaml', 'utf8'))).toEqual([]);
    for (const name of ['debt', 'solar', 'home-services', 'auto-insurance'])
      expect(errorsOf(readFileSync(`examples/verticals/${name}.yaml`, 'utf8'))).toEqual([]);
  });

  it('the files in the quick start and in the contract', () => {
    for (const path of ['docs/quickstart.md', 'docs/contract.md']) {
      const texts = [...readFileSync(path, 'utf8').matchAll(/```yaml\n(.*?)```|<<'YAML'\n(.*?)YAML/gs)]
        .map(([, block, here]) => block ?? here ?? '')
        .filter((text) => /^(?:marketplace|suppliers|partners):/m.test(text));
      expect(texts).not.toEqual([]);
      for (const text of texts) expect(errorsOf(text)).toEqual([]);
    }
  });

  it('the files of the routing scenarios', () => {
    const scenarios = readScenarios('test/routing/scenarios').flatMap((topic) => topic.scenarios);
    expect(scenarios.length).toBeGreaterThan(100);
    for (const { name, file } of scenarios) expect([name, errorsOf(JSON.stringify(file))]).toEqual([name, []]);
  });

  it('null for members with a default, and a single entry of hours without a list', () => {
    const hours = '{ days: [mon], from: "08:00", to: "24:00" }';
    const offer = `{ key: a, eventType: Lead Sale, payout: 1, filters: null, caps: { daily: null }, schedule: ${hours} }`;
    expect(
      errorsOf(`marketplace: null\npartners: [{ key: a, settings: { ccEmails: null }, offers: [${offer}] }]`),
    ).toEqual([]);
  });
});

describe('The schema rejects', () => {
  it.each([
    ['a member that is not known', 'suppliers: [{ key: a, statsu: approved }]', '/suppliers/0 additionalProperties'],
    [
      'an offer without a price',
      'partners: [{ key: a, offers: [{ key: b, eventType: Lead Sale }] }]',
      '/partners/0/offers/0 required',
    ],
    ['a word that is none of those known', 'marketplace: { strategy: best }', '/marketplace/strategy enum'],
    ['a number beyond its bounds', 'marketplace: { dedupDays: 3651 }', '/marketplace/dedupDays maximum'],
    ['a key in capitals', 'suppliers: [{ key: Acme }]', '/suppliers/0/key pattern'],
    ['text for a number', 'marketplace: { holdMinutes: "15" }', '/marketplace/holdMinutes type'],
  ])('%s', (_, text, error) => expect(errorsOf(text)).toContain(error));
});

describe('The example in the contract', () => {
  it('has all members', () => {
    const text = /### 7\.6 .*?```yaml\n(.*?)```/s.exec(readFileSync('docs/contract.md', 'utf8'))?.[1] ?? '';
    const named = new Set(namesIn(parse(text), ''));
    const free =
      /^suppliers\.fieldMapping\.|^partners\.offers\.sale\.|^partners\.webhook\.response\.rules\.(?:reason|reference|price)\./;
    const settings = /^partners\.settings\./;
    const missing = membersIn(publishedSchema(), '').filter(
      (name) => !named.has(name) && !free.test(name) && !settings.test(name),
    );
    expect(missing).toEqual([]);
  });
});
