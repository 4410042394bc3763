// The OpenAPI document says what the service does, and the service does what it says (contract 8). docs/openapi.json is the document
// as committed, so that a change of the API is seen in review; `npm run openapi` rewrites it.
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { typeId } from '../../src/base/ids.ts';
import { appendBuyerEvents } from '../../src/deliveries/append-buyer-events.ts';
import { plantDeliveries } from '../deliveries/plant-deliveries.ts';
import { type ApiAnswer, call, getAsBuyer, getAsSupplier, postAsBuyer, postLead } from '../support/api-client.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Json } from '../support/scope-app.ts';
import { betaMarketYaml } from './beta-market.ts';
import { marketYaml, sampleLead } from './market.ts';

type Operation = { readonly path: string; readonly method: string; readonly operation: Json };

const OUTSIDE = /^\/(?:healthz|readyz|metrics|openapi\.json|docs|demo)(?:\/|$)/;

let market: TestMarketplace;
let document: Json;
let operations: Operation[];
let ajv: Ajv;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
  document = (await call(`${market.url}/openapi.json`)).json;
  operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'api');
});
afterAll(() => market.close());

/** What is wrong with the value by the schema at a JSON pointer of the document. */
function faults(pointer: string, value: unknown): unknown[] {
  const check = ajv.compile({ $ref: `api#${pointer}` });
  return check(value) ? [] : (check.errors ?? []);
}

const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Every schema-bearing place of the document with examples of its own. */
function* examplesIn(node: Json, pointer = ''): Generator<{ pointer: string; example: unknown }> {
  if (node === null || typeof node !== 'object') return;
  if (!Array.isArray(node)) {
    if (Array.isArray(node.examples)) for (const example of node.examples) yield { pointer, example };
    if (Object.hasOwn(node, 'schema') && Object.hasOwn(node, 'example'))
      yield { pointer: `${pointer}/schema`, example: node.example };
  }
  for (const [name, child] of Object.entries(node)) {
    if (name !== 'examples' && name !== 'example') yield* examplesIn(child, `${pointer}/${escaped(name)}`);
  }
}

test('docs/openapi.json is the document that the service serves', async () => {
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../../docs/openapi.json');
});

describe('The document', () => {
  test('is OpenAPI 3.1', () => {
    expect([document.openapi, document.info.title]).toEqual(['3.1.0', 'Lead Marketplace Partner API']);
  });

  test('names every operation once', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.every((id) => /^[a-z][A-Za-z]+$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('says of every operation what it is for, who may use it and how it fails', () => {
    for (const { path, operation } of operations) {
      expect([path, operation.summary, operation.description, operation.tags?.length]).toEqual([
        path,
        expect.any(String),
        expect.any(String),
        1,
      ]);
      expect([path, operation.security?.length]).toEqual([path, 1]);
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '429', '503']));
    }
  });

  test('says of every answer what it means', () => {
    const silent = operations.flatMap(({ path, operation }) =>
      Object.entries<Json>(operation.responses)
        .filter(([, { description }]) => description === undefined || description === 'Default Response')
        .map(([status]) => `${path} ${status}`),
    );
    expect(silent).toEqual([]);
  });

  test('gives every member of a schema a type', () => {
    const untyped = Object.entries<Json>(document.components.schemas).flatMap(([name, schema]) =>
      Object.entries<Json>(schema.properties ?? {})
        .filter(
          ([, member]) =>
            !['type', '$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf'].some((word) => Object.hasOwn(member, word)),
        )
        .map(([member]) => `${name}.${member}`),
    );
    expect(untyped).toEqual([]);
  });

  test('has examples that are valid', () => {
    const examples = [...examplesIn(document)];
    expect(examples.length).toBeGreaterThan(20);
    expect(
      examples.flatMap(({ pointer, example }) =>
        faults(pointer, example).map((fault) => ({ pointer, example, fault })),
      ),
    ).toEqual([]);
  });

  test('names the error pages that exist', async () => {
    const text = JSON.stringify(document);
    const codes = new Set([...text.matchAll(/`([a-z_]+)`: /g)].map(([, code = '']) => code));
    expect(codes.size).toBeGreaterThan(5);
    for (const code of codes)
      expect([code, (await call(`${market.url}/docs/errors/${code}`)).status]).toEqual([code, 200]);
  });
});

