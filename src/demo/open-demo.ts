// Handles the demo at the start of a server: loads it into an empty database, moves its inboxes to the current address, and warns that it
// is on (decision 035).
import type { Logger } from 'pino';

import { bumpConfigVersion } from '../marketplace/config-version.ts';
import { readSettings, writeDemoOrigin } from '../marketplace/stored-settings.ts';
import type { Config } from '../platform/config.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { demoObstacle } from './demo-terms.rules.ts';
import { moveInboxes, moveScripts } from './demo.sql.ts';
import { INBOX_PATH } from './inbox-address.rules.ts';
import { hasConfiguration, type DemoSecrets, seedDemo } from './seed-demo.ts';

export type OpenedDemo = {
  /** Only after the demo was loaded: they are shown once. */
  readonly secrets: DemoSecrets | null;
  /** Why an empty database gets no demo, unless DEMO is set. */
  readonly notLoaded: string | null;
};

type DemoOptions = {
  readonly config: Config;
  /** The origin at which this process serves the inbox; null in a worker. */
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
      'the demo is on: anyone who can reach this service can read its inbox and use its printed links, key and token. DEMO=off switches it off, `leadmarket demo end` ends it',
    );
  } else if (hasDemo) {
    log.info(
      { because: obstacle },
      'the demo in this database is switched off; `leadmarket demo end` ends it for good',
    );
  } else if (isEmpty && config.demo === null) return { ...NOTHING, notLoaded: obstacle };
  return { ...NOTHING, secrets };
}

/** Moves the demo's inboxes to the service's current address. Does nothing without a demo, or if they are there already. @public */
export async function moveDemo(tx: Tx, origin: string): Promise<void> {
  const { demoOrigin } = await readSettings(tx);
  if (demoOrigin === null || demoOrigin === origin) return;
  await bumpConfigVersion(tx);
  await tx.query(moveInboxes, { demoOrigin, origin, inboxPath: INBOX_PATH });
  await tx.query(moveScripts, { demoOrigin, origin, inboxPath: INBOX_PATH });
  await writeDemoOrigin(tx, origin);
}
