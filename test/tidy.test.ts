// The house's habits as tests: each says which file and line breaks which rule, and why the rule is there.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { deadCitations, sectionsOf } from './support/tidy/citations.ts';
import { codeRules } from './support/tidy/code-rules.ts';
import { importRules } from './support/tidy/import-rules.ts';
import { marketplacesPerTest } from './support/tidy/marketplace-rules.ts';
import { migrationComplaints, OLDER_THAN_THE_RULE } from './support/tidy/migration-rules.ts';
import { findNewerSql } from './support/tidy/newer-sql.ts';
import { inCode, isSchema, type Rule } from './support/tidy/rule.ts';
import { lineAt, readSource, type SourceFile } from './support/tidy/source-text.ts';
import { replacedPhrases, replacedWords } from './support/tidy/word-rules.ts';

const ROOT = join(import.meta.dirname, '..');
const RULES = [...importRules, ...codeRules].map((rule) => [rule.says, rule] as const);

// What is never part of the project: .gitignore names the same.
const LEFT_OUT = /^(?:\.git|node_modules|data|dist|coverage)$|^\.env$|\.log$/;

// What can hold a comment, and the command, which has no ending.
const CITING = /\.(?:[cm]?[jt]sx?|css|html|md|ya?ml|sh|php)$|^bin\/leadmarket$/;

let paths: string[];
let sources: Map<string, SourceFile>;

beforeAll(async () => {
  paths = (await walk(ROOT)).toSorted();
  const files = paths.filter((path) => path.startsWith('src/') && path.endsWith('.ts'));
  sources = new Map(await Promise.all(files.map(async (path) => [path, await sourceOf(path)] as const)));
});

async function walk(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !LEFT_OUT.test(name));
  const found = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return walk(path);
    return entry.isFile() ? [relative(ROOT, path).replaceAll('\\', '/')] : [];
  });
  return (await Promise.all(found)).flat();
}

function read(path: string): Promise<string> {
  return readFile(join(ROOT, path), 'utf8');
}

const parsed = new Map<string, Promise<SourceFile>>();

/** Each file is parsed once: many rules read all of them. */
function sourceOf(path: string): Promise<SourceFile> {
  const known = parsed.get(path) ?? read(path).then((text) => readSource(path, text));
  parsed.set(path, known);
  return known;
}

function complaints(rule: Rule, file: SourceFile, files: ReadonlyMap<string, SourceFile>): string[] {
  return [...rule.find(file, files)].map(
    ({ at, found }) => `${file.path}:${lineAt(file.text, at)}: ${found} (${rule.says}: ${rule.because})`,
  );
}

describe('The source code in src', () => {
  it.each(RULES)('%s', (_, rule) => {
    const found = [...sources.values()].flatMap((file) => complaints(rule, file, sources));
    expect(found).toEqual([]);
  });

  it.each(RULES)('reports a file that breaks the rule: %s', (_, rule) => {
    const files = new Map(Object.entries(rule.offender).map(([path, text]) => [path, readSource(path, text)]));
    const [first] = files.values();
    expect(first === undefined ? [] : complaints(rule, first, files)).not.toEqual([]);
  });
});

