// docs/api.md agrees with the OpenAPI document and the catalogue of codes; `npm run openapi` rewrites the parts of it that are made from
// them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

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

const operations = (): string[] =>
  Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{([^}]+)\}/g, ':$1')}`),
  );

test('What can be read off the OpenAPI document is as it says', async () => {
  await expect(withGeneratedParts(text, document)).toMatchFileSnapshot('../../docs/api.md');
});

test('Every endpoint has a section of its own, and there is no other', () => {
  const sections = [...text.matchAll(/^### `([A-Z]+ \/api\/v1\/[^`]+)`$/gm)].map(([, name = '']) => name);
  expect(sections.toSorted()).toEqual(operations().toSorted());
});

test('Every endpoint has its statuses and a sample in curl', () => {
  const samples = samplesIn(text);
  for (const section of text.split(/^### /m).slice(1)) {
    const name = /^`([A-Z]+ \/api\/v1\/[^`]+)`$/m.exec(section)?.[1];
    if (name === undefined) continue;
    expect([name, section.includes('<!-- generated: answers ')]).toEqual([name, true]);
    const ofSection = samples.filter(({ heading, language }) => heading === `\`${name}\`` && language === 'sh');
    expect([name, ofSection.some(({ code }) => code.includes('curl'))]).toEqual([name, true]);
  }
});

test('What integrators do first is shown in every language', () => {
  const languages = (heading: string): string[] =>
    samplesIn(text)
      .filter((sample) => sample.heading === heading)
      .map(({ language }) => language);
  for (const heading of [
    '`POST /api/v1/ingest`',
    '`GET /api/v1/buyer/leads`',
    '`GET /api/v1/buyer/events`',
    '`POST /api/v1/buyer/returns`',
    '`GET /api/v1/buyer/export`',
    'Webhooks',
  ])
    expect([heading, new Set(languages(heading))]).toEqual([heading, new Set(['sh', 'js', 'python', 'php'])]);
});

test('Links lead to what exists', async () => {
  for (const name of ['api.md', 'api-changelog.md']) {
    const page = await readFile(join(DOCS, name), 'utf8');
    const anchors = new Set([...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title)));
    for (const [, target = ''] of page.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (target.startsWith('https://')) continue;
      const [path = '', anchor] = target.split('#');
      const other = path === '' ? null : await readFile(join(DOCS, path), 'utf8');
      const known =
        other === null ? anchors : new Set([...other.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title)));
      expect([name, target, anchor === undefined || known.has(anchor)]).toEqual([name, target, true]);
    }
  }
});

/** As the usual viewers make them. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
