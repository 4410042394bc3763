// Tidy rules on imports between folders.
import { posix } from 'node:path';

import { isComposition, isKnownLayer, layerOf, mayImport } from './layers.ts';
import { isChannel, isEntryPoint, isRules, isSchema, isSql, isTest, type Offence, type Rule } from './rule.ts';
import type { SourceFile } from './source-text.ts';

type Sources = ReadonlyMap<string, SourceFile>;

const isOwn = (specifier: string): boolean => specifier.startsWith('.');
const isNode = (specifier: string): boolean => specifier.startsWith('node:');
const isPackage = (specifier: string): boolean => !isOwn(specifier) && !isNode(specifier);

/** The path of an import of a project file. */
function resolve(file: SourceFile, specifier: string): string {
  return posix.join(posix.dirname(file.path), specifier);
}

/** Imports of production code that a predicate rejects. */
function imports(file: SourceFile, objects: (specifier: string, target: string) => boolean): Offence[] {
  if (isTest(file.path)) return [];
  return file.imports
    .filter(({ specifier }) => objects(specifier, isOwn(specifier) ? resolve(file, specifier) : specifier))
    .map(({ at, specifier }) => ({ at, found: specifier }));
}

// Pure although they come from Node: hashing its argument, and stopping when an assumption is broken.
const PURE_NODE: Readonly<Record<string, RegExp>> = {
  'node:crypto': /^\s*\{(?:\s*(?:hash|createHash|createHmac|timingSafeEqual)\s*,?)+\}\s*$/,
  'node:assert': /^/,
};

const IMPURE_PACKAGES = /^(?:croner|fastify|pg|pino|undici|@fastify\/.*|@prometheus-io\/.*)$/;

/** The chain of value imports from a rules or schema file to an impure module; null if there is none. */
function wayOut(file: SourceFile, files: Sources, seen: Set<string>): string | null {
  seen.add(file.path);
  for (const { specifier, clause, isType } of file.imports) {
    if (isType) continue;
    if (
      isNode(specifier)
        ? PURE_NODE[specifier]?.test(clause) !== true && !isBase(file.path)
        : IMPURE_PACKAGES.test(specifier)
    ) {
      return `${file.path} → ${specifier}`;
    }
    if (!isOwn(specifier)) continue;
    const target = resolve(file, specifier);
    if (isSql(target) || isEntryPoint(target) || isChannel(target)) return `${file.path} → ${target}`;
    if (layerOf(target) === 'platform' && layerOf(file.path) !== 'platform' && !isRules(target) && !isSchema(target))
      return `${file.path} → ${target}`;
    const next = files.get(target);
    const further = next === undefined || seen.has(target) ? null : wayOut(next, files, seen);
    if (further !== null) return further;
  }
  return null;
}

/** The chain of imports, types included, from a file back to itself; null where there is none. */
function circle(from: string, at: string, files: Sources, seen: Set<string>): string | null {
  const file = files.get(at);
  if (file === undefined || seen.has(at)) return null;
  seen.add(at);
  for (const { specifier } of file.imports.filter((found) => isOwn(found.specifier))) {
    const target = resolve(file, specifier);
    if (target === from) return `${at} → ${from}`;
    const further = circle(from, target, files, seen);
    if (further !== null) return `${at} → ${further}`;
  }
  return null;
}

const isBase = (path: string): boolean => path.startsWith('src/base/');

