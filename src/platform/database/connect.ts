// Finds the database: an external server by DATABASE_URL, else the embedded engine in DATA_DIR (contract 8.1, 8.3).
import type pg from 'pg';

import type { Config } from '../config.ts';
import type { Replica } from './replica.ts';
import { useEmbeddedEngine } from './embedded-engine.ts';

export type ReachedDatabase = {
  readonly connection: pg.ClientConfig;
  readonly isEmbedded: boolean;
  /** Releases an embedded engine; call it after closing every connection. */
  release(): Promise<void>;
};

export async function reachDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
): Promise<ReachedDatabase> {
  if (config.databaseUrl !== null) {
    return {
      connection: { connectionString: config.databaseUrl },
      isEmbedded: false,
      release: () => Promise.resolve(),
    };
  }
  const engine = await useEmbeddedEngine({ dataDir: config.dataDir, log });
  return { connection: engine.connection, isEmbedded: true, release: () => engine.release() };
}

/** Null where none is configured. */
export function replicaOf({
  databaseReplicaUrl,
  replicaLagSeconds,
}: Pick<Config, 'databaseReplicaUrl' | 'replicaLagSeconds'>): Replica | null {
  if (databaseReplicaUrl === null) return null;
  return { connection: { connectionString: databaseReplicaUrl }, lagSeconds: replicaLagSeconds };
}
