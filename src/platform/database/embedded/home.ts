// Finds and creates the directory of an embedded engine: the data directory, or another one if the server's user cannot enter it.
import { createHash, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { access, chmod, lchown, lstat, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { type Account, canEnter, chooseAccount } from './account.ts';
import { engineFailure, errorCode } from './engine-failure.ts';

export type Home = {
  readonly account: Account;
  /** A notice about the directory, logged when the server starts. */
  readonly notice: string | null;
  readonly directory: string;
  /** PGDATA; a real path, because the server's working directory is compared with it. */
  readonly database: string;
  /** The FIFO whose writers are the processes that use the engine. */
  readonly lifeline: string;
  readonly socket: string;
  readonly log: string;
  readonly lock: string;
};

/** For databases whose user cannot enter the data directory, for example in root's own home. */
const ELSEWHERE = '/var/lib/lead-marketplace';
const POINTER = 'postgres-is-in';

/**
 * A socket's full path fits in 108 bytes on Linux and 104 on macOS, with its final zero; `/.s.PGSQL.5432` is 14 of them.
 */
const SOCKET_DIRECTORY_BYTES = process.platform === 'linux' ? 93 : 89;

/** Creates the data directory if it is missing. When root does so, it belongs to the user who runs the server. */
export async function findHome(dataDir: string): Promise<Home> {
  const directory = await makeDataDirectory(resolve(dataDir));
  const pointed = pointedHome(directory);
  const account = await chooseAccount({ database: join(pointed ?? directory, 'postgres'), data: directory });
  if (account === null) return layout(directory, { account });
  const elsewhere = (location: string): string =>
    `User ${account.uid}, who runs PostgreSQL for root, cannot enter ${directory}: the database is in ${location}.`;
  if (pointed !== null) {
    await makeElsewhere(pointed, account);
    return layout(pointed, { account, notice: elsewhere(pointed) });
  }
  await takeOver(directory, account);
  if (await canEnter(account, directory)) return layout(directory, { account });
  if (await exists(join(directory, 'postgres', 'PG_VERSION'))) {
    throw engineFailure(
      `User ${account.uid}, who runs the database in ${directory}, cannot enter that directory: allow it on every directory of the path (chmod o+x), or move the data directory.`,
    );
  }
  const location = pointElsewhere(directory);
  await makeElsewhere(location, account);
  return layout(location, { account, notice: elsewhere(location) });
}

async function makeDataDirectory(wanted: string): Promise<string> {
  try {
    // Only the last directory is private: the server's user has to pass the others.
    await mkdir(dirname(wanted), { recursive: true });
    await mkdir(wanted, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST')
      throw engineFailure(`The data directory ${wanted} cannot be made (${errorCode(error)}).`, error);
  }
  if (!(await stat(wanted)).isDirectory()) throw engineFailure(`The data directory ${wanted} is not a directory.`);
  return realpath(wanted);
}

/** Gives an empty directory of root to the server's user: this process, or one that starts at the same time, has just created it. */
async function takeOver(directory: string, account: NonNullable<Account>): Promise<void> {
  if ((await stat(directory)).uid !== 0 || (await readdir(directory)).length > 0) return;
  await lchown(directory, account.uid, account.gid);
  await chmod(directory, 0o700);
}

async function layout(directory: string, more: { account: Account; notice?: string }): Promise<Home> {
  const database = join(directory, 'postgres');
  return {
    account: more.account,
    notice: more.notice ?? null,
    directory,
    database: (await exists(database)) ? await realpath(database) : database,
    lifeline: join(directory, 'lifeline'),
    socket: socketDirectory(directory),
    log: join(directory, 'postgres.log'),
    lock: join(directory, 'start.lock'),
  };
}

function socketDirectory(directory: string): string {
  const natural = join(directory, 'socket');
  const short = `leadmarket-${digest(directory)}`;
  const fitting = [natural, join(tmpdir(), short), join('/tmp', short)];
  return fitting.find((path) => Buffer.byteLength(path) <= SOCKET_DIRECTORY_BYTES) ?? natural;
}

/** Creates a private directory for the server's user; rejects an existing one with another owner or mode. */
export async function makePrivate(home: Home, directory: string): Promise<void> {
  try {
    await mkdir(directory, { mode: 0o700 });
    await give(home, directory);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST')
      throw engineFailure(`The directory ${directory} cannot be made (${errorCode(error)}).`, error);
  }
  const found = await lstat(directory);
  const owner = home.account?.uid ?? process.geteuid?.();
  if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0) {
    throw engineFailure(`${directory} must be a directory of user ${owner} with mode 700: remove it and start again.`);
  }
}

/** Does not follow links: the other user may be able to change the directory while root changes the owner. */
export async function give(home: Home, path: string): Promise<void> {
  if (home.account !== null) await lchown(path, home.account.uid, home.account.gid);
}

export async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false;
    throw engineFailure(`${path} cannot be read by this user.`, error);
  }
}

/**
 * The data directory stores only the name of the other directory, and only names of this form are accepted: its owner may be an
 * ordinary user, who must not be able to redirect root. A deleted data directory means a new database.
 */
function pointedHome(directory: string): string | null {
  try {
    const name = readFileSync(join(directory, POINTER), 'utf8').trim();
    return /^[0-9a-f]{16}$/.test(name) ? join(ELSEWHERE, name) : null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'EACCES') return null;
    throw error;
  }
}

/** Writes a temporary file and links it: of two concurrent processes both follow the first. */
function pointElsewhere(directory: string): string {
  const name = digest(`${directory} ${randomBytes(16).toString('hex')}`);
  const draft = join(directory, `${POINTER}.${name}`);
  writeFileSync(draft, `${name}\n`, { flag: 'wx' });
  try {
    linkSync(draft, join(directory, POINTER));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  const pointed = pointedHome(directory);
  if (pointed === null)
    throw engineFailure(`${join(directory, POINTER)} is damaged: it must name a directory in ${ELSEWHERE}.`);
  return pointed;
}

async function makeElsewhere(path: string, account: NonNullable<Account>): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  // Users can pass the directory but not list it.
  await chmod(ELSEWHERE, 0o711);
  await lchown(path, account.uid, account.gid);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
