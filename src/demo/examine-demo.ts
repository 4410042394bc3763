// Checks for `leadmarket doctor` whether a demo runs, and whether it may.
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database/database.ts';
import type { Finding } from '../platform/finding.ts';
import { demoObstacle } from './demo-terms.rules.ts';

/** An error if DEMO=on runs the demo where other machines may reach it. */
export async function examineDemo(database: Database, config: Config): Promise<Finding> {
  const { demoOrigin } = await readSettings(database);
  const name = 'demo';
  if (demoOrigin === null) return { name, ok: null, detail: 'none' };
  const obstacle = demoObstacle(config);
  if (obstacle !== null)
    return { name, ok: true, detail: `switched off, because ${obstacle}; "demo end" ends it for good` };
  const elsewhere = demoObstacle({ ...config, demo: null });
  const detail = 'on: anyone who can reach the server can use its inbox, links, key and token; "demo end" ends it';
  return { name, ok: elsewhere === null, detail: elsewhere === null ? detail : `${detail} (${elsewhere})` };
}
