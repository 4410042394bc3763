// Replaces the marketplace's settings; the caller has bumped the version and records the history.
import type { Tx } from '../platform/database/database.ts';
import { writeSettingsSql } from './marketplace.sql.ts';
import type { MarketplaceSettings } from './settings.ts';

export async function writeSettings(tx: Tx, settings: MarketplaceSettings): Promise<void> {
  await tx.query(writeSettingsSql, [
    settings.currency,
    settings.strategy,
    settings.dedupDays,
    settings.holdMinutes,
    settings.retrySeconds,
    JSON.stringify(settings.scoreWeights),
    JSON.stringify(settings.breaker),
    JSON.stringify(settings.retention),
    settings.name,
    JSON.stringify(settings.regions),
  ]);
}