describe('Every documented operation', () => {
  test('exists, and is closed without a credential', async () => {
    for (const { path, method } of operations) {
      const url = market.url + path.replaceAll(/\{[^}]+\}/g, 'x');
      const body = ['POST', 'PATCH', 'PUT'].includes(method) ? {} : undefined;
      const answer = await call(url, { method, ...(body === undefined ? {} : { body }) });
      expect([method, path, answer.status]).toEqual([method, path, 401]);
    }
  });

  test('is all there is: no route of the API is undocumented', () => {
    const documented = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{([^}]+)\}/g, ':$1')}`);
    const routes = routesOf(market.runtime.app?.printRoutes({ commonPrefix: false }) ?? '');
    expect(routes.length).toBeGreaterThan(operations.length);
    const api = routes.filter(({ path }) => !OUTSIDE.test(path)).map(({ method, path }) => `${method} ${path}`);
    expect(api.toSorted()).toEqual(documented.toSorted());
  });
});

describe('Every answer', () => {
  /** Whether the document has the answer's status and type, and its body fits the schema there. */
  function misfit(path: string, method: 'get' | 'post' | 'patch', answer: ApiAnswer): unknown[] {
    const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
    const pointer = `/paths/${escaped(path)}/${method}/responses/${answer.status}/content/${escaped(type)}/schema`;
    if (document.paths[path][method].responses[answer.status]?.content[type] === undefined)
      return [`${answer.status} ${type} is not documented`];
    return faults(pointer, answer.json);
  }

  test('of ingest is as documented', async () => {
    const key = await market.supplierKey('acme-media');
    const pending = await market.supplierKey('newcomer');
    const named = { 'idempotency-key': 'documented' };
    const answers = [
      await postLead(market.url, key, sampleLead(1)),
      await postLead(market.url, key, sampleLead(1)),
      await postLead(market.url, key, sampleLead(1, { state: 'NY' })),
      await postLead(market.url, key, {}),
      await postLead(market.url, key, sampleLead(2), named),
      await postLead(market.url, key, sampleLead(3), named),
      await postLead(market.url, key, '['),
      await postLead(market.url, key, sampleLead(4), { 'idempotency-key': 'x'.repeat(300) }),
      await postLead(market.url, key, '{}', { 'content-type': 'text/plain' }),
      await postLead(market.url, key, 'x'.repeat(70_000)),
      await postLead(market.url, 'lms_x', {}),
      await postLead(market.url, pending, {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 409, 422, 202, 422, 400, 400, 415, 413, 401, 403]);
    expect(answers.flatMap((answer) => misfit('/api/v1/ingest', 'post', answer))).toEqual([]);
  });

  test('of the statistics is as documented', async () => {
    const key = await market.supplierKey('acme-media');
    const path = '/api/v1/supplier/stats';
    const answers = await Promise.all(
      ['', '?days=7', '?days=x'].map((query) => getAsSupplier(market.url, key, path + query)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(answers.flatMap((answer) => misfit(path, 'get', answer))).toEqual([]);
  });

  test('of the delivered leads is as documented', async () => {
    const token = await market.buyerToken('summit');
    const path = '/api/v1/buyer/leads';
    const appointmentAt = new Date('2026-11-24T17:30:00.000Z');
    await plantDeliveries(market.database, 'summit', [
      { at: new Date('2026-11-20T17:00:00.000Z') },
      {
        at: new Date('2026-11-20T17:01:00.000Z'),
        status: 'Returned',
        fields: { email: null, phone: null, state: null, debtAmountCents: null },
      },
      { at: new Date('2026-11-20T17:02:00.000Z'), status: 'Pending', eventType: 'Calendar Assigned', appointmentAt },
    ]);
    const queries = ['', '?status=pending', '?page=9', '?page=0'];
    const answers = await Promise.all(queries.map((query) => getAsBuyer(market.url, token, path + query)));
    const frozen = await getAsBuyer(market.url, await market.buyerToken('frozen'), path);
    expect([...answers, frozen].map(({ status }) => status)).toEqual([200, 200, 200, 400, 403]);
    expect(answers[0]?.json.total).toBe(3);
    expect([...answers, frozen].flatMap((answer) => misfit(path, 'get', answer))).toEqual([]);
  });

  test('of the account, the statistics and the trail is as documented', async () => {
    const yaml = marketYaml()
      .replace('channels: []', 'channels: []\n    editableFields: [phone, webhookUrl]\n    betaTools: [audit-log]')
      .replace('filters: { states: [CA] }', 'caps: { daily: 5, weekly: 0 }');
    const house = await startTestMarketplace({ yaml, role: 'api' });
    await plantDeliveries(house.database, 'summit', [{ at: new Date() }]);
    const [summit, frozen, harbor] = [
      await house.buyerToken('summit'),
      await house.buyerToken('frozen'),
      await house.buyerToken('harbor'),
    ];
    const get = (path: string, token = summit) => getAsBuyer(house.url, token, path);
    const patch = (body: object | string, more: Record<string, string> = {}) => {
      const headers = { authorization: `Bearer ${summit}`, 'content-type': 'application/json', ...more };
      return call(`${house.url}/api/v1/buyer/account`, { method: 'PATCH', headers, body });
    };
    const [stats, account, audit] = ['stats', 'account', 'audit-log'].map((name) => `/api/v1/buyer/${name}`) as [
      string,
      string,
      string,
    ];
    const [sheets, file] = ['/api/v1/sheets-config', '/api/v1/buyer/export'];
    const answers = [
      [200, stats, 'get', await get(stats)],
      [200, stats, 'get', await get(`${stats}?days=1`, harbor)],
      [400, stats, 'get', await get(`${stats}?days=0`)],
      [403, stats, 'get', await get(stats, frozen)],
      [200, account, 'get', await get(account)],
      [403, account, 'get', await get(account, frozen)],
      [200, account, 'patch', await patch({ phone: '+15555550123' })],
      [400, account, 'patch', await patch('[')],
      [412, account, 'patch', await patch({}, { 'if-match': '"x"' })],
      [413, account, 'patch', await patch('x'.repeat(70_000))],
      [415, account, 'patch', await patch('{}', { 'content-type': 'text/plain' })],
      [422, account, 'patch', await patch({ name: 'X', webhookUrl: 'https://10.0.0.1/' })],
      [200, audit, 'get', await get(audit)],
      [400, audit, 'get', await get(`${audit}?limit=0`)],
      [403, audit, 'get', await get(audit, harbor)],
      [200, sheets, 'get', await get(sheets)],
      [403, sheets, 'get', await get(sheets, frozen)],
      [400, file, 'get', await get(`${file}?from=x`)],
      [403, file, 'get', await get(file, frozen)],
    ] as const;
    expect(answers.map(([, path, , { status }]) => [path, status])).toEqual(
      answers.map(([status, path]) => [path, status]),
    );
    expect(answers.flatMap(([, path, method, answer]) => misfit(path, method, answer))).toEqual([]);
    const { text } = await get(file);
    expect(document.paths[file].get.responses['200'].content['text/csv'].schema.type).toBe('string');
    expect(text.split('\r\n')[0]).toBe(
      document.paths[file].get.responses['200'].content['text/csv'].schema.examples[0].split('\r\n')[0],
    );
    await house.close();
  });

  test('of partners’ tools is as documented', async () => {
    const receiver = await startReceiver({ respond: () => ({ status: 200, body: 'ok' }) });
    const yaml = betaMarketYaml(receiver);
    const house = await startTestMarketplace({ yaml, role: 'api', allowTargets: [receiver.origin] });
    const at = new Date('2026-11-20T17:00:00.000Z');
    const planted = await plantDeliveries(house.database, 'summit', [{ at }, { at, status: 'Pending' }]);
    const [confirmed = '', pending = ''] = planted.map(({ deliveryId }) => typeId('delivery', deliveryId));
    const event = { buyerKey: 'summit', type: 'lead.delivered', subjectId: planted[0]?.deliveryId ?? '' } as const;
    await house.database.tx((tx) => appendBuyerEvents(tx, [event], at));
    const [summit, quiet, plain] = [
      await house.buyerToken('summit'),
      await house.buyerToken('quiet'),
      await house.buyerToken('plain'),
    ];
    const headers = { 'content-type': 'application/json' };
    const [tests, logs, events] = ['test-delivery', 'delivery-logs', 'events'].map(
      (name) => `/api/v1/buyer/${name}`,
    ) as [string, string, string];
    const [timeline, redeliver] = ['timeline', 'redeliver'].map(
      (name) => `/api/v1/buyer/leads/{deliveryId}/${name}`,
    ) as [string, string];
    const post = (path: string, body: string, { id = '', token = summit } = {}) =>
      postAsBuyer(house.url, token, path.replace('{deliveryId}', id), { body, headers });
    const get = (path: string, { id = '', token = summit } = {}) =>
      getAsBuyer(house.url, token, path.replace('{deliveryId}', id));
    const answers = [
      [200, tests, 'post', await post(tests, '{"target":"preview"}')],
      [200, tests, 'post', await post(tests, '{"target":"webhook"}')],
      [409, tests, 'post', await post(tests, '{"target":"webhook"}', { token: quiet })],
      [422, tests, 'post', await post(tests, '{"target":"x","y":1}')],
      [400, tests, 'post', await post(tests, '[')],
      [403, tests, 'post', await post(tests, '{"target":"preview"}', { token: plain })],
      [202, redeliver, 'post', await post(redeliver, '{}', { id: confirmed })],
      [409, redeliver, 'post', await post(redeliver, '{}', { id: pending })],
      [404, redeliver, 'post', await post(redeliver, '{}', { id: 'x' })],
      [422, redeliver, 'post', await post(redeliver, '{"x":1}', { id: confirmed })],
      [200, timeline, 'get', await get(timeline, { id: confirmed })],
      [404, timeline, 'get', await get(timeline, { id: 'x' })],
      [403, timeline, 'get', await get(timeline, { id: 'x', token: plain })],
      [200, logs, 'get', await get(logs)],
      [400, logs, 'get', await get(`${logs}?limit=0`)],
      [200, events, 'get', await get(events)],
      [400, events, 'get', await get(`${events}?after=x`)],
    ] as const;
    expect(answers.map(([, path, , { status }]) => [path, status])).toEqual(
      answers.map(([status, path]) => [path, status]),
    );
    expect(answers.flatMap(([, path, method, answer]) => misfit(path, method, answer))).toEqual([]);
    await house.close();
    await receiver.close();
  });
});

describe('The reference at /docs', () => {
  const SOURCE =
    /(?:src|href|action|data|poster|srcset)\s*=\s*["']?([^"'\s>]+)|url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)/gi;

  test('asks nobody else for anything', async () => {
    for (const path of ['/docs/', '/docs/errors', '/docs/errors/not_found']) {
      const { status, text, headers } = await call(market.url + path);
      expect([path, status]).toEqual([path, 200]);
      const sources = [...text.matchAll(SOURCE)].map(([, one, two, three]) => one ?? two ?? three ?? '');
      for (const source of sources) expect(new URL(source, `${market.url}${path}`).origin).toBe(market.url);
      expect(text).not.toMatch(/https?:\/\/(?!127\.0\.0\.1)/);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain(`default-src 'none'`);
      expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    }
  });

  test('is one page and one script, both of this server', async () => {
    const first = await call(`${market.url}/docs`);
    const page = [301, 302, 307, 308].includes(first.status)
      ? await call(new URL(first.headers.get('location') ?? '', `${market.url}/docs`).href)
      : first;
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    const scripts = [...page.text.matchAll(/<script[^>]*\ssrc="([^"]+)"/g)].map(
      ([, source = '']) => new URL(source, `${market.url}/docs/`).href,
    );
    expect(scripts).toHaveLength(1);
    const script = await call(scripts[0] ?? '');
    expect([script.status, script.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);
    expect(page.text).toContain('"/openapi.json"');
  });
});

/** Reads the tree of routes that the framework prints: four characters of indentation a level, `/path (GET, HEAD)` behind. */
function routesOf(tree: string): Array<{ method: string; path: string }> {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indentation = '', part = '', methods = ''] = /^(.*?)── (\S*)(?: \((.+)\))?$/.exec(line) ?? [];
    const depth = Math.floor(indentation.length / 4);
    above.length = depth;
    above.push(part);
    const path = above.join('');
    return methods.split(', ').flatMap((method) => (method === '' || method === 'HEAD' ? [] : [{ method, path }]));
  });
}