export const importRules: readonly Rule[] = [
  {
    says: 'a folder of src imports only from folders before it in layers.ts',
    because: 'a slice can then be read without those after it; work for a later slice is left as a job (src/jobs.ts)',
    find(file) {
      const layer = layerOf(file.path);
      if (!isKnownLayer(layer)) return [{ at: 0, found: `src/${layer} has no place in test/support/tidy/layers.ts` }];
      return imports(
        file,
        (specifier, target) => isOwn(specifier) && target.startsWith('src/') && !mayImport(layer, layerOf(target)),
      );
    },
    offender: { 'src/leads/ingest-lead.ts': `import { choose } from '../routing/choose.rules.ts';` },
  },
  {
    says: 'src imports nothing of ours from outside of src',
    because: 'tests, benchmarks and examples are no part of what runs at an operator’s',
    find: (file) => imports(file, (specifier, target) => isOwn(specifier) && !/^(?:src|package\.json)/.test(target)),
    offender: { 'src/leads/ingest-lead.ts': `import { createTestDatabase } from '../../test/support/database.ts';` },
  },
  {
    says: 'base imports no package but Temporal, and no I/O of Node',
    because: 'everything stands on base, so it has to be possible everywhere',
    find(file) {
      if (!isBase(file.path)) return [];
      return imports(file, (specifier) => {
        if (isNode(specifier)) return !['node:crypto', 'node:assert'].includes(specifier);
        // The sole exception: calendars and time zones must not be reimplemented.
        return isPackage(specifier) && !(file.path === 'src/base/temporal.ts' && specifier === 'temporal-polyfill');
      });
    },
    offender: { 'src/base/money.ts': `import { readFile } from 'node:fs/promises';` },
  },
  {
    says: 'jobs.ts imports only base',
    because: 'it is what every slice may name, so it may name none',
    find: (file) => (file.path === 'src/jobs.ts' ? imports(file, (_, target) => !isBase(target)) : []),
    offender: { 'src/jobs.ts': `import type { Lead } from './leads/lead.ts';` },
  },
  {
    says: 'SQL, entry points and channels are private to their folder',
    because: 'another slice may use what a slice decides and does, not how it stores, speaks or is called',
    find(file) {
      const layer = layerOf(file.path);
      // The composition registers entry points and opens channels; HTTP has no business with channels.
      const isWiring = isComposition(layer);
      return imports(file, (specifier, target) => {
        if (!isOwn(specifier) || layerOf(target) === layer) return false;
        if (isChannel(target)) return layer !== 'app' || file.path === 'src/app/api.ts';
        return isSql(target) || (isEntryPoint(target) && !isWiring);
      });
    },
    offender: { 'src/routing/route-leads.ts': `import { insertLead } from '../leads/lead.sql.ts';` },
  },
  {
    says: 'a rules file reaches nothing but pure code',
    because: 'rules are tested by tables of cases alone, which is only true of code that hears and says nothing else',
    find(file, files) {
      const way = isRules(file.path) ? wayOut(file, files, new Set()) : null;
      return way === null ? [] : [{ at: 0, found: way }];
    },
    offender: {
      'src/leads/score-lead.rules.ts': `import { weights } from './weights.ts';`,
      'src/leads/weights.ts': `import { readFileSync } from 'node:fs';`,
    },
  },
  {
    says: 'a schema file reaches nothing but pure code',
    because: 'the pages take its types, and what those bring along has to be possible in a browser',
    find(file, files) {
      const way = isSchema(file.path) ? wayOut(file, files, new Set()) : null;
      return way === null ? [] : [{ at: 0, found: way }];
    },
    offender: { 'src/portal/buyer/claims.schema.ts': `import { readClaim } from '../../claims/claim.sql.ts';` },
  },
  {
    says: 'no file imports itself through others, not even for a type',
    because: 'of two files that need each other neither can be read, moved or tested first',
    find(file, files) {
      const found = circle(file.path, file.path, files, new Set());
      return found === null ? [] : [{ at: 0, found }];
    },
    offender: {
      'src/leads/lead.ts': `import { settle } from './settle-lead.ts';`,
      'src/leads/settle-lead.ts': `import type { Lead } from './lead.ts';`,
    },
  },
  {
    says: 'only routes, the composition and the HTTP platform know Fastify',
    because: 'an operation that knows no HTTP can be called by a job, a command and a test',
    find(file) {
      const mayKnow =
        file.path.endsWith('.route.ts') || file.path.startsWith('src/platform/') || isComposition(layerOf(file.path));
      return mayKnow ? [] : imports(file, (specifier) => /^(?:fastify$|@fastify\/)/.test(specifier));
    },
    offender: { 'src/leads/ingest-lead.ts': `import type { FastifyRequest } from 'fastify';` },
  },
];
