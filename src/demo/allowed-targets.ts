// Targets exempt from the target rules: those of the operator, and the demo's inbox while the demo runs (decision 035).
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Config } from '../platform/config.ts';
import type { Tx } from '../platform/database/database.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import { demoObstacle } from './demo-terms.rules.ts';
import { inboxes } from './inbox-address.rules.ts';

/** `demoOrigin` is called at each check, so that the exemption ends with the demo. */
export function withInboxes(targets: readonly string[], demoOrigin: () => string | null): AllowedTargets {
  return {
    *[Symbol.iterator]() {
      yield* targets;
      const origin = demoOrigin();
      if (origin !== null) yield inboxes(origin);
    },
  };
}

/** For commands; the same targets as in a server with the same environment. */
export async function readAllowedTargets(tx: Tx, config: Config): Promise<AllowedTargets> {
  const { demoOrigin } = await readSettings(tx);
  return withInboxes(config.allowTargets, () => (demoObstacle(config) === null ? demoOrigin : null));
}
