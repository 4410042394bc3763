// The statements on the one row of settings and on the history of configuration.
import { statement } from '../platform/database/database.ts';

export const readSettingsSql = statement(
  'marketplace.readSettings',
  `SELECT config_version AS "version", name, currency, strategy, regions, dedup_days AS "dedupDays", hold_minutes AS "holdMinutes",
          retry_seconds AS "retrySeconds", score_weights AS "scoreWeights", breaker, retention,
          demo_origin AS "demoOrigin"
     FROM marketplace`,
);

/** Refused behind the wall (tenant.ts) from the release on whose migrations take the right to it away (decision 036). */
export const readPersonPepperSql = statement(
  'marketplace.readPersonPepper',
  `SELECT person_pepper AS "personPepper" FROM marketplace`,
);

export const writeSettingsSql = statement(
  'marketplace.writeSettings',
  `UPDATE marketplace
      SET currency = $1, strategy = $2, dedup_days = $3, hold_minutes = $4, retry_seconds = $5,
          score_weights = $6::jsonb, breaker = $7::jsonb, retention = $8::jsonb, name = $9, regions = $10::jsonb`,
);

export const writeDemoOriginSql = statement('marketplace.writeDemoOrigin', `UPDATE marketplace SET demo_origin = $1`);

export const readVersionSql = statement(
  'marketplace.readVersion',
  `SELECT config_version AS "version" FROM marketplace`,
);

export const lockVersionSql = statement(
  'marketplace.lockVersion',
  `SELECT config_version AS "version" FROM marketplace FOR UPDATE`,
);

export const bumpVersionSql = statement(
  'marketplace.bumpVersion',
  `UPDATE marketplace SET config_version = config_version + 1 RETURNING config_version AS "version"`,
);

// One transaction has one version, so a key that it changes twice keeps its last definition.
export const recordHistorySql = statement(
  'marketplace.recordHistory',
  `INSERT INTO config_history (kind, key, version, definition, recorded_at)
   SELECT kind, key, $1, definition, $2
     FROM unnest($3::text[], $4::text[], $5::jsonb[]) AS record (kind, key, definition)
   ON CONFLICT (kind, key, version) DO UPDATE SET definition = EXCLUDED.definition, recorded_at = EXCLUDED.recorded_at`,
);

export const readHistorySql = statement(
  'marketplace.readHistory',
  `SELECT DISTINCT ON (key) key, definition FROM config_history WHERE kind = $1 AND version <= $2 ORDER BY key, version DESC`,
);

/** The kinds and keys named, of those that were changed after the version. */
export const changedAmongSql = statement(
  'marketplace.changedAmong',
  `SELECT h.kind, h.key, min(h.recorded_at) AS since
     FROM unnest($2::text[], $3::text[]) AS named (kind, key) JOIN config_history h USING (kind, key)
    WHERE h.version > $1 GROUP BY h.kind, h.key ORDER BY max(h.version) DESC, h.kind, h.key LIMIT $4`,
);

export const changedSinceSql = statement(
  'marketplace.changedSince',
  `SELECT kind, key, min(recorded_at) AS since
     FROM config_history WHERE version > $1 GROUP BY kind, key ORDER BY max(version) DESC, kind, key LIMIT $2`,
);
