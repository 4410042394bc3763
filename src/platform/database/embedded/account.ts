// Chooses the system user that runs the embedded server, because PostgreSQL refuses to run as root.
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';

import { engineFailure, errorCode, USE_EXTERNAL } from './engine-failure.ts';

/** Null stands for the user of this process. */
export type Account = { readonly uid: number; readonly gid: number } | null;

export type Finished = { readonly code: number; readonly output: string; readonly errors: string };

// The last one is for NixOS.
const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin';

/** The environment of the server and its tools, without the service's own variables, which may hold secrets. */
export function bareEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { PATH, LC_ALL: 'C', ...more };
}

/** Spawn options of a child process: its user, and a working directory that every user can enter. */
export function spawnAs(account: Account): { uid?: number; gid?: number; cwd: string } {
  return account === null ? { cwd: '/' } : { ...account, cwd: '/' };
}

/** Runs a program to its end. Rejects with the system's error (`code` EACCES, ENOENT, EPERM) when it cannot be started. */
export function run(
  command: string,
  args: readonly string[],
  as: { account: Account; env?: Readonly<Record<string, string>> },
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...spawnAs(as.account),
      env: bareEnvironment(as.env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output, errors }));
  });
}

/**
 * For root: the owner of the database, else of the data directory, else `postgres`, else `nobody`. Never creates a user.
 * An owner without a name can run an existing database but not create one (initdb looks the name up), so it is skipped then.
 */
export async function chooseAccount(directories: { database: string; data: string }): Promise<Account> {
  const here = process.geteuid?.() ?? -1;
  const databaseOwner = await ownerOf(directories.database);
  if (here !== 0) {
    if (databaseOwner !== null && databaseOwner.uid !== here) {
      throw engineFailure(
        `The database in ${directories.database} belongs to user ${databaseOwner.uid}, and this process is user ${here}: run it as that user.`,
      );
    }
    return null;
  }
  if (databaseOwner?.uid === 0) {
    throw engineFailure(
      `The database in ${directories.database} belongs to root, and PostgreSQL does not run as root: give it to the user who made it (chown -R).`,
    );
  }
  if (databaseOwner !== null) return databaseOwner;
  const dataOwner = await ownerOf(directories.data);
  if (dataOwner !== null && dataOwner.uid !== 0 && (await nameOf(dataOwner.uid)) !== null) return dataOwner;
  const known = (await accountNamed('postgres')) ?? (await accountNamed('nobody'));
  if (known === null) {
    throw engineFailure(
      `PostgreSQL does not run as root, and this machine has no user postgres or nobody: run the service as an ordinary user, or ${USE_EXTERNAL}.`,
    );
  }
  return known;
}

/** A warning when other programs share the account: all that run as `nobody` could reach the data. */
export async function sharedAccountNotice(account: Account): Promise<string | null> {
  if (account === null || (await nameOf(account.uid)) !== 'nobody') return null;
  return 'PostgreSQL runs as the user nobody, whose other programs could reach the data: create a user postgres, or give DATA_DIR to a user of its own.';
}

/** Removes a directory tree with that user's rights: as root, a symbolic link placed by that user could lead elsewhere. */
export async function removeAs(account: Account, path: string): Promise<void> {
  await run('rm', ['-rf', '--', path], { account });
}

async function ownerOf(directory: string): Promise<{ uid: number; gid: number } | null> {
  try {
    const { uid, gid } = await stat(directory);
    return { uid, gid };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw engineFailure(`${directory} cannot be read by this user.`, error);
  }
}

async function nameOf(uid: number): Promise<string | null> {
  const { code, output } = await run('id', ['-nu', String(uid)], { account: null });
  return code === 0 ? output.trim() : null;
}

async function accountNamed(name: string): Promise<{ uid: number; gid: number } | null> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name], { account: null })));
  if (uid?.code !== 0 || gid?.code !== 0) return null;
  return { uid: Number(uid.output), gid: Number(gid.output) };
}

/** Whether that user can enter the directory. Tries it, because mounts and access lists count as well. */
export async function canEnter(account: Account, directory: string): Promise<boolean> {
  try {
    return (await run('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { account })).code === 0;
  } catch (cause) {
    throw engineFailure(
      `This process may not start programs as user ${account?.uid ?? 'itself'} (${errorCode(cause)}): run it as an ordinary user, or ${USE_EXTERNAL}.`,
      cause,
    );
  }
}
