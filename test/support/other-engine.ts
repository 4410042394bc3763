// Starts a PostgreSQL of another version than the embedded one for a test run, from a folder of its programs.
import { closeSync, existsSync, fchownSync, openSync } from 'node:fs';
import { join } from 'node:path';

import { run } from '../../src/platform/database/embedded/account.ts';
import { type Connection, SUPERUSER } from '../../src/platform/database/embedded/connection.ts';
import { findHome, makePrivate } from '../../src/platform/database/embedded/home.ts';
import { startWatcher } from '../../src/platform/database/embedded/lifeline.ts';
import { letGo, whenReady } from '../../src/platform/database/embedded/server.ts';

export type OtherEngine = { readonly connection: Connection; release(): Promise<void> };

/** Like the embedded engine it runs as another user for root, and stops when the process that started it has been killed. */
export async function startOtherEngine(
  programs: string,
  directory: string,
  settings: Readonly<Record<string, string>>,
): Promise<OtherEngine> {
  if (!existsSync(join(programs, 'initdb'))) {
    throw new Error(`No PostgreSQL in ${programs}: as root, test/support/install-for-tests.sh installs Debian's.`);
  }
  const home = await findHome(directory);
  for (const folder of [home.database, home.socket]) await makePrivate(home, folder);
  const made = await run(
    join(programs, 'initdb'),
    ['-D', home.database, `--username=${SUPERUSER}`, '--encoding=UTF8', '--locale=C', '--auth=trust', '--no-sync'],
    { account: home.account },
  );
  if (made.code !== 0) throw new Error(`${programs}/initdb failed: ${made.errors}`);
  const flags = {
    ...settings,
    listen_addresses: '',
    unix_socket_directories: home.socket,
    timezone: 'UTC',
    jit: 'off',
  };
  const log = openSync(home.log, 'a', 0o600);
  try {
    if (home.account !== null) fchownSync(log, home.account.uid, home.account.gid);
    const command = [join(programs, 'postgres'), '-D', home.database];
    for (const [name, value] of Object.entries(flags)) command.push('-c', `${name}=${value}`);
    const hold = await startWatcher(home, { command, env: {}, log });
    const running = await whenReady(home, hold, { found: false, log: () => undefined });
    if (running === null) throw new Error(`${programs}/postgres ended while it was starting: ${home.log}`);
    return { connection: running.connection, release: () => letGo(home, hold) };
  } finally {
    closeSync(log);
  }
}
