// docs/api.md agrees with the OpenAPI document and the catalogue of codes; `npm run openapi` rewrites the parts of it that are made from
// them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../support/scope-app.ts';
import { withGeneratedParts } from './generated-parts.ts';
import { samplesIn } from './markdown-samples.ts';

const DOCS = join(import.meta.dirname, '../../docs');

let text: string;
let document: Json;

beforeAll(async () => {
  text = await readFile(join(DOCS, 'api.md'), 'utf8');
  document = JSON.parse(await readFile(join(DOCS, 'openapi.json'), 'utf8'));
});

/** Operators' endpoints have a guide of their own. */
const isForIntegrators = (operation: Json): boolean => operation.tags[0] !== 'Operator';

const operations = (): string[] =>
  Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item)
      .filter(([, operation]) => isForIntegrators(operation))
      .map(([method]) => `${method.toUpperCase()} ${path.replaceAll(/\{([^}]+)\}/g, ':$1')}`),
  );

describe('The documents for integrators', () => {
  it('have generated parts in docs/api.md that agree with the OpenAPI document', async () => {
    await expect(withGeneratedParts(text, document)).toMatchFileSnapshot('../../docs/api.md');
  });

  it('have a generated list of operations in docs/operator-api.md, the guide for operators', async () => {
    const guide = await readFile(join(DOCS, 'operator-api.md'), 'utf8');
    await expect(withGeneratedParts(guide, document)).toMatchFileSnapshot('../../docs/operator-api.md');
  });

  it('have exactly one section per endpoint in docs/api.md', () => {
    const sections = [...text.matchAll(/^### `([A-Z]+ \/api\/v1\/[^`]+)`$/gm)].map(([, name = '']) => name);
    expect(sections.toSorted()).toEqual(operations().toSorted());
  });

  it('have statuses and codes for every endpoint in docs/api.md', () => {
    const responses = [...text.matchAll(/^<!-- generated: answers (\w+) -->$/gm)].map(([, id = '']) => id);
    const ids = Object.values<Json>(document.paths).flatMap((item) =>
      Object.values<Json>(item)
        .filter(isForIntegrators)
        .map(({ operationId }) => String(operationId)),
    );
    expect(responses.toSorted()).toEqual(ids.toSorted());
  });

  it('have a sample in every language for every endpoint and for verifying a webhook', () => {
    const samples = samplesIn(text);
    for (const heading of [...operations().map((name) => `\`${name}\``), 'Webhooks']) {
      const languages = samples.filter((sample) => sample.heading === heading).map(({ language }) => language);
      expect([heading, new Set(languages)]).toEqual([heading, new Set(['sh', 'js', 'python', 'php'])]);
    }
  });

  it('have samples that call the endpoint of their section and name the source of `call`', () => {
    for (const { heading, language, code, line } of samplesIn(text)) {
      const path = /^`[A-Z]+ (\/api\/v1\/[^`]+)`$/.exec(heading)?.[1] ?? '';
      const called = new RegExp(path.replaceAll(/:\w+/g, '[^/?]+'));
      expect([line, code]).toEqual([line, expect.stringMatching(called)]);
      const usesCall = language !== 'sh' && /\bcall\(/.test(code);
      expect([line, usesCall, /\bapi(?:\.mjs|\.php| import call)/.test(code)]).toEqual([line, usesCall, usesCall]);
    }
  });

  it('use only variables in the quickstart that its commands have set', async () => {
    const page = await readFile(join(DOCS, 'quickstart.md'), 'utf8');
    const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code).join('');
    const used = [...commands.matchAll(/\$([A-Z_]+)/g)].map(({ index, 1: name = '' }) => ({ name, at: index }));
    expect(used.length).toBeGreaterThan(3);
    for (const { name, at } of used)
      expect([name, commands.slice(0, at).includes(`export ${name}=`)]).toEqual([name, true]);
  });

  it('link only to existing targets', async () => {
    for (const name of ['api.md', 'api-changelog.md', 'operator-api.md']) {
      const page = await readFile(join(DOCS, name), 'utf8');
      const anchors = new Set([...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title)));
      for (const [, target = ''] of page.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (target.startsWith('https://')) continue;
        const [path = '', anchor] = target.split('#');
        const other = path === '' ? null : await readFile(join(DOCS, path), 'utf8');
        const known =
          other === null
            ? anchors
            : new Set([...other.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title)));
        expect([name, target, anchor === undefined || known.has(anchor)]).toEqual([name, target, true]);
      }
    }
  });
});

/** As the usual viewers make them. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
