// What a server does about the demo when it starts: loads it where it may be and nothing is there yet, lets its inboxes follow, and says
// whether one is at work (decision 035).
import type { Logger } from 'pino';

import { readSettings } from '../marketplace/read-settings.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database/database.ts';
import { demoObstacle } from './demo-terms.rules.ts';
import { hasConfiguration } from './has-configuration.ts';
import { moveDemo } from './move-demo.ts';
import { type DemoSecrets, seedDemo } from './seed-demo.ts';

export type OpenedDemo = {
  /** Only of a demo that has just been loaded: they are shown once. */
  readonly secrets: DemoSecrets | null;
  /** Why an empty database gets no demo, where nobody has said that it shall have none. */
  readonly notLoaded: string | null;
};

type DemoOptions = {
  readonly config: Config;
  /** Where this process serves the inbox; null in one that only works. */
  readonly origin: string | null;
  readonly log: Logger;
};

const NOTHING: OpenedDemo = { secrets: null, notLoaded: null };

export async function openDemo(
  database: Database,
  { config, origin, log }: DemoOptions,
  now: Date,
): Promise<OpenedDemo> {
  const obstacle = demoObstacle(config);
  const secrets = obstacle === null && origin !== null ? await seedDemo(database, origin, now) : null;
  const { hasDemo, isEmpty } = await database.tx(async (tx) => {
    if (obstacle === null && origin !== null) await moveDemo(tx, origin);
    const { demoOrigin } = await readSettings(tx);
    return { hasDemo: demoOrigin !== null, isEmpty: !(await hasConfiguration(tx)) };
  });
  if (hasDemo && obstacle === null) {
    log.warn(
      'the demo is on: whoever reaches this service can read its inbox and use its printed links, key and token. DEMO=off switches it off, `leadmarket demo end` ends it',
    );
  } else if (hasDemo) {
    log.info(
      { because: obstacle },
      'the demo in this database is switched off; `leadmarket demo end` ends it for good',
    );
  } else if (isEmpty && config.demo === null) return { ...NOTHING, notLoaded: obstacle };
  return { ...NOTHING, secrets };
}
