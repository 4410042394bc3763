// Each script of package.json and each file that operators use is tried in every run of all tests: forms.ts says by what.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { FILES, type Form, SCRIPTS } from './forms.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** Files that operators and developers use as they are. */
const FOLDERS = ['.ci', '.githooks', 'bench/sections', 'bin', 'examples', 'ops'];
const ROOT_FILES = /^(?:compose.*\.yaml|Dockerfile.*)$/;

/** What `npm test` runs before the tests: programs with their arguments, or other scripts. */
const checks = read('test/checks.ts');
const quoted = (command: string): string =>
  command
    .split(' ')
    .map((word) => `'${word}'`)
    .join(', ');

function isPartOfTest(name: string, command: string): boolean {
  const runs = (program: string): boolean => checks.includes(`${quoted(program)}]`);
  return name === 'test' || runs(`npm run --silent ${name}`) || command.split(' && ').every(runs);
}

/** Null if the test is there, in a file that Vitest runs. */
function faultOf({ by, test }: Omit<Form, 'of'>): string | null {
  if (!by.endsWith('.test.ts') || !existsSync(join(ROOT, by))) return `${by} is no file of tests`;
  const isTitle = [`'${test}`, `"${test}`, `\`${test}`].some((title) => read(by).includes(title));
  return isTitle && test !== '' ? null : `${by} has no test “${test}…”`;
}

function files(): string[] {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(ROOT.length + 1)
          .replaceAll('\\', '/'),
      ),
  );
  return [...inFolders, ...readdirSync(ROOT).filter((name) => ROOT_FILES.test(name))].toSorted();
}

const isOf = ({ of }: Form, file: string): boolean => (of.endsWith('/') ? file.startsWith(of) : file === of);

describe('The scripts of package.json', () => {
  it('run as npm test the checks and the tests', () => {
    expect(scripts['test']).toBe('node test/checks.ts && vitest run');
  });

  it('are one of these checks, or tried by a test', () => {
    const others = Object.entries(scripts).filter(([name, command]) => !isPartOfTest(name, command));
    expect(Object.keys(SCRIPTS).toSorted()).toEqual(others.map(([name]) => name).toSorted());
    expect(Object.values(SCRIPTS).map(faultOf).filter(Boolean)).toEqual([]);
  });

  it('name files and scripts that exist', () => {
    for (const [name, command] of Object.entries(scripts)) {
      for (const [path = ''] of command.matchAll(/(?<![\w/])(?:\.\/)?(?:bench|bin|docs|ops|test|web)\/[\w./-]+/g)) {
        expect(existsSync(join(ROOT, path)), `${name} names ${path}`).toBe(true);
      }
      for (const [, called = ''] of command.matchAll(/npm run --silent (\S+)/g)) {
        expect(Object.keys(scripts), `${name} calls ${called}`).toContain(called);
      }
    }
  });
});

describe('The files that operators and developers use', () => {
  it('are tried by a test', () => {
    expect(files().length).toBeGreaterThan(50);
    expect(files().filter((file) => !FILES.some((form) => isOf(form, file)))).toEqual([]);
    expect(FILES.map(faultOf).filter(Boolean)).toEqual([]);
  });

  it('are there for each row of the table', () => {
    expect(FILES.filter((form) => !files().some((file) => isOf(form, file))).map(({ of }) => of)).toEqual([]);
  });
});
