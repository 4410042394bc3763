// Checks for `leadmarket doctor` the folder of an embedded database: free space, and whether other users may enter it.
import { stat, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { Config } from './config.ts';
import type { Finding } from './finding.ts';
import { judgeStorage } from './storage.rules.ts';

export async function examineStorage({ databaseUrl, dataDir }: Config): Promise<Finding> {
  const name = 'data folder';
  if (databaseUrl !== null) return { name, ok: null, detail: 'none: DATABASE_URL names a server' };
  const folder = resolve(dataDir);
  try {
    const [{ mode }, { bavail, bsize }] = await Promise.all([stat(folder), statfs(folder)]);
    return { name, ...judgeStorage({ folder, freeBytes: bavail * bsize, mode }) };
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
