// Lets the demo's inboxes follow the service when it starts at another address.
import { bumpConfigVersion } from '../marketplace/bump-version.ts';
import { readSettings } from '../marketplace/read-settings.ts';
import { writeDemoOrigin } from '../marketplace/write-demo-origin.ts';
import type { Tx } from '../platform/database/database.ts';
import { moveInboxes, moveScripts } from './demo.sql.ts';
import { INBOX_PATH } from './inbox-address.rules.ts';

/** Changes nothing where there is no demo, or where it is at that address already. */
export async function moveDemo(tx: Tx, origin: string): Promise<void> {
  const { demoOrigin } = await readSettings(tx);
  if (demoOrigin === null || demoOrigin === origin) return;
  await bumpConfigVersion(tx);
  await tx.query(moveInboxes, { demoOrigin, origin, inboxPath: INBOX_PATH });
  await tx.query(moveScripts, { demoOrigin, origin, inboxPath: INBOX_PATH });
  await writeDemoOrigin(tx, origin);
}
