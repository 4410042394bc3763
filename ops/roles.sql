-- Builds the second wall between partners where the service's own role may not create roles (docs/operations.md, decision 017).
-- Run it once as a role that may, in the service's database, after `leadmarket migrate`, and restart the servers:
--
--   psql "$ADMIN_DATABASE_URL" -v service=SERVICE_ROLE -f ops/roles.sql
--
-- SERVICE_ROLE is the user of DATABASE_URL. `leadmarket doctor` says whether the wall stands; without it no API process starts.

SELECT 'CREATE ROLE leadmarket_buyer NOLOGIN'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'leadmarket_buyer') \gexec

-- The service enters the role for what partners ask for.
GRANT leadmarket_buyer TO :"service";

SELECT grant_buyer_rights();
