// Tests that the OpenAPI document describes the service, and the service follows it (contract 8.4). docs/openapi.json is the document as
// committed, so that a change of the API is seen in review; `npm run openapi` rewrites it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { catalogueEntry } from '../../src/platform/http/problem-catalogue.ts';
import { call } from '../support/api-client.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { closedDocument } from '../support/openapi/closed-document.ts';
import { pointerTo, schemaChecker } from '../support/openapi/schema-checker.ts';
import type { Json } from '../support/scope-app.ts';
import { marketYaml } from './market.ts';

type Operation = { readonly path: string; readonly method: string; readonly operation: Json };

const OUTSIDE = /^\/(?:(?:healthz|readyz|metrics|openapi\.json|docs|demo|portal|console|assets)(?:\/|$)|$)/;

let market: TestMarketplace;
let document: Json;
let operations: Operation[];

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
  document = (await call(`${market.url}/openapi.json`)).json;
  operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
});
afterAll(() => market.close());

/** Every schema of the document with its own examples. */
function* examplesIn(node: Json, pointer = ''): Generator<{ pointer: string; example: unknown }> {
  if (node === null || typeof node !== 'object') return;
  if (!Array.isArray(node)) {
    if (Array.isArray(node.examples)) for (const example of node.examples) yield { pointer, example };
    if (Object.hasOwn(node, 'schema') && Object.hasOwn(node, 'example'))
      yield { pointer: `${pointer}/schema`, example: node.example };
  }
  for (const [name, child] of Object.entries(node)) {
    if (name !== 'examples' && name !== 'example') yield* examplesIn(child, pointer + pointerTo(name));
  }
}

describe('docs/openapi.json', () => {
  it('is the document that the service serves', async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../../docs/openapi.json');
  });
});

describe('The OpenAPI document', () => {
  it('has version 3.1', () => {
    expect([document.openapi, document.info.title]).toEqual(['3.1.0', 'Lead Marketplace Partner API']);
  });

  it('names every operation once', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.every((id) => /^[a-z][A-Za-z]+$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes for every operation its purpose, its users and its errors', () => {
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

  it('describes every response', () => {
    const silent = operations.flatMap(({ path, operation }) =>
      Object.entries<Json>(operation.responses)
        .filter(([, { description }]) => description === undefined || description === 'Default Response')
        .map(([status]) => `${path} ${status}`),
    );
    expect(silent).toEqual([]);
  });

  it('gives every member of a schema a type', () => {
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

  it('has a valid example of every response', () => {
    const faults = schemaChecker(closedDocument(document));
    const examples = [...examplesIn(document)];
    expect(examples.length).toBeGreaterThan(100);
    expect(
      examples.flatMap(({ pointer, example }) =>
        faults(pointer, example).map((fault) => ({ pointer, example, fault })),
      ),
    ).toEqual([]);
    const bare = Object.entries<Json>(document.components.schemas).flatMap(([name, schema]) =>
      Object.hasOwn(schema, 'examples') ? [] : [name],
    );
    expect(bare).toEqual([]);
  });

  it('names error pages that exist', async () => {
    const text = JSON.stringify(document);
    const codes = new Set([...text.matchAll(/`([a-z_]+)`: /g)].map(([, code = '']) => code));
    expect(codes.size).toBeGreaterThan(20);
    expect([...codes].filter((code) => catalogueEntry(code) === undefined)).toEqual([]);
    const [code = ''] = codes;
    expect((await call(`${market.url}/docs/errors/${code}`)).status).toBe(200);
  });
});

describe('Every documented operation', () => {
  it('exists, and responds 401 without a credential', async () => {
    for (const { path, method } of operations) {
      const url = market.url + path.replaceAll(/\{[^}]+\}/g, 'x');
      const body = ['POST', 'PATCH', 'PUT'].includes(method) ? {} : undefined;
      const response = await call(url, { method, ...(body === undefined ? {} : { body }) });
      expect([method, path, response.status]).toEqual([method, path, 401]);
    }
  });

  it('includes every route of the API', () => {
    const documented = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{([^}]+)\}/g, ':$1')}`);
    const routes = routesOf(market.runtime.app?.printRoutes({ commonPrefix: false }) ?? '');
    expect(routes.length).toBeGreaterThan(operations.length);
    const api = routes.filter(({ path }) => !OUTSIDE.test(path)).map(({ method, path }) => `${method} ${path}`);
    expect(api.toSorted()).toEqual(documented.toSorted());
  });
});

describe('The reference at /docs', () => {
  const SOURCE =
    /(?:src|href|action|data|poster|srcset)\s*=\s*["']?([^"'\s>]+)|url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)/gi;

  it('loads nothing from other hosts', async () => {
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

  it('is one page and one script, both of this server', async () => {
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

/** Reads the tree of routes that the framework prints: four characters of indentation per level, then `/path (GET, HEAD)`. */
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
