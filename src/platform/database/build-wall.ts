// Builds the second wall between partners where it is missing and this user may build it: a dump that was restored on another server
// has its tables and not the role, and the migrations that would make the role count as applied (decision 017).
import type pg from 'pg';

import { isRoleRefused } from './sql-state.ts';

/** One look, whatever there is: this is asked at every start and by every command. */
const IS_MISSING = `
  SELECT to_regprocedure('grant_buyer_rights()') IS NOT NULL
    AND NOT coalesce((SELECT pg_has_role(current_user, oid, 'MEMBER') AND has_table_privilege(oid, to_regclass('delivery'), 'SELECT')
                      FROM pg_roles WHERE rolname = 'leadmarket_buyer'), false) AS "isMissing"`;

const BUILD = `
  DO $$
  BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'leadmarket_buyer') THEN
      CREATE ROLE leadmarket_buyer NOLOGIN;
    END IF;
    IF NOT pg_has_role(current_user, 'leadmarket_buyer', 'MEMBER') THEN
      EXECUTE format('GRANT leadmarket_buyer TO %I', current_user);
    END IF;
    PERFORM grant_buyer_rights();
  END $$`;

/** Where it may not, all stays as it is: readiness does not depend on it, and `doctor` says what to do. */
export async function buildWallIfMissing(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ isMissing: boolean }>(IS_MISSING);
  if (rows[0]?.isMissing !== true) return;
  try {
    await client.query(BUILD);
  } catch (error) {
    if (!isRoleRefused(error)) throw error;
  }
}
