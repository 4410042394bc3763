-- Erasure, retention, the proof of consent, and the second wall between partners.

-- When the person behind it was erased: fields and raw body are null from then on. A refused submission has no fields either way.
ALTER TABLE lead ADD COLUMN erased_at timestamptz;

-- How long what is kept (src/marketplace/settings.ts); null is for ever.
ALTER TABLE marketplace ADD COLUMN retention jsonb NOT NULL DEFAULT
  '{"leadDays": null, "rawBodyDays": 90, "snippetDays": 30, "attemptDays": 400, "decisionDays": 400, "personDays": 60, "consentYears": 5}';

-- What proves that a person agreed to be called, written with the lead and kept beyond it: proof outlives the lead. It holds no name,
-- e-mail or phone.
CREATE TABLE consent_record (
  lead_id     uuid PRIMARY KEY,
  stored_at   timestamptz NOT NULL,
  -- JSON text: whether and when, the wording, the form, the address it came from, the certificates.
  proof       text NOT NULL,
  -- Keyed hashes of the person, as in person_sale; set when the lead is erased, until when the lead itself is found by them.
  phone_hash  bigint,
  email_hash  bigint
);
CREATE INDEX consent_record_of_phone ON consent_record (phone_hash) WHERE phone_hash IS NOT NULL;
CREATE INDEX consent_record_of_email ON consent_record (email_hash) WHERE email_hash IS NOT NULL;

-- How far each walk over old rows has come, in the order of their ids, which is the order of time: what lies before is done.
CREATE TABLE retention_progress (
  step     text PRIMARY KEY,
  last_id  uuid NOT NULL
);

-- For erasure alone: the answers that may quote what a partner wrote. Suppliers' answers, which are nearly all, are not in it.
CREATE INDEX idempotency_key_of_buyers ON idempotency_key (path) WHERE path LIKE '/api/v1/buyer/%';

-- The second wall (decision 017). What partners ask for is run as `leadmarket_buyer`, a role without a login that sees and writes one
-- partner's rows: those of the partner whose key stands in `app.buyer`, and none where nothing stands there. A query that forgot its
-- condition then finds nothing of others. The service itself is not held up by it.

-- The partner whom the present transaction serves; null is nobody.
CREATE FUNCTION tenant() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT nullif(current_setting('app.buyer', true), '') $$;

CREATE FUNCTION is_service() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT current_user <> 'leadmarket_buyer' $$;

-- Sub-selects, so that both are asked once for a statement and not once for every row.
DO $$
DECLARE
  known record;
