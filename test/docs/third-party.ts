// Finds the packages whose code reaches a user: what the service needs at run time, and what the pages are built of.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readSource } from '../support/tidy/source-text.ts';

export type ThirdParty = {
  readonly name: string;
  readonly version: string;
  /** Where npm puts it, such as `node_modules/ajv`. */
  readonly path: string;
  readonly licence: string | null;
  /** Whether the browser loads it, as part of the pages. */
  readonly isOfPages: boolean;
};

type Locked = {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
};

const ROOT = join(import.meta.dirname, '../..');
/** The package says it in a file only. */
const BY_HAND: Readonly<Record<string, string>> = { 'png-js': 'MIT' };

export async function thirdParties(): Promise<ThirdParty[]> {
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  const ofPages = closure(lock.packages, await packagesOfPages());
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && (dev !== true || ofPages.has(path)))
    .map(([path, { version = '', license }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, path, licence: license ?? BY_HAND[name] ?? null, isOfPages: ofPages.has(path) };
    })
    .toSorted((one, other) => (`${one.name} ${one.version}` < `${other.name} ${other.version}` ? -1 : 1));
}

/** The names of packages that a page imports. */
async function packagesOfPages(): Promise<Set<string>> {
  const files = (await readdir(join(ROOT, 'web'), { recursive: true }))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /^(?:console|portal|ui)\/.*\.tsx?$/.test(path) && !path.endsWith('.test.ts'));
  const imported = await Promise.all(
    files.map(async (path) => readSource(path, await readFile(join(ROOT, 'web', path), 'utf8')).imports),
  );
  const specifiers = imported.flat().filter(({ isType, specifier }) => !isType && /^[@a-z]/.test(specifier));
  return new Set(specifiers.map(({ specifier }) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier));
}

/** The paths in the lockfile of these packages and of all that they need. */
function closure(packages: Readonly<Record<string, Locked>>, names: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const add = (name: string, from: string): void => {
    // As Node looks for it: beside the package that needs it, then in each folder above.
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
      const locked = packages[path];
      if (locked !== undefined) {
        if (found.has(path)) return;
        found.add(path);
        for (const needed of Object.keys(locked.dependencies ?? {})) add(needed, path);
        return;
      }
      if (folder === '') return;
    }
  };
  for (const name of names) add(name, '');
  return found;
}
