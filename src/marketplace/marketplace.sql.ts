// SQL on the one row of marketplace settings and on the configuration history.
import { statement } from '../platform/database/database.ts';
import type { MarketplaceSettings, StoredSettings, ChangedKey } from './settings.ts';

/** `notices` has the members that were written: those that came later are missing. */
export type SettingsRow = Omit<MarketplaceSettings, 'notices'> & { notices: unknown } & Omit<
    StoredSettings,
    'settings'
  >;

export const readSettingsSql = statement<void, SettingsRow>(
  'marketplace.readSettings',
  `SELECT config_version AS "version", name, currency, strategy, regions, time_zone AS "timeZone", dedup_days AS "dedupDays", hold_minutes AS "holdMinutes",
          retry_seconds AS "retrySeconds", score_weights AS "scoreWeights", breaker, retention, rejections, billing, brand, notices,
          demo_origin AS "demoOrigin"
     FROM marketplace`,
);

/** Not permitted in a tenant's transaction (tenant.ts) once a release's migrations revoke the right to it (decision 036). */
export const readPersonPepperSql = statement<void, { personPepper: Buffer }>(
  'marketplace.readPersonPepper',
  `SELECT person_pepper AS "personPepper" FROM marketplace`,
);

export const writeSettingsSql = statement<{
  readonly currency: string;
  readonly strategy: string;
  readonly dedupDays: number;
  readonly holdMinutes: number;
  readonly retrySeconds: readonly number[];
  readonly scoreWeights: string;
  readonly breaker: string;
  readonly retention: string;
  readonly rejections: string;
  readonly billing: string;
  readonly brand: string;
  readonly name: string;
  readonly regions: string;
  readonly timeZone: string;
  readonly notices: string;
}>(
  'marketplace.writeSettings',
  `UPDATE marketplace
      SET currency = $currency, strategy = $strategy, dedup_days = $dedupDays, hold_minutes = $holdMinutes, retry_seconds = $retrySeconds,
          score_weights = $scoreWeights::jsonb, breaker = $breaker::jsonb, retention = $retention::jsonb, rejections = $rejections::jsonb, billing = $billing::jsonb, brand = $brand::jsonb, name = $name, regions = $regions::jsonb, time_zone = $timeZone, notices = $notices::jsonb`,
);

export const writeDemoOriginSql = statement<{ readonly origin: string | null }>(
  'marketplace.writeDemoOrigin',
  `UPDATE marketplace SET demo_origin = $origin`,
);

export const readVersionSql = statement<void, { version: number }>(
  'marketplace.readVersion',
  `SELECT config_version AS "version" FROM marketplace`,
);

export const lockVersionSql = statement<void, { version: number }>(
  'marketplace.lockVersion',
  `SELECT config_version AS "version" FROM marketplace FOR UPDATE`,
);

export const bumpVersionSql = statement<void, { version: number }>(
  'marketplace.bumpVersion',
  `UPDATE marketplace SET config_version = config_version + 1 RETURNING config_version AS "version"`,
);

// A transaction has one version, so a key that it changes twice keeps the last definition.
export const recordHistorySql = statement<{
  readonly version: number;
  readonly now: Date;
  readonly kinds: readonly string[];
  readonly keys: readonly string[];
  readonly definitions: readonly string[];
}>(
  'marketplace.recordHistory',
  `INSERT INTO config_history (kind, key, version, definition, recorded_at)
   SELECT kind, key, $version, definition, $now
     FROM unnest($kinds::text[], $keys::text[], $definitions::jsonb[]) AS record (kind, key, definition)
   ON CONFLICT (kind, key, version) DO UPDATE SET definition = EXCLUDED.definition, recorded_at = EXCLUDED.recorded_at`,
);

export const readHistorySql = statement<
  { readonly kind: string; readonly version: number },
  { key: string; definition: unknown }
>(
  'marketplace.readHistory',
  `SELECT DISTINCT ON (key) key, definition FROM config_history WHERE kind = $kind AND version <= $version ORDER BY key, version DESC`,
);

/** A member that an older release did not know was null. */
export const lastChangeSql = statement<
  { readonly kind: string; readonly key: string; readonly member: string },
  { changedAt: Date | null }
>(
  'marketplace.lastChange',
  `SELECT max(recorded_at) FILTER (WHERE after IS DISTINCT FROM before) AS "changedAt"
     FROM (SELECT recorded_at, after, lag(after) OVER (ORDER BY version) AS before
             FROM (SELECT recorded_at, version, nullif(definition -> $member::text, 'null') AS after
                     FROM config_history WHERE kind = $kind AND key = $key) AS known) AS compared`,
);

/** Which of the given kinds and keys were changed after the version. */
export const changedAmongSql = statement<
  {
    readonly version: number;
    readonly kinds: readonly string[];
    readonly keys: readonly string[];
    readonly limit: number;
  },
  ChangedKey
>(
  'marketplace.changedAmong',
  `SELECT h.kind, h.key, min(h.recorded_at) AS since
     FROM unnest($kinds::text[], $keys::text[]) AS named (kind, key) JOIN config_history h USING (kind, key)
    WHERE h.version > $version GROUP BY h.kind, h.key ORDER BY max(h.version) DESC, h.kind, h.key LIMIT $limit`,
);

export const changedSinceSql = statement<{ readonly version: number; readonly limit: number }, ChangedKey>(
  'marketplace.findChangedSince',
  `SELECT kind, key, min(recorded_at) AS since
     FROM config_history WHERE version > $version GROUP BY kind, key ORDER BY max(version) DESC, kind, key LIMIT $limit`,
);
