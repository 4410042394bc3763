// Creates the database directory if it is missing, and rejects one of another PostgreSQL version.
import { open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { removeAs, run } from './account.ts';
import type { Binaries } from './binaries.ts';
import { SUPERUSER } from './connection.ts';
import { engineFailure, errorCode, USE_EXTERNAL } from './engine-failure.ts';
import { exists, type Home, makePrivate } from './home.ts';

/** The same text order and character set on every machine, independent of its locales. */
const INITDB = [
  `--username=${SUPERUSER}`,
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  // Access is controlled by the permissions of the socket's directory.
  '--auth-local=trust',
  '--auth-host=reject',
  '--no-instructions',
];

/** Requires the start lock. */
export async function prepareCluster(home: Home, binaries: Binaries, log: (message: string) => void): Promise<void> {
  const found = await versionOf(home.database);
  if (found === null) {
    log(`Creating a new database in ${home.database}.`);
    await initialise(home, binaries);
  } else if (found !== binaries.major) {
    throw engineFailure(
      `The database in ${home.database} was created by PostgreSQL ${found}, but this program includes PostgreSQL ${binaries.major}. ` +
        `Start the program's earlier version on it and move the data to another server, then ${USE_EXTERNAL}.`,
    );
  }
}

async function versionOf(database: string): Promise<number | null> {
  if (!(await exists(database))) return null;
  try {
    return Number.parseInt(await readFile(join(database, 'PG_VERSION'), 'utf8'), 10);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw engineFailure(`${database} cannot be read (${errorCode(error)}).`, error);
  }
  if ((await readdir(database)).length === 0) return null;
  throw engineFailure(`${database} is not empty and holds no database: move it away and start again.`);
}

/** Creates the database under a temporary name and renames it when complete: a killed process leaves no incomplete database. */
async function initialise(home: Home, binaries: Binaries): Promise<void> {
  for (const name of await readdir(home.directory)) {
    // An initdb whose parent was killed may still be writing into its draft; the next start removes the rest.
    if (name.startsWith('postgres.new-')) await removeAs(home.account, join(home.directory, name));
  }
  const draft = join(home.directory, `postgres.new-${process.pid}-${Date.now()}`);
  await makePrivate(home, draft);
  const { code, errors } = await run(binaries.initdb, ['-D', draft, ...INITDB], {
    account: home.account,
    env: binaries.env,
  });
  if (code !== 0) {
    await removeAs(home.account, draft);
    throw initdbFailure(home, errors);
  }
  await rename(draft, home.database);
  await syncDirectory(home.directory);
}

function initdbFailure(home: Home, errors: string): Error {
  if (errors.includes('could not look up effective user ID')) {
    const uid = home.account?.uid ?? process.geteuid?.();
    return engineFailure(
      `User ${uid} has no line in /etc/passwd, and PostgreSQL makes no database for a user without a name: run the service as a user of this machine (in a container: one of its image), or ${USE_EXTERNAL}.`,
    );
  }
  return engineFailure(
    `The database in ${home.database} could not be made: ${errors.trim().split('\n').slice(-5).join(' ')}`,
  );
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