describe('The files beside src', () => {
  it('use the words of the field in names and pages, and no replaced words', async () => {
    const found = await Promise.all(
      paths
        .filter((path) => /^(?:src|web|test|bench)\/.*\.tsx?$/.test(path))
        .map(async (path) => {
          const file = await sourceOf(path);
          return replacedWords(file).map(
            ({ at, found: word, instead }) => `${path}:${lineAt(file.text, at)}: ${word}: say ${instead}`,
          );
        }),
    );
    expect(found.flat()).toEqual([]);
    const offender = readSource('src/leads/lead.ts', 'export const readStanding = (wish: OfferStandings) => wish;');
    expect(replacedWords(offender)).toHaveLength(4);
  });

  it('say on pages and in messages what users understand', async () => {
    const found = await Promise.all(
      paths
        .filter((path) => /^(?:src|web)\/.*\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
        .map(async (path) => {
          const file = await sourceOf(path);
          return replacedPhrases(file).map(
            ({ at, found: phrase, instead }) => `${path}:${lineAt(file.text, at)}: ${phrase}: say ${instead}`,
          );
        }),
    );
    expect(found.flat()).toEqual([]);
    const page = 'export const A = () => <p title="Whose">The decision on paper. Your e-mail.</p>;';
    expect(replacedPhrases(readSource('web/ui/a.tsx', page))).toHaveLength(4);
    const partnerPage = `export const A = () => <p title="Revenue">Payout</p>;`;
    expect(replacedPhrases(readSource('web/portal/buyer/a.tsx', partnerPage))).toHaveLength(2);
    expect(replacedPhrases(readSource('web/console/a.tsx', partnerPage))).toEqual([]);
  });

  it('number migrations from 0001 without gaps', () => {
    const names = paths
      .filter((path) => path.startsWith('migrations/'))
      .map((path) => path.slice('migrations/'.length));
    const numbers = names.map((name) => /^(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.sql$/.exec(name)?.[1] ?? name);
    expect(numbers).toEqual(names.map((_, index) => String(index + 1).padStart(4, '0')));
  });

  it('have migrations that only add and lock no table for long, or say why not', async () => {
    const migrations = paths.filter((path) => Number(/^migrations\/(\d{4})-/.exec(path)?.[1]) > OLDER_THAN_THE_RULE);
    const found = await Promise.all(
      migrations.map(async (path) =>
        migrationComplaints(await read(path)).map(({ statement, says }) => `${path}: ${says}: ${statement}`),
      ),
    );
    // CONTRIBUTING.md, "Migrations", has the two notes that allow it.
    expect(found.flat()).toEqual([]);
  });

  it('have only SQL that PostgreSQL 15 understands in migrations and other files of SQL', async () => {
    // The benchmark's plain program runs on the embedded PostgreSQL only.
    const files = paths.filter((path) => path.endsWith('.sql') && !path.startsWith('bench/'));
    const found = await Promise.all(
      files.map(async (path) => {
        const text = await read(path);
        return findNewerSql(text).map(
          ({ at, found: what, since }) => `${path}:${lineAt(text, at)}: ${what}: PostgreSQL ${since} and newer`,
        );
      }),
    );
    expect(files).toEqual(expect.arrayContaining(['migrations/0061-claim-files.sql', 'ops/roles.sql', 'schema.sql']));
    expect(found.flat()).toEqual([]);
  });

  it('have migrations that never ask the server for the time', async () => {
    const rule = codeRules.find(({ says }) => says.includes('for the time'));
    const migrations = paths.filter((path) => path.startsWith('migrations/'));
    const found = await Promise.all(
      migrations.map(async (path) => {
        const text = (await read(path)).replaceAll(/--.*/g, '');
        const asLiteral = { path, text, code: '', literals: [{ at: 0, text }], imports: [] };
        return [...(rule?.find(asLiteral, new Map()) ?? [])].map(({ found: what }) => `${path}: ${what}`);
      }),
    );
    expect(found.flat()).toEqual([]);
  });

  it('every test is in a describe block, whose title begins the sentence that a failure report shows', async () => {
    const tests = paths.filter((path) => /^(?:src|web|test)\/.*\.test\.tsx?$/.test(path));
    const found = await Promise.all(tests.map(async (path) => testsOutsideDescribe(await sourceOf(path))));
    expect(found.flat()).toEqual([]);
    const offender = readSource('src/a.test.ts', "describe('a', () => {\n  it('b', b);\n});\nit.each([1])('%i', c);");
    expect(testsOutsideDescribe(offender)).toEqual(['src/a.test.ts:4']);
  });

  it('tests of one file share a marketplace, or say why they cannot', async () => {
    const tests = paths.filter((path) => /^(?:src|test)\/.*\.test\.ts$/.test(path));
    const found = await Promise.all(
      tests.map(async (path) => marketplacesPerTest(path, await read(path)).map((line) => `${path}:${line}`)),
    );
    // `// Own marketplace: WHY` right above the test, the call or a function of the file allows it.
    expect(found.flat()).toEqual([]);
  });

  // A busy machine needs more than whoever wrote the test, and the limit of all tests grows with ROOM.
  it('tests have no time limit of their own, unless it is longer than that of all', async () => {
    const tests = paths.filter((path) => /\.test\.tsx?$/.test(path));
    const found = await Promise.all(
      tests.map(async (path) =>
        [...(await sourceOf(path)).code.matchAll(/^ *\}, ([\d_]+)\);|\btimeout: ([\d_]+)(?= \},? (?:async|\())/gm)]
          .filter(([, hook = '', option = hook]) => Number(option.replaceAll('_', '')) <= 600_000)
          .map(([text]) => `${path}: ${text.trim()}`),
      ),
    );
    expect(found.flat()).toEqual([]);
  });

  it('tests, benchmarks and examples have no default exports', async () => {
    const others = paths.filter((path) => /^(?:test|bench|examples)\/.*\.ts$/.test(path));
    const found = await Promise.all(
      others.map(async (path) => (/\bexport\s+default\b/.test((await sourceOf(path)).code) ? [path] : [])),
    );
    expect(found.flat()).toEqual([]);
  });

  it('pages take nothing from src but the types of schema files', async () => {
    const pages = paths.filter((path) => /^web\/(?:ui|portal|console)\/.*\.tsx?$/.test(path));
    const found = await Promise.all(pages.map(async (path) => runtimeImports(await sourceOf(path))));
    expect(found.flat()).toEqual([]);
  });

  it.each([
    `import { ClaimSchema } from '../../src/portal/buyer/claims.schema.ts';`,
    `import type { Claim } from '../../src/claims/claim.ts';`,
  ])('a page that takes more from src than types of schema files is noticed: %s', (text) => {
    expect(runtimeImports(readSource('web/portal/portal-api.ts', text))).toHaveLength(1);
  });

  it('decision records have their four headings, 20 to 90 lines and a number of their own', async () => {
    const records = paths.filter((path) => path.startsWith('docs/decisions/'));
    const found = await Promise.all(records.map(async (path) => faultsOfRecord(path, await read(path))));
    const numbers = records.map((path) => path.slice('docs/decisions/'.length, 'docs/decisions/NNN'.length));
    const twice = numbers.filter((number, index) => numbers.indexOf(number) !== index);
    expect([
      ...found.flat(),
      ...twice.map((number) => `docs/decisions/${number}-*.md: the number is taken twice`),
    ]).toEqual([]);
  });

  it('the contract numbers its sections in order, each once', async () => {
    const sections = sectionsOf(await read('docs/contract.md'));
    const inOrder = [...new Set(sections)].toSorted((left, right) =>
      left.localeCompare(right, 'en', { numeric: true }),
    );
    expect(sections.length).toBeGreaterThan(50);
    expect(sections).toEqual(inOrder);
  });

  it('comments and documents cite sections that docs/contract.md has, and no document outside of the repository', async () => {
    const sections = new Set(sectionsOf(await read('docs/contract.md')));
    // Migrations cannot be changed once they have landed.
    const cited = paths.filter(
      (path) => CITING.test(path) && !/^(?:migrations|bench\/results|sdk\/typescript)\//.test(path),
    );
    const found = await Promise.all(
      cited.map(async (path) => {
        const text = await read(path);
        return deadCitations(path, text, sections).map((dead) => `${path}:${lineAt(text, dead.at)}: ${dead.found}`);
      }),
    );
    expect(found.flat()).toEqual([]);
  });

  it.each([
    ['src/leads/ingest-lead.ts', '// Reads a lead (contract 9.9).'],
    ['src/leads/ingest-lead.ts', 'const limit = 5;\t// Contract 3.4, 3.99'],
    ['src/leads/ingest-lead.ts', '// Reads a lead, and stores it as text (contract\n// 3.4 and 7.99).'],
    ['src/leads/ingest-lead.ts', '/**\n * Milliseconds (contract 3.1 to 3.99).\n */'],
    ['src/leads/ingest-lead.ts', '// Reads a lead (contract 3.4; source 2.5).'],
    ['src/leads/ingest-lead.ts', '// Reads a lead (design: engine).'],
    ['src/leads/ingest-lead.ts', '// Reads a lead (contract 3.4; house, transactions).'],
    ['web/ui/page.tsx', '/** The five members of the source document. */'],
    ['test/routing/scenarios/caps.yaml', '# Caps are counted by day (contract 4.99).'],
    ['docs/api.md', 'See contract 99.'],
    ['docs/glossary.md', '- **Cap**: a limit. (4.5, 6.99)'],
  ])('a dead citation in %s is noticed: %j', (path, text) => {
    const sections = new Set(['3', '3.1', '3.4', '4.5']);
    expect(deadCitations(path, text, sections)).toHaveLength(1);
  });

  it('the README’s "Follow one lead" names at most ten files, all of which exist', async () => {
    const section = /^## Follow one lead\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(await read('README.md'))?.[1] ?? '';
    const named = [
      ...new Set([...section.matchAll(/(?:src|test|bench|docs|examples)\/[\w./-]*\w/g)].map(([path]) => path)),
    ];
    expect(named, 'README.md has a section "## Follow one lead" that names files').not.toEqual([]);
    expect(named.length).toBeLessThanOrEqual(10);
    expect(named.filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('.env.example names every variable that the configuration reads', async () => {
    const files = ['src/platform/config.ts', 'src/platform/tracing/tracing-config.rules.ts'];
    const readers = await Promise.all(files.map(sourceOf));
    const variables = new Set(
      readers
        .flatMap(({ literals }) => literals)
        .map(({ text }) => text)
        .filter((text) => /^[A-Z][A-Z_]*[A-Z]$/.test(text)),
    );
    const named = [...(await read('.env.example')).matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1] ?? '');
    expect(named.toSorted()).toEqual([...variables].toSorted());
  });

  it('no file knows the machine it was written on or the registry its packages came from', async () => {
    const words = /\/(?:work|farm)\/|registry\.(?:npmjs|yarnpkg|npmmirror)\.|"resolved"\s*:/;
    const binary = /\.(?:png|jpg|gif|ico|woff2?|gz|zip|p12)$/;
    const found = await Promise.all(
      paths
        .filter((path) => !binary.test(path))
        .map(async (path) => {
          const lines = (await read(path)).split('\n');
          return lines.flatMap((line, index) =>
            words.test(line) ? [`${path}:${index + 1}: ${words.exec(line)?.[0]}`] : [],
          );
        }),
    );
    expect(found.flat()).toEqual([]);
  });
});

/** The imports of a page from `src/` that do not vanish when it is built, or are of no schema file. */
function runtimeImports({ path, imports }: SourceFile): string[] {
  return imports
    .filter(({ specifier }) => specifier.includes('../src/'))
    .filter(({ specifier, isType }) => !isType || !isSchema(specifier))
    .map(({ specifier }) => `${path}: ${specifier}`);
}

/** The tests at the top level of a file, which the formatter begins in the first column. */
function testsOutsideDescribe(file: SourceFile): string[] {
  return inCode(file, /^(?:it|test)\b(?=[.(])/gm).map(({ at }) => `${file.path}:${lineAt(file.text, at)}`);
}

function faultsOfRecord(path: string, text: string): string[] {
  const lines = text.trimEnd().split('\n').length;
  const headings = [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1]);
  const missing = ['Context', 'Decision', 'Consequences', 'Alternatives'].filter(
    (heading) => !headings.includes(heading),
  );
  return [
    ...(/\/\d{3}-[a-z0-9-]+\.md$/.test(path) ? [] : [`${path}: is not named NNN-title.md`]),
    ...(lines >= 20 && lines <= 90 ? [] : [`${path}: has ${lines} lines, not 20 to 90`]),
    ...missing.map((heading) => `${path}: has no heading "## ${heading}"`),
  ];
}