BEGIN
  FOR known IN SELECT * FROM (VALUES
    ('buyer', 'buyer_key = (SELECT tenant())'),
    ('offer', 'buyer_key = (SELECT tenant())'),
    ('delivery', 'buyer_key = (SELECT tenant())'),
    ('delivery_count', 'buyer_key = (SELECT tenant())'),
    ('send_job', 'buyer_key = (SELECT tenant())'),
    ('attempt', 'buyer_key = (SELECT tenant())'),
    ('buyer_event', 'buyer_key = (SELECT tenant())'),
    ('buyer_event_head', 'buyer_key = (SELECT tenant())'),
    ('claim', 'buyer_key = (SELECT tenant())'),
    ('claim_month_count', 'buyer_key = (SELECT tenant())'),
    ('account', 'buyer_key = (SELECT tenant())'),
    ('invoice', 'buyer_key = (SELECT tenant())'),
    ('invoice_progress', 'buyer_key = (SELECT tenant())'),
    ('audit_event', 'buyer_key = (SELECT tenant())'),
    ('entry', 'account_key = (SELECT ''buyer:'' || tenant())'),
    ('transfer', '(SELECT ''buyer:'' || tenant()) IN (from_account, to_account)'),
    ('invoice_line', 'EXISTS (SELECT FROM invoice i WHERE i.invoice_id = invoice_line.invoice_id AND i.buyer_key = (SELECT tenant()))'),
    ('invoice_item', 'EXISTS (SELECT FROM invoice i WHERE i.invoice_id = invoice_item.invoice_id AND i.buyer_key = (SELECT tenant()))'),
    ('lead', 'EXISTS (SELECT FROM delivery d WHERE d.lead_id = lead.lead_id AND d.buyer_key = (SELECT tenant()))'),
    ('cap_counter', 'EXISTS (SELECT FROM offer o WHERE o.offer_key = cap_counter.offer_key AND o.buyer_key = (SELECT tenant()))'),
    ('config_history', 'kind = ''marketplace'' OR (kind = ''buyer'' AND key = (SELECT tenant()))
       OR (kind = ''offer'' AND EXISTS (SELECT FROM offer o WHERE o.offer_key = config_history.key AND o.buyer_key = (SELECT tenant())))'),
    ('credential', 'kind = ''buyer_token'' AND owner_key = (SELECT tenant())'),
    ('idempotency_key', 'EXISTS (SELECT FROM credential c WHERE c.credential_id = idempotency_key.credential_id
       AND c.kind = ''buyer_token'' AND c.owner_key = (SELECT tenant()))'),
    ('signing_secret', 'owner_kind = ''buyer'' AND owner_key = (SELECT tenant())'),
    ('message_job', 'owner_kind = ''buyer'' AND owner_key = (SELECT tenant())'),
    ('endpoint_health', 'owner_kind = ''buyer'' AND owner_key = (SELECT tenant())'),
    ('endpoint_outage', 'owner_kind = ''buyer'' AND owner_key = (SELECT tenant())')
  ) AS walls (name, own) LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', known.name);
    -- Also for the owner of the tables, where it is no superuser.
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', known.name);
    EXECUTE format('CREATE POLICY own_rows ON %I USING ((SELECT is_service()) OR (%s))', known.name, known.own);
  END LOOP;
END $$;

-- What the role may do at all. To be called again by whatever adds tables that partners' routes use, and by ops/roles.sql. It does
-- nothing where there is no such role.
CREATE FUNCTION grant_buyer_rights() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'leadmarket_buyer') THEN RETURN; END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO leadmarket_buyer', current_schema());
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM leadmarket_buyer', current_schema());
  GRANT SELECT ON account, attempt, audit_event, buyer, buyer_event, buyer_event_head, cap_counter, claim, claim_month_count,
    config_history, delivery, delivery_count, endpoint_health, endpoint_outage, entry, idempotency_key, invoice, invoice_item,
    invoice_line, marketplace, offer, person_sale, send_job, signing_secret, transfer TO leadmarket_buyer;
  GRANT SELECT (credential_id, kind, owner_key) ON credential TO leadmarket_buyer;
  -- All but the body as received.
  GRANT SELECT (lead_id, supplier_key, external_id, is_test, is_accepted, state, public_status, reason, score, score_factors,
    received_at, decided_at, fields, erased_at) ON lead TO leadmarket_buyer;
  -- Claims and what they need; the right on one column of a delivery is what locking it asks for.
  GRANT INSERT, UPDATE ON claim, claim_month_count, idempotency_key TO leadmarket_buyer;
  GRANT UPDATE (may_have_arrived) ON delivery TO leadmarket_buyer;
  -- Sending again, and tests of an endpoint.
  GRANT INSERT, UPDATE ON send_job, attempt TO leadmarket_buyer;
  -- The partner's own settings. The ledger and the audit trail it may read and add to, never change.
  GRANT INSERT, UPDATE ON buyer TO leadmarket_buyer;
  GRANT UPDATE (config_version) ON marketplace TO leadmarket_buyer;
  GRANT INSERT, UPDATE ON config_history TO leadmarket_buyer;
  GRANT INSERT ON audit_event TO leadmarket_buyer;
  GRANT DELETE ON endpoint_health TO leadmarket_buyer;
  GRANT UPDATE ON endpoint_outage TO leadmarket_buyer;
END $$;

-- Where the service's role may not create roles, the wall is missing until ops/roles.sql was run; `leadmarket doctor` says so.
DO $$
BEGIN
  BEGIN
    CREATE ROLE leadmarket_buyer NOLOGIN;
  EXCEPTION
    -- It is the server's, shared by all its databases.
    WHEN duplicate_object OR unique_violation THEN NULL;
    WHEN insufficient_privilege THEN RAISE NOTICE 'the role leadmarket_buyer could not be created: run ops/roles.sql';
  END;
  BEGIN
    EXECUTE format('GRANT leadmarket_buyer TO %I', current_user);
  EXCEPTION
    WHEN insufficient_privilege OR undefined_object THEN NULL;
  END;
END $$;
SELECT grant_buyer_rights();
