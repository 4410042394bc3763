// What `doctor` says of the demo: whether one is at work, and for whom (decision 035).
import { readSettings } from '../marketplace/read-settings.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database/database.ts';
import type { Finding } from '../platform/doctor.ts';
import { demoObstacle } from './demo-terms.rules.ts';

/** Wrong where DEMO=on insists on it at a place where others may reach it. */
export async function examineDemo(database: Database, config: Config): Promise<Finding> {
  const { demoOrigin } = await readSettings(database);
  const name = 'demo';
  if (demoOrigin === null) return { name, ok: null, detail: 'none' };
  const obstacle = demoObstacle(config);
  if (obstacle !== null)
    return { name, ok: true, detail: `switched off, because ${obstacle}; "demo end" ends it for good` };
  const elsewhere = demoObstacle({ ...config, demo: null });
  const detail = 'on: whoever reaches the server can use its inbox, links, key and token; "demo end" ends it';
  return { name, ok: elsewhere === null, detail: elsewhere === null ? detail : `${detail} (${elsewhere})` };
}
