// Replaces the marketplace's settings; the caller has bumped the version and records the history.
import type { Tx } from '../platform/database/database.ts';
import { writeSettingsSql } from './marketplace.sql.ts';
import type { MarketplaceSettings } from './settings.ts';

export async function writeSettings(tx: Tx, settings: MarketplaceSettings): Promise<void> {
  await tx.query(writeSettingsSql, {
    currency: settings.currency,
    strategy: settings.strategy,
    dedupDays: settings.dedupDays,
    holdMinutes: settings.holdMinutes,
    retrySeconds: settings.retrySeconds,
    scoreWeights: JSON.stringify(settings.scoreWeights),
    breaker: JSON.stringify(settings.breaker),
    retention: JSON.stringify(settings.retention),
    name: settings.name,
    regions: JSON.stringify(settings.regions),
  });
}
