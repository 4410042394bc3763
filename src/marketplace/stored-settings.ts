// Reads and writes the one row of the marketplace: settings, version, demo origin, key of the contact hashes (contract 7.6).
import { strict as assert } from 'node:assert';

import { storedTimeZone } from '../base/time-zone.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { withDefaults } from './configured-form.rules.ts';
import { MarketplaceSchema } from './marketplace.schema.ts';
import { type OperatorNotices, OperatorNoticesSchema } from './notices.schema.ts';
import { readPersonPepperSql, readSettingsSql, writeSettingsSql, writeDemoOriginSql } from './marketplace.sql.ts';
import type { StoredSettings, MarketplaceSettings } from './settings.ts';

export async function readSettings(tx: Tx): Promise<StoredSettings> {
  const [row] = await tx.query(readSettingsSql);
  assert(row !== undefined, 'the table marketplace has no row');
  const { version, demoOrigin, rejections, billing, brand, notices, ...rest } = row;
  const settings = {
    ...rest,
    timeZone: storedTimeZone(rest.timeZone),
    rejections: withDefaults(RejectionsMembers, rejections) as MarketplaceSettings['rejections'],
    billing: withDefaults(BillingSchema, billing) as MarketplaceSettings['billing'],
    brand: withDefaults(BrandMembers, brand) as MarketplaceSettings['brand'],
    notices: withDefaults(OperatorNoticesSchema, notices) as OperatorNotices,
  };
  return { settings, version, demoOrigin };
}

/** A row of an earlier release has members that this one added at their defaults. */
const { rejections: RejectionsMembers, billing: BillingSchema, brand: BrandMembers } = MarketplaceSchema.properties;

/** 32 bytes that key the hashes of contacts; they never change. Requests of partners may not read them and receive them from the caller. */
export async function readPersonPepper(tx: Tx): Promise<Buffer> {
  const [row] = await tx.query(readPersonPepperSql);
  assert(row !== undefined, 'the table marketplace has no row');
  return row.personPepper;
}

/** The caller must have bumped the configuration version, and records the history. */
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
    rejections: JSON.stringify(settings.rejections),
    billing: JSON.stringify(settings.billing),
    brand: JSON.stringify(settings.brand),
    name: settings.name,
    regions: JSON.stringify(settings.regions),
    timeZone: settings.timeZone,
    notices: JSON.stringify(settings.notices),
  });
}

/**
 * Sets the origin of the demo's receiver, an additional allowed target, or ends it with null (contract 8.2). `origin` as in `URL.origin`.
 * The caller must have bumped the configuration version, so that every process applies it.
 */
export async function writeDemoOrigin(tx: Tx, origin: string | null): Promise<void> {
  await tx.query(writeDemoOriginSql, { origin });
}
