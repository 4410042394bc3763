-- The schema that the migrations come to, for reading; nothing runs this file.
-- Rewritten by `npm run schema` and compared with a freshly migrated database by test/schema.test.ts.

CREATE SEQUENCE decision_order AS bigint INCREMENT 1 MINVALUE 1 MAXVALUE 9223372036854775807 START 1 CACHE 1;

CREATE SEQUENCE delivery_ref_number AS bigint INCREMENT 1 MINVALUE 1 MAXVALUE 9223372036854775807 START 100042 CACHE 50;

CREATE SEQUENCE offer_turn_number AS bigint INCREMENT 1 MINVALUE 1 MAXVALUE 9223372036854775807 START 1 CACHE 1;

CREATE OR REPLACE FUNCTION public.grant_buyer_rights()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'leadmarket_buyer') THEN RETURN; END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO leadmarket_buyer', current_schema());
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM leadmarket_buyer', current_schema());
  GRANT SELECT ON account, attempt, audit_event, buyer, buyer_event, buyer_event_head, cap_counter, claim, claim_file, claim_month_count,
    config_history, delivery, delivery_count, delivery_search, endpoint_health, endpoint_outage, entry, idempotency_key, invoice, invoice_item,
    invoice_line, list, list_entry, list_load, marketplace, notice, notice_channel, notice_send, notice_setting, offer, partner_secret, person_sale,
    receipt, send_job, signing_secret, transfer TO leadmarket_buyer;
  GRANT SELECT (credential_id, kind, owner_key) ON credential TO leadmarket_buyer;
  GRANT SELECT (user_id, kind, owner_key) ON portal_user TO leadmarket_buyer;
  -- All but the body as received.
  GRANT SELECT (lead_id, supplier_key, external_id, is_test, is_accepted, state, public_status, reason, score, score_factors,
    received_at, decided_at, fields, erased_at) ON lead TO leadmarket_buyer;
  -- Reports without costs, and without where leads came from.
  GRANT SELECT ON report_progress TO leadmarket_buyer;
  GRANT SELECT (batch, at, partner, offer, event_type, state, price_band, deliveries, kept, returned, settled, failed, price_cents, revenue_cents,
    s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15) ON report_fact TO leadmarket_buyer;
  GRANT SELECT (rollup, level, slot, partner, offer, event_type, state, price_band, deliveries, kept, returned, settled, failed, price_cents,
    revenue_cents, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15) ON report_cell TO leadmarket_buyer;
  -- Claims and what they need; the right on one column of a delivery is what locking it asks for.
  GRANT INSERT, UPDATE ON claim, claim_month_count, idempotency_key TO leadmarket_buyer;
  GRANT INSERT ON claim_file TO leadmarket_buyer;
  GRANT UPDATE (may_have_arrived) ON delivery TO leadmarket_buyer;
  -- Sending again, and tests of an endpoint.
  GRANT INSERT, UPDATE ON send_job, attempt TO leadmarket_buyer;
  -- The partner's own settings. The ledger and the audit trail it may read and add to, never change.
  GRANT INSERT, UPDATE ON buyer, notice_setting TO leadmarket_buyer;
  GRANT UPDATE (config_version) ON marketplace TO leadmarket_buyer;
  GRANT INSERT, UPDATE ON config_history TO leadmarket_buyer;
  GRANT UPDATE (own_limits, updated_at) ON offer TO leadmarket_buyer;
  GRANT INSERT ON audit_event TO leadmarket_buyer;
  -- Its own lists. What it removes is marked; the service deletes it.
  GRANT INSERT ON list, list_load, list_entry TO leadmarket_buyer;
  GRANT UPDATE (removed_at) ON list TO leadmarket_buyer;
  GRANT UPDATE (state, parts, entries, repeated, rejected, touched_at, ended_at, recent_leads, recent_matches) ON list_load TO leadmarket_buyer;
  GRANT UPDATE (expires_at), DELETE ON list_entry TO leadmarket_buyer;
  GRANT INSERT, UPDATE ON signing_secret TO leadmarket_buyer;
  GRANT DELETE ON endpoint_health TO leadmarket_buyer;
  GRANT UPDATE ON endpoint_outage TO leadmarket_buyer;
END $function$;

CREATE OR REPLACE FUNCTION public.is_service()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT current_user <> 'leadmarket_buyer' $function$;

CREATE OR REPLACE FUNCTION public.keep_invoice_line()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF OLD.is_void OR NOT NEW.is_void
    OR (OLD.invoice_id, OLD.transfer_id, OLD.type, OLD.account_version, OLD.amount_cents)
      IS DISTINCT FROM (NEW.invoice_id, NEW.transfer_id, NEW.type, NEW.account_version, NEW.amount_cents)
  THEN
    RAISE EXCEPTION 'invoice_line is append-only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.keep_issued_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF OLD.status = 'draft' THEN RETURN NEW; END IF;
  IF OLD.status = 'void' OR NEW.status = 'draft'
    OR (OLD.invoice_id, OLD.buyer_key, OLD.period, OLD.time_zone, OLD.starts_at, OLD.ends_at, OLD.seller_name, OLD.buyer_name,
        OLD.currency, OLD.number, OLD.subtotal_cents, OLD.credits_cents, OLD.carried_in_cents, OLD.carried_out_cents, OLD.total_cents,
        OLD.tax_basis_points, OLD.tax_cents, OLD.seller_details, OLD.buyer_details, OLD.created_at, OLD.issued_at, OLD.due_at)
      IS DISTINCT FROM
       (NEW.invoice_id, NEW.buyer_key, NEW.period, NEW.time_zone, NEW.starts_at, NEW.ends_at, NEW.seller_name, NEW.buyer_name,
        NEW.currency, NEW.number, NEW.subtotal_cents, NEW.credits_cents, NEW.carried_in_cents, NEW.carried_out_cents, NEW.total_cents,
        NEW.tax_basis_points, NEW.tax_cents, NEW.seller_details, NEW.buyer_details, NEW.created_at, NEW.issued_at, NEW.due_at)
  THEN
    RAISE EXCEPTION 'an issued invoice is append-only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.knows_time_zone(zone text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  PERFORM timestamptz 'epoch' AT TIME ZONE zone;
  RETURN true;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN false;
END $function$;

CREATE OR REPLACE FUNCTION public.note_changed_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
BEGIN
  INSERT INTO report_change (kind, id, was, was_at, status, status_at, was_failure, failure)
  SELECT 'delivery', n.delivery_id, o.status, coalesce(o.failed_at, o.confirmed_at), n.status, coalesce(n.failed_at, n.confirmed_at),
         CASE WHEN o.status = 'Failed' THEN o.failure END, CASE WHEN n.status = 'Failed' THEN n.failure END
  FROM changed n JOIN previous o USING (delivery_id)
  WHERE n.status <> o.status OR coalesce(n.failed_at, n.confirmed_at) IS DISTINCT FROM coalesce(o.failed_at, o.confirmed_at);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.note_changed_leads()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
BEGIN
  INSERT INTO report_change (kind, id, was, status)
  SELECT 'lead', n.lead_id, o.public_status, n.public_status FROM changed n JOIN previous o USING (lead_id)
  WHERE n.public_status <> o.public_status AND NOT n.is_test;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.note_new_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
BEGIN
  INSERT INTO report_change (kind, id, status, status_at, failure)
  SELECT 'delivery', delivery_id, status, coalesce(failed_at, confirmed_at), CASE WHEN status = 'Failed' THEN failure END FROM added;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.note_new_leads()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
BEGIN
  INSERT INTO report_change (kind, id, status) SELECT 'lead', lead_id, public_status FROM added WHERE NOT is_test;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.note_new_transfers()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
BEGIN
  INSERT INTO report_change (kind, id)
  SELECT 'transfer', transfer_id FROM added WHERE type IN ('charge', 'credit', 'adjustment', 'cost', 'clawback');
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_addition_to_issued()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM added JOIN invoice USING (invoice_id) WHERE status <> 'draft') THEN
    RAISE EXCEPTION 'nothing is added to an issued invoice' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_entry_without_transfer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT transfer_id FROM added) AS named
    WHERE (SELECT t.transfer_id FROM transfer t WHERE t.transfer_id = named.transfer_id) IS NULL)
  THEN
    RAISE EXCEPTION 'an entry names a transfer that is not there' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_transfer_without_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT from_account AS account_key FROM added UNION SELECT to_account FROM added) AS named
    WHERE (SELECT a.account_key FROM account a WHERE a.account_key = named.account_key) IS NULL)
  THEN
    RAISE EXCEPTION 'a transfer names an account that is not open' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.report_member(fields text, name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT left(CASE
    WHEN strpos(plain, '\') = 0 THEN plain
    ELSE replace(replace(coalesce(substring(fields FROM '"' || name || '":"((?:[^"\\]|\\.)*)"'), ''), '\"', '"'), '\\', '\')
  END, 100)
  FROM (SELECT split_part(split_part(split_part(fields, ',"extra":', 1), '"' || name || '":"', 2), '"', 1)) AS read (plain)
$function$;

CREATE OR REPLACE FUNCTION public.report_price_band(cents bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT (ARRAY['0-10', '10-20', '20-30', '30-50', '50-75', '75-100', '100-150', '150-200', '200-500', '500+'])
    [width_bucket(cents, ARRAY[0, 1000, 2000, 3000, 5000, 7500, 10000, 15000, 20000, 50000]::bigint[])]
$function$;

CREATE OR REPLACE FUNCTION public.report_score_band(score smallint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN score IS NULL THEN '' WHEN score >= 90 THEN '90-100' ELSE (score / 10 * 10) || '-' || (score / 10 * 10 + 9) END
$function$;

CREATE OR REPLACE FUNCTION public.tenant()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT nullif(current_setting('app.buyer', true), '') $function$;

CREATE TABLE account (
  account_key text NOT NULL,
  kind text NOT NULL,
  buyer_key text,
  balance_cents bigint DEFAULT 0 NOT NULL,
  held_cents bigint DEFAULT 0 NOT NULL,
  version bigint DEFAULT 0 NOT NULL,
  supplier_key text,
  CONSTRAINT account_pkey PRIMARY KEY (account_key),
  CONSTRAINT account_check CHECK (account_key = ((kind || ':'::text) || COALESCE(buyer_key, supplier_key))),
  CONSTRAINT account_held_cents_check CHECK (held_cents >= 0),
  CONSTRAINT account_kind_known CHECK ((kind = ANY (ARRAY['buyer'::text, 'revenue'::text, 'cash'::text, 'adjustment'::text, 'tax'::text])) AND buyer_key IS NOT NULL AND supplier_key IS NULL OR (kind = ANY (ARRAY['supplier'::text, 'cost'::text, 'payout'::text, 'supplier_adjustment'::text])) AND supplier_key IS NOT NULL AND buyer_key IS NULL)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
ALTER TABLE account ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER account_keeps_key BEFORE UPDATE OF account_key ON account FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER account_stays BEFORE DELETE OR TRUNCATE ON account FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE POLICY own_rows ON account USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE attempt (
  attempt_id uuid NOT NULL,
  delivery_id uuid,
  buyer_key text NOT NULL,
  channel text NOT NULL,
  target text NOT NULL,
  attempt integer NOT NULL,
  state text NOT NULL,
  response_code smallint,
  response_snippet text,
  latency_ms integer,
  error text,
  is_test boolean NOT NULL,
  at timestamp with time zone NOT NULL,
  next_attempt_at timestamp with time zone,
  rule smallint,
  message_type text,
  CONSTRAINT attempt_pkey PRIMARY KEY (attempt_id),
  CONSTRAINT attempt_state_known CHECK (state = ANY (ARRAY['scheduled'::text, 'succeeded'::text, 'failed'::text, 'exhausted'::text]))
) WITH (fillfactor=80, autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=500000, autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=200000);
ALTER TABLE attempt ENABLE ROW LEVEL SECURITY;
CREATE INDEX attempt_not_taken ON public.attempt USING btree (attempt_id DESC) WHERE (state = ANY (ARRAY['failed'::text, 'exhausted'::text]));
CREATE INDEX attempt_of_buyer ON public.attempt USING btree (buyer_key, attempt_id DESC);
CREATE INDEX attempt_of_delivery ON public.attempt USING btree (delivery_id, attempt_id) WHERE (delivery_id IS NOT NULL);
CREATE INDEX attempt_of_sheets ON public.attempt USING btree (buyer_key, attempt_id DESC) WHERE (channel = ANY (ARRAY['sheets'::text, 'sheets_script'::text]));
CREATE POLICY own_rows ON attempt USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE audit_event (
  audit_id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  actor_type text NOT NULL,
  actor_name text NOT NULL,
  buyer_key text,
  supplier_key text,
  action text NOT NULL,
  target text NOT NULL,
  changes jsonb NOT NULL,
  ip text,
  request_id text,
  CONSTRAINT audit_event_pkey PRIMARY KEY (audit_id),
  CONSTRAINT actor_known CHECK (actor_type = ANY (ARRAY['buyer'::text, 'supplier'::text, 'operator'::text, 'system'::text]))
);
ALTER TABLE audit_event ENABLE ROW LEVEL SECURITY;
CREATE INDEX audit_event_by_action ON public.audit_event USING btree (action, audit_id DESC);
CREATE INDEX audit_event_by_actor ON public.audit_event USING btree (actor_name, audit_id DESC);
CREATE INDEX audit_event_by_kind_of_actor ON public.audit_event USING btree (actor_type, audit_id DESC);
CREATE INDEX audit_event_by_target ON public.audit_event USING btree (target, audit_id DESC);
CREATE INDEX audit_event_of_buyer ON public.audit_event USING btree (buyer_key, audit_id DESC) WHERE (buyer_key IS NOT NULL);
CREATE INDEX audit_event_of_supplier ON public.audit_event USING btree (supplier_key, audit_id DESC) WHERE (supplier_key IS NOT NULL);
CREATE TRIGGER audit_event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE POLICY own_rows ON audit_event USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE billing_routine (
  kind text NOT NULL,
  covered_from date,
  CONSTRAINT billing_routine_pkey PRIMARY KEY (kind),
  CONSTRAINT billing_routine_covered_from_check CHECK (EXTRACT(day FROM covered_from) = 1::numeric),
  CONSTRAINT billing_routine_kind_known CHECK (kind = ANY (ARRAY['invoices'::text, 'statements'::text]))
);

CREATE TABLE billing_run (
  kind text NOT NULL,
  period date NOT NULL,
  started_at timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  CONSTRAINT billing_run_pkey PRIMARY KEY (kind, period),
  CONSTRAINT billing_run_kind_fkey FOREIGN KEY (kind) REFERENCES billing_routine(kind),
  CONSTRAINT billing_run_period_check CHECK (EXTRACT(day FROM period) = 1::numeric)
);

CREATE TABLE billing_run_item (
  kind text NOT NULL,
  period date NOT NULL,
  owner_key text NOT NULL,
  outcome text NOT NULL,
  number text,
  error text,
  at timestamp with time zone NOT NULL,
  CONSTRAINT billing_run_item_pkey PRIMARY KEY (kind, period, owner_key),
  CONSTRAINT billing_run_item_kind_period_fkey FOREIGN KEY (kind, period) REFERENCES billing_run(kind, period),
  CONSTRAINT billing_run_item_check CHECK ((outcome = 'failed'::text) = (error IS NOT NULL)),
  CONSTRAINT billing_run_outcome_known CHECK (outcome = ANY (ARRAY['issued'::text, 'exists'::text, 'none'::text, 'failed'::text]))
);

CREATE TABLE buyer (
  buyer_key text NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  time_zone text NOT NULL,
  channels text[] NOT NULL,
  notification_email text,
  cc_emails text[] DEFAULT '{}'::text[] NOT NULL,
  webhook_url text,
  phone text,
  sms_number text,
  sheets_webhook_url text,
  sheets_spreadsheet_id text,
  file_settings jsonb NOT NULL,
  editable_fields text[] NOT NULL,
  beta_tools text[] NOT NULL,
  rate_limit jsonb,
  return_policy jsonb NOT NULL,
  billing_mode text NOT NULL,
  credit_limit_cents bigint,
  endpoint_disabled_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  billing_terms jsonb DEFAULT '{}'::jsonb NOT NULL,
  funds_paused_at timestamp with time zone,
  webhook_format jsonb,
  own_columns text[] DEFAULT '{}'::text[] NOT NULL,
  own_paused_at timestamp with time zone,
  own_paused_until timestamp with time zone,
  CONSTRAINT buyer_pkey PRIMARY KEY (buyer_key),
  CONSTRAINT billing_mode_known CHECK (billing_mode = ANY (ARRAY['prepaid'::text, 'postpaid'::text])),
  CONSTRAINT buyer_buyer_key_check CHECK (buyer_key ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text),
  CONSTRAINT buyer_credit_limit_cents_check CHECK (credit_limit_cents >= 0),
  CONSTRAINT buyer_own_pause CHECK (own_paused_until IS NULL OR own_paused_at IS NOT NULL AND own_paused_until > own_paused_at) NOT VALID,
  CONSTRAINT buyer_status_known CHECK (status = ANY (ARRAY['active'::text, 'paused'::text, 'suspended'::text]))
);
ALTER TABLE buyer ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON buyer USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE buyer_event (
  buyer_key text NOT NULL,
  number bigint NOT NULL,
  type text NOT NULL,
  subject_id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  CONSTRAINT buyer_event_pkey PRIMARY KEY (buyer_key, number),
  CONSTRAINT buyer_event_known CHECK (type = ANY (ARRAY['lead.delivered'::text, 'return.reviewed'::text, 'dispute.reviewed'::text]))
) WITH (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=500000, autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=200000);
ALTER TABLE buyer_event ENABLE ROW LEVEL SECURITY;
CREATE INDEX buyer_event_age ON public.buyer_event USING brin (at);
CREATE POLICY own_rows ON buyer_event USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE buyer_event_head (
  buyer_key text NOT NULL,
  last_number bigint NOT NULL,
  CONSTRAINT buyer_event_head_pkey PRIMARY KEY (buyer_key)
) WITH (fillfactor=20, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
ALTER TABLE buyer_event_head ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON buyer_event_head USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE callback_log (
  lead_id uuid NOT NULL,
  message_id uuid NOT NULL,
  supplier_key text NOT NULL,
  type text NOT NULL,
  state text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  response_code smallint,
  error text,
  queued_at timestamp with time zone NOT NULL,
  tried_at timestamp with time zone,
  CONSTRAINT callback_log_pkey PRIMARY KEY (lead_id, message_id),
  CONSTRAINT callback_state_known CHECK (state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text, 'dropped'::text]))
) WITH (fillfactor=80);

CREATE TABLE cap_counter (
  offer_key text NOT NULL,
  cap_window text NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  used bigint NOT NULL,
  used_cents bigint NOT NULL,
  CONSTRAINT cap_counter_pkey PRIMARY KEY (offer_key, cap_window, starts_at),
  CONSTRAINT cap_counter_used_cents_check CHECK (used_cents >= 0),
  CONSTRAINT cap_counter_used_check CHECK (used >= 0),
  CONSTRAINT cap_window_known CHECK (cap_window = ANY (ARRAY['daily'::text, 'weekly'::text, 'monthly'::text, 'slot'::text]))
) WITH (fillfactor=20, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_cost_delay=0);
ALTER TABLE cap_counter ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON cap_counter USING ((( SELECT is_service() AS is_service) OR (EXISTS ( SELECT
   FROM offer o
  WHERE ((o.offer_key = cap_counter.offer_key) AND (o.buyer_key = ( SELECT tenant() AS tenant)))))));

CREATE TABLE claim (
  claim_id uuid NOT NULL,
  kind text NOT NULL,
  buyer_key text NOT NULL,
  delivery_id uuid NOT NULL,
  supplier_key text NOT NULL,
  event_type text NOT NULL,
  reason text NOT NULL,
  statement text,
  evidence_url text,
  status text NOT NULL,
  filed_at timestamp with time zone NOT NULL,
  decision_due_at timestamp with time zone NOT NULL,
  decided_at timestamp with time zone,
  decision_note text,
  decided_by text,
  credit_cents bigint,
  credit_transfer_id uuid,
  delivery_month date NOT NULL,
  evidence text NOT NULL,
  CONSTRAINT claim_pkey PRIMARY KEY (claim_id),
  CONSTRAINT claim_credit_transfer_id_key UNIQUE (credit_transfer_id),
  CONSTRAINT claim_credit_transfer_id_fkey FOREIGN KEY (credit_transfer_id) REFERENCES transfer(transfer_id),
  CONSTRAINT claim_credit_approved CHECK ((credit_cents IS NULL) = (credit_transfer_id IS NULL) AND (credit_cents IS NULL OR credit_cents > 0 AND status = 'approved'::text)),
  CONSTRAINT claim_decision_whole CHECK ((status = ANY (ARRAY['approved'::text, 'denied'::text])) = (decided_at IS NOT NULL) AND (decided_at IS NULL) = (decision_note IS NULL) AND (decided_at IS NULL) = (decided_by IS NULL)),
  CONSTRAINT claim_kind_known CHECK (kind = ANY (ARRAY['return'::text, 'dispute'::text])),
  CONSTRAINT claim_reason_fits CHECK (event_type = 'Lead Sale'::text AND (reason = ANY (ARRAY['invalid_phone'::text, 'bounced_email'::text, 'out_of_geo'::text, 'out_of_filter'::text, 'duplicate'::text, 'bot'::text])) OR event_type = 'Calendar Assigned'::text AND (reason = ANY (ARRAY['no_show'::text, 'filter_mismatch'::text]))),
  CONSTRAINT claim_return_without_url CHECK (kind = 'dispute'::text OR evidence_url IS NULL),
  CONSTRAINT claim_status_known CHECK (status = ANY (ARRAY['submitted'::text, 'under_review'::text, 'approved'::text, 'denied'::text, 'withdrawn'::text]))
);
ALTER TABLE claim ENABLE ROW LEVEL SECURITY;
CREATE INDEX claim_by_status ON public.claim USING btree (status, filed_at DESC, claim_id DESC);
CREATE INDEX claim_by_time ON public.claim USING btree (filed_at DESC, claim_id DESC);
CREATE INDEX claim_of_buyer ON public.claim USING btree (buyer_key, kind, filed_at DESC, claim_id DESC);
CREATE INDEX claim_of_buyer_by_status ON public.claim USING btree (buyer_key, status, filed_at DESC, claim_id DESC);
CREATE INDEX claim_of_delivery ON public.claim USING btree (delivery_id, filed_at DESC, claim_id DESC);
CREATE UNIQUE INDEX claim_once_per_kind ON public.claim USING btree (delivery_id, kind) WHERE (status <> 'withdrawn'::text);
CREATE UNIQUE INDEX claim_open ON public.claim USING btree (delivery_id) WHERE (status = ANY (ARRAY['submitted'::text, 'under_review'::text, 'approved'::text]));
CREATE INDEX claim_to_decide ON public.claim USING btree (decision_due_at, claim_id) WHERE (status = ANY (ARRAY['submitted'::text, 'under_review'::text]));
CREATE POLICY own_rows ON claim USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE claim_file (
  file_id uuid NOT NULL,
  claim_id uuid NOT NULL,
  buyer_key text NOT NULL,
  delivery_id uuid NOT NULL,
  number smallint NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  size_bytes integer NOT NULL,
  sha256 bytea NOT NULL,
  content bytea NOT NULL,
  added_at timestamp with time zone NOT NULL,
  CONSTRAINT claim_file_pkey PRIMARY KEY (file_id),
  CONSTRAINT claim_file_of_content UNIQUE (claim_id, sha256),
  CONSTRAINT claim_file_of_number UNIQUE (claim_id, number),
  CONSTRAINT claim_file_number_known CHECK (number >= 1 AND number <= 5),
  CONSTRAINT claim_file_size_known CHECK (size_bytes >= 1 AND size_bytes <= 5242880 AND size_bytes = octet_length(content))
);
ALTER TABLE claim_file ENABLE ROW LEVEL SECURITY;
ALTER TABLE claim_file ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX claim_file_of_delivery ON public.claim_file USING btree (delivery_id);
CREATE POLICY own_rows ON claim_file USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE claim_month_count (
  buyer_key text NOT NULL,
  event_type text NOT NULL,
  month date NOT NULL,
  used bigint NOT NULL,
  CONSTRAINT claim_month_count_pkey PRIMARY KEY (buyer_key, event_type, month),
  CONSTRAINT claim_month_count_month_check CHECK (EXTRACT(day FROM month) = 1::numeric),
  CONSTRAINT claim_month_count_used_check CHECK (used >= 0),
  CONSTRAINT claim_month_event_type_known CHECK (event_type = ANY (ARRAY['Lead Sale'::text, 'Calendar Assigned'::text]))
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
ALTER TABLE claim_month_count ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON claim_month_count USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE config_history (
  kind text NOT NULL,
  key text NOT NULL,
  version bigint NOT NULL,
  definition jsonb NOT NULL,
  recorded_at timestamp with time zone NOT NULL,
  CONSTRAINT config_history_pkey PRIMARY KEY (kind, key, version),
  CONSTRAINT history_kind_known CHECK (kind = ANY (ARRAY['marketplace'::text, 'vertical'::text, 'supplier'::text, 'buyer'::text, 'offer'::text])) NOT VALID
);
ALTER TABLE config_history ENABLE ROW LEVEL SECURITY;
CREATE INDEX config_history_by_version ON public.config_history USING btree (version);
CREATE POLICY own_rows ON config_history USING ((( SELECT is_service() AS is_service) OR ((kind = 'marketplace'::text) OR ((kind = 'buyer'::text) AND (key = ( SELECT tenant() AS tenant))) OR ((kind = 'offer'::text) AND (EXISTS ( SELECT
   FROM offer o
  WHERE ((o.offer_key = config_history.key) AND (o.buyer_key = ( SELECT tenant() AS tenant)))))))));

CREATE TABLE consent_record (
  lead_id uuid NOT NULL,
  stored_at timestamp with time zone NOT NULL,
  proof text NOT NULL,
  phone_hash bigint,
  email_hash bigint,
  CONSTRAINT consent_record_pkey PRIMARY KEY (lead_id)
) WITH (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=500000, autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=200000);
CREATE INDEX consent_record_of_email ON public.consent_record USING btree (email_hash) WHERE (email_hash IS NOT NULL);
CREATE INDEX consent_record_of_phone ON public.consent_record USING btree (phone_hash) WHERE (phone_hash IS NOT NULL);

CREATE TABLE credential (
  credential_id uuid NOT NULL,
  kind text NOT NULL,
  owner_key text NOT NULL,
  secret_hash bytea NOT NULL,
  last4 text NOT NULL,
  label text,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  is_demo boolean DEFAULT false NOT NULL,
  scopes text[],
  CONSTRAINT credential_pkey PRIMARY KEY (credential_id),
  CONSTRAINT credential_secret_hash_key UNIQUE (secret_hash),
  CONSTRAINT credential_kind_known CHECK (kind = ANY (ARRAY['supplier_key'::text, 'buyer_token'::text, 'operator_token'::text])),
  CONSTRAINT credential_scopes_known CHECK (scopes IS NULL OR kind = 'operator_token'::text AND cardinality(scopes) > 0 AND scopes <@ ARRAY['read'::text, 'operate'::text, 'configure'::text, 'money'::text, 'privacy'::text]),
  CONSTRAINT credential_secret_hash_check CHECK (length(secret_hash) = 32)
);
ALTER TABLE credential ENABLE ROW LEVEL SECURITY;
CREATE INDEX credential_of_owner ON public.credential USING btree (kind, owner_key);
CREATE POLICY own_rows ON credential USING ((( SELECT is_service() AS is_service) OR ((kind = 'buyer_token'::text) AND (owner_key = ( SELECT tenant() AS tenant)))));

CREATE TABLE dead_job (
  job_id uuid NOT NULL,
  name text NOT NULL,
  payload jsonb NOT NULL,
  attempts integer NOT NULL,
  error text NOT NULL,
  failed_at timestamp with time zone NOT NULL,
  CONSTRAINT dead_job_pkey PRIMARY KEY (job_id)
);
CREATE INDEX dead_job_by_time ON public.dead_job USING btree (failed_at DESC, job_id DESC);

CREATE TABLE delivery (
  delivery_id uuid NOT NULL,
  buyer_key text NOT NULL,
  lead_id uuid NOT NULL,
  offer_key text NOT NULL,
  supplier_key text NOT NULL,
  ref_number bigint DEFAULT nextval('delivery_ref_number'::regclass) NOT NULL,
  event_type text NOT NULL,
  is_exclusive boolean NOT NULL,
  status text NOT NULL,
  payout_cents bigint NOT NULL,
  channel text,
  cap_windows jsonb NOT NULL,
  delivered_at timestamp with time zone NOT NULL,
  confirmed_at timestamp with time zone,
  failed_at timestamp with time zone,
  returned_at timestamp with time zone,
  appointment_at timestamp with time zone,
  may_have_arrived boolean DEFAULT false NOT NULL,
  erased_consent text,
  return_until timestamp with time zone,
  buyer_reference text,
  price_min_cents bigint,
  price_max_cents bigint,
  failure text,
  CONSTRAINT delivery_pkey PRIMARY KEY (delivery_id),
  CONSTRAINT delivery_ref_number_key UNIQUE (ref_number),
  CONSTRAINT delivery_check CHECK ((status = 'Failed'::text) = (failed_at IS NOT NULL)),
  CONSTRAINT delivery_check1 CHECK (status = 'Failed'::text OR NOT may_have_arrived),
  CONSTRAINT delivery_check2 CHECK ((status = ANY (ARRAY['Confirmed'::text, 'Returned'::text])) = (confirmed_at IS NOT NULL)),
  CONSTRAINT delivery_check3 CHECK ((status = 'Returned'::text) = (returned_at IS NOT NULL)),
  CONSTRAINT delivery_check4 CHECK (NOT (is_exclusive AND status = 'Failed'::text)),
  CONSTRAINT delivery_failure_known CHECK (failure = ANY (ARRAY['rejected'::text, 'duplicate'::text])) NOT VALID,
  CONSTRAINT delivery_payout_cents_check CHECK (payout_cents >= 0),
  CONSTRAINT delivery_price_bounded CHECK ((price_min_cents IS NULL) = (price_max_cents IS NULL) AND (price_min_cents IS NULL OR 0 < price_min_cents AND payout_cents >= price_min_cents AND payout_cents <= price_max_cents)) NOT VALID,
  CONSTRAINT delivery_status_known CHECK (status = ANY (ARRAY['Pending'::text, 'Confirmed'::text, 'Failed'::text, 'Returned'::text])),
  CONSTRAINT event_type_known CHECK (event_type = ANY (ARRAY['Lead Sale'::text, 'Calendar Assigned'::text]))
) WITH (fillfactor=80, autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=500000, autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=200000);
ALTER TABLE delivery ENABLE ROW LEVEL SECURITY;
CREATE INDEX delivery_booking ON public.delivery USING btree (buyer_key, delivered_at DESC, delivery_id DESC) WHERE (event_type = 'Calendar Assigned'::text);
CREATE UNIQUE INDEX delivery_exclusive ON public.delivery USING btree (lead_id) WHERE is_exclusive;
CREATE INDEX delivery_failed ON public.delivery USING btree (buyer_key, delivered_at DESC, delivery_id DESC) WHERE (failed_at IS NOT NULL);
CREATE INDEX delivery_failed_by_time ON public.delivery USING btree (failed_at DESC, delivery_id DESC) WHERE (failed_at IS NOT NULL);
CREATE INDEX delivery_failed_of_buyer ON public.delivery USING btree (buyer_key, failed_at DESC, delivery_id DESC) WHERE (failed_at IS NOT NULL);
CREATE INDEX delivery_of_buyer ON public.delivery USING btree (buyer_key, delivered_at DESC, delivery_id DESC);
CREATE UNIQUE INDEX delivery_once_per_buyer ON public.delivery USING btree (lead_id, buyer_key);
CREATE INDEX delivery_returned ON public.delivery USING btree (buyer_key, delivered_at DESC, delivery_id DESC) WHERE (returned_at IS NOT NULL);
CREATE TRIGGER delivery_added_to_reports AFTER INSERT ON delivery REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_new_deliveries();
CREATE TRIGGER delivery_changed_in_reports AFTER UPDATE ON delivery REFERENCING OLD TABLE AS previous NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_deliveries();
CREATE POLICY own_rows ON delivery USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE delivery_cost (
  delivery_id uuid NOT NULL,
  model text NOT NULL,
  cost_cents bigint NOT NULL,
  share smallint,
  clawback_days smallint,
  hold_days smallint NOT NULL,
  CONSTRAINT delivery_cost_pkey PRIMARY KEY (delivery_id),
  CONSTRAINT delivery_cost_check CHECK ((model = 'share'::text) = (share IS NOT NULL)),
  CONSTRAINT delivery_cost_cost_cents_check CHECK (cost_cents >= 0),
  CONSTRAINT delivery_cost_model_known CHECK (model = ANY (ARRAY['fixed'::text, 'share'::text])),
  CONSTRAINT delivery_cost_share_check CHECK (share >= 0 AND share <= 10000)
) WITH (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=500000, autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=200000);

CREATE TABLE delivery_count (
  buyer_key text NOT NULL,
  day date NOT NULL,
  status text NOT NULL,
  event_type text NOT NULL,
  offer_key text NOT NULL,
  deliveries bigint NOT NULL,
  payout_cents bigint NOT NULL
);
ALTER TABLE delivery_count ENABLE ROW LEVEL SECURITY;
CREATE INDEX delivery_count_of_buyer ON public.delivery_count USING btree (buyer_key, day) INCLUDE (status, event_type, deliveries, payout_cents);
CREATE POLICY own_rows ON delivery_count USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE delivery_reference (
  buyer_reference text COLLATE "C" NOT NULL,
  delivery_id uuid NOT NULL,
  CONSTRAINT delivery_reference_pkey PRIMARY KEY (buyer_reference, delivery_id)
);
ALTER TABLE delivery_reference ENABLE ROW LEVEL SECURITY;
CREATE INDEX delivery_reference_of_delivery ON public.delivery_reference USING btree (delivery_id);
CREATE POLICY service_only ON delivery_reference USING (( SELECT is_service() AS is_service));

CREATE TABLE delivery_search (
  delivery_id uuid NOT NULL,
  buyer_key text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  name_from_2 text COLLATE "C",
  name_from_3 text COLLATE "C",
  name_from_last text COLLATE "C",
  email text COLLATE "C",
  phone text COLLATE "C",
  CONSTRAINT delivery_search_pkey PRIMARY KEY (delivery_id)
) WITH (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=500000, autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=200000);
ALTER TABLE delivery_search ENABLE ROW LEVEL SECURITY;
CREATE INDEX delivery_search_email ON public.delivery_search USING btree (buyer_key, email, delivery_id) WHERE (email IS NOT NULL);
CREATE INDEX delivery_search_name ON public.delivery_search USING btree (buyer_key, name, delivery_id) WHERE (name IS NOT NULL);
CREATE INDEX delivery_search_name_from_2 ON public.delivery_search USING btree (buyer_key, name_from_2, delivery_id) WHERE (name_from_2 IS NOT NULL);
CREATE INDEX delivery_search_name_from_3 ON public.delivery_search USING btree (buyer_key, name_from_3, delivery_id) WHERE (name_from_3 IS NOT NULL);
CREATE INDEX delivery_search_name_from_last ON public.delivery_search USING btree (buyer_key, name_from_last, delivery_id) WHERE (name_from_last IS NOT NULL);
CREATE INDEX delivery_search_phone ON public.delivery_search USING btree (buyer_key, phone, delivery_id) WHERE (phone IS NOT NULL);
CREATE POLICY own_rows ON delivery_search USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE endpoint_health (
  owner_kind text NOT NULL,
  owner_key text NOT NULL,
  channel text NOT NULL,
  failures integer NOT NULL,
  opened_at timestamp with time zone,
  next_probe_at timestamp with time zone,
  last_error text NOT NULL,
  last_failed_at timestamp with time zone NOT NULL,
  CONSTRAINT endpoint_health_pkey PRIMARY KEY (owner_kind, owner_key, channel),
  CONSTRAINT endpoint_health_check CHECK ((opened_at IS NULL) = (next_probe_at IS NULL)),
  CONSTRAINT endpoint_owner_known CHECK (owner_kind = ANY (ARRAY['supplier'::text, 'buyer'::text]))
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
ALTER TABLE endpoint_health ENABLE ROW LEVEL SECURITY;
CREATE INDEX endpoint_health_open ON public.endpoint_health USING btree (opened_at) WHERE (opened_at IS NOT NULL);
CREATE POLICY own_rows ON endpoint_health USING ((( SELECT is_service() AS is_service) OR ((owner_kind = 'buyer'::text) AND (owner_key = ( SELECT tenant() AS tenant)))));

CREATE TABLE endpoint_outage (
  owner_kind text NOT NULL,
  owner_key text NOT NULL,
  channel text NOT NULL,
  opened_at timestamp with time zone NOT NULL,
  closed_at timestamp with time zone,
  CONSTRAINT endpoint_outage_pkey PRIMARY KEY (owner_kind, owner_key, channel, opened_at)
);
ALTER TABLE endpoint_outage ENABLE ROW LEVEL SECURITY;
CREATE UNIQUE INDEX endpoint_outage_open ON public.endpoint_outage USING btree (owner_kind, owner_key, channel) WHERE (closed_at IS NULL);
CREATE POLICY own_rows ON endpoint_outage USING ((( SELECT is_service() AS is_service) OR ((owner_kind = 'buyer'::text) AND (owner_key = ( SELECT tenant() AS tenant)))));

CREATE TABLE entry (
  transfer_id uuid NOT NULL,
  account_key text NOT NULL,
  account_version bigint NOT NULL,
  amount_cents bigint NOT NULL,
  balance_after_cents bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT entry_pkey PRIMARY KEY (account_key, account_version),
  CONSTRAINT entry_amount_cents_check CHECK (amount_cents <> 0)
) WITH (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=500000, autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=200000);
ALTER TABLE entry ENABLE ROW LEVEL SECURITY;
CREATE INDEX entry_of_transfer ON public.entry USING btree (transfer_id);
CREATE TRIGGER entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entry_of_transfers AFTER INSERT ON entry REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_entry_without_transfer();
CREATE POLICY own_rows ON entry USING ((( SELECT is_service() AS is_service) OR (account_key = ( SELECT ('buyer:'::text || tenant())))));

CREATE TABLE idempotency_key (
  credential_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  body_hash bytea NOT NULL,
  status smallint NOT NULL,
  content_type text NOT NULL,
  body text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT idempotency_key_pkey PRIMARY KEY (credential_id, idempotency_key)
);
ALTER TABLE idempotency_key ENABLE ROW LEVEL SECURITY;
CREATE INDEX idempotency_key_age ON public.idempotency_key USING btree (created_at);
CREATE INDEX idempotency_key_of_people ON public.idempotency_key USING btree (path) WHERE (path <> '/api/v1/ingest'::text);
CREATE POLICY own_rows ON idempotency_key USING ((( SELECT is_service() AS is_service) OR (EXISTS ( SELECT
   FROM credential c
  WHERE ((c.credential_id = idempotency_key.credential_id) AND (c.kind = 'buyer_token'::text) AND (c.owner_key = ( SELECT tenant() AS tenant))))) OR (EXISTS ( SELECT
   FROM portal_user u
  WHERE ((u.user_id = idempotency_key.credential_id) AND (u.kind = 'buyer'::text) AND (u.owner_key = ( SELECT tenant() AS tenant)))))));

CREATE TABLE invitation (
  invitation_id uuid NOT NULL,
  secret_hash bytea NOT NULL,
  kind text NOT NULL,
  owner_key text NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  roles text[] NOT NULL,
  account_id uuid,
  invited_by text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT invitation_pkey PRIMARY KEY (invitation_id),
  CONSTRAINT invitation_once UNIQUE (kind, owner_key, email),
  CONSTRAINT invitation_secret_hash_key UNIQUE (secret_hash),
  CONSTRAINT invitation_email_check CHECK (length(email) <= 254),
  CONSTRAINT invitation_kind_known CHECK (kind = ANY (ARRAY['operator'::text, 'buyer'::text, 'supplier'::text])),
  CONSTRAINT invitation_of_owner CHECK ((kind = 'operator'::text) = (owner_key = ''::text)),
  CONSTRAINT invitation_secret_hash_check CHECK (length(secret_hash) = 32)
);

CREATE TABLE invoice (
  invoice_id uuid NOT NULL,
  buyer_key text NOT NULL,
  period date NOT NULL,
  time_zone text NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  seller_name text NOT NULL,
  buyer_name text NOT NULL,
  currency text NOT NULL,
  status text NOT NULL,
  is_void boolean GENERATED ALWAYS AS ((status = 'void'::text)) STORED NOT NULL,
  number text,
  subtotal_cents bigint DEFAULT 0 NOT NULL,
  credits_cents bigint DEFAULT 0 NOT NULL,
  total_cents bigint DEFAULT 0 NOT NULL,
  from_balance_cents bigint DEFAULT 0 NOT NULL,
  paid_cents bigint DEFAULT 0 NOT NULL,
  amount_due_cents bigint DEFAULT 0 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  issued_at timestamp with time zone,
  due_at timestamp with time zone,
  paid_at timestamp with time zone,
  voided_at timestamp with time zone,
  void_note text,
  carried_in_cents bigint DEFAULT 0 NOT NULL,
  carried_out_cents bigint DEFAULT 0 NOT NULL,
  carried_to uuid,
  tax_basis_points integer DEFAULT 0 NOT NULL,
  tax_cents bigint DEFAULT 0 NOT NULL,
  seller_details jsonb DEFAULT '{}'::jsonb NOT NULL,
  buyer_details jsonb DEFAULT '{}'::jsonb NOT NULL,
  reminded_days integer DEFAULT 0 NOT NULL,
  CONSTRAINT invoice_pkey PRIMARY KEY (invoice_id),
  CONSTRAINT invoice_invoice_id_is_void_key UNIQUE (invoice_id, is_void),
  CONSTRAINT invoice_number_key UNIQUE (number),
  CONSTRAINT invoice_carried_to_known FOREIGN KEY (carried_to) REFERENCES invoice(invoice_id),
  CONSTRAINT invoice_amount_due_cents_check CHECK (amount_due_cents >= 0),
  CONSTRAINT invoice_carried_in_positive CHECK (carried_in_cents >= 0),
  CONSTRAINT invoice_carried_out_positive CHECK (carried_out_cents >= 0),
  CONSTRAINT invoice_carried_out_rest CHECK (carried_out_cents = 0 OR total_cents = 0),
  CONSTRAINT invoice_credits_cents_check CHECK (credits_cents >= 0),
  CONSTRAINT invoice_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT invoice_draft_empty CHECK (status <> 'draft'::text OR subtotal_cents = 0 AND credits_cents = 0 AND amount_due_cents = 0),
  CONSTRAINT invoice_due_right CHECK (amount_due_cents =
CASE
    WHEN status = 'void'::text THEN 0::bigint
    ELSE GREATEST(total_cents, 0::bigint) - from_balance_cents - paid_cents
END),
  CONSTRAINT invoice_from_balance_cents_check CHECK (from_balance_cents >= 0),
  CONSTRAINT invoice_issued_whole CHECK ((status = 'draft'::text) = (number IS NULL) AND (number IS NULL) = (issued_at IS NULL) AND (number IS NULL) = (due_at IS NULL)),
  CONSTRAINT invoice_number_check CHECK (number ~ '^INV-\d{4}-\d{6,}$'::text),
  CONSTRAINT invoice_paid_cents_check CHECK (paid_cents >= 0),
  CONSTRAINT invoice_paid_covered CHECK ((status <> 'paid'::text OR amount_due_cents = 0 AND paid_at IS NOT NULL) AND ((status <> ALL (ARRAY['issued'::text, 'overdue'::text])) OR amount_due_cents > 0 AND paid_at IS NULL)),
  CONSTRAINT invoice_period_check CHECK (EXTRACT(day FROM period) = 1::numeric),
  CONSTRAINT invoice_period_whole CHECK (starts_at < ends_at),
  CONSTRAINT invoice_reminded_days_check CHECK (reminded_days >= 0),
  CONSTRAINT invoice_status_known CHECK (status = ANY (ARRAY['draft'::text, 'issued'::text, 'paid'::text, 'overdue'::text, 'void'::text])),
  CONSTRAINT invoice_subtotal_cents_check CHECK (subtotal_cents >= 0),
  CONSTRAINT invoice_tax_positive CHECK (tax_cents >= 0),
  CONSTRAINT invoice_tax_rate_known CHECK (tax_basis_points >= 0 AND tax_basis_points <= 10000),
  CONSTRAINT invoice_total_right CHECK (total_cents = (subtotal_cents - credits_cents - carried_in_cents + carried_out_cents + tax_cents)) NOT VALID,
  CONSTRAINT invoice_void_whole CHECK ((status = 'void'::text) = (voided_at IS NOT NULL) AND (voided_at IS NULL) = (void_note IS NULL))
);
ALTER TABLE invoice ENABLE ROW LEVEL SECURITY;
CREATE INDEX invoice_by_status ON public.invoice USING btree (status, issued_at DESC, invoice_id DESC);
CREATE INDEX invoice_by_time ON public.invoice USING btree (issued_at DESC, invoice_id DESC);
CREATE INDEX invoice_of_buyer ON public.invoice USING btree (buyer_key, issued_at DESC, invoice_id DESC);
CREATE INDEX invoice_of_period ON public.invoice USING btree (period, issued_at DESC, invoice_id DESC);
CREATE UNIQUE INDEX invoice_once_per_period ON public.invoice USING btree (buyer_key, period) WHERE (status <> 'void'::text);
CREATE INDEX invoice_overdue ON public.invoice USING btree (due_at) WHERE (status = 'overdue'::text);
CREATE INDEX invoice_to_be_carried ON public.invoice USING btree (buyer_key) WHERE (carried_out_cents > 0);
CREATE INDEX invoice_to_be_paid ON public.invoice USING btree (due_at) WHERE (status = 'issued'::text);
CREATE TRIGGER invoice_append_only BEFORE DELETE OR TRUNCATE ON invoice FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_keep_issued BEFORE UPDATE ON invoice FOR EACH ROW EXECUTE FUNCTION keep_issued_invoice();
CREATE POLICY own_rows ON invoice USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE invoice_counter (
  year integer NOT NULL,
  last_number bigint NOT NULL,
  CONSTRAINT invoice_counter_pkey PRIMARY KEY (year),
  CONSTRAINT invoice_counter_last_number_check CHECK (last_number > 0)
);

CREATE TABLE invoice_item (
  invoice_id uuid NOT NULL,
  day integer NOT NULL,
  what text NOT NULL,
  unit_cents bigint NOT NULL,
  quantity bigint NOT NULL,
  CONSTRAINT invoice_item_pkey PRIMARY KEY (invoice_id, day, what, unit_cents),
  CONSTRAINT invoice_item_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(invoice_id),
  CONSTRAINT invoice_item_day_check CHECK (day >= 0 AND day <= 31),
  CONSTRAINT invoice_item_quantity_check CHECK (quantity > 0),
  CONSTRAINT invoice_item_unit_cents_check CHECK (unit_cents > 0)
);
ALTER TABLE invoice_item ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER invoice_item_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON invoice_item FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_item_draft_only AFTER INSERT ON invoice_item REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_addition_to_issued();
CREATE POLICY own_rows ON invoice_item USING ((( SELECT is_service() AS is_service) OR (EXISTS ( SELECT
   FROM invoice i
  WHERE ((i.invoice_id = invoice_item.invoice_id) AND (i.buyer_key = ( SELECT tenant() AS tenant)))))));

CREATE TABLE invoice_line (
  invoice_id uuid NOT NULL,
  transfer_id uuid NOT NULL,
  is_void boolean DEFAULT false NOT NULL,
  type text NOT NULL,
  account_version bigint NOT NULL,
  amount_cents bigint NOT NULL,
  CONSTRAINT invoice_line_pkey PRIMARY KEY (invoice_id, account_version),
  CONSTRAINT invoice_line_invoice_id_is_void_fkey FOREIGN KEY (invoice_id, is_void) REFERENCES invoice(invoice_id, is_void) ON UPDATE CASCADE,
  CONSTRAINT invoice_line_amount_cents_check CHECK (amount_cents > 0),
  CONSTRAINT invoice_line_type_known CHECK (type = ANY (ARRAY['charge'::text, 'credit'::text]))
);
ALTER TABLE invoice_line ENABLE ROW LEVEL SECURITY;
CREATE INDEX invoice_line_credits ON public.invoice_line USING btree (invoice_id, account_version) WHERE (type = 'credit'::text);
CREATE UNIQUE INDEX invoice_line_once ON public.invoice_line USING btree (transfer_id) WHERE (NOT is_void);
CREATE TRIGGER invoice_line_append_only BEFORE DELETE OR TRUNCATE ON invoice_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_line_draft_only AFTER INSERT ON invoice_line REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_addition_to_issued();
CREATE TRIGGER invoice_line_keep BEFORE UPDATE ON invoice_line FOR EACH ROW EXECUTE FUNCTION keep_invoice_line();
CREATE POLICY own_rows ON invoice_line USING ((( SELECT is_service() AS is_service) OR (EXISTS ( SELECT
   FROM invoice i
  WHERE ((i.invoice_id = invoice_line.invoice_id) AND (i.buyer_key = ( SELECT tenant() AS tenant)))))));

CREATE TABLE invoice_progress (
  buyer_key text NOT NULL,
  settled_version bigint DEFAULT 0 NOT NULL,
  settled_money bigint DEFAULT 0 NOT NULL,
  CONSTRAINT invoice_progress_pkey PRIMARY KEY (buyer_key),
  CONSTRAINT invoice_progress_settled_version_check CHECK (settled_version >= 0)
);
ALTER TABLE invoice_progress ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON invoice_progress USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE kept_mail (
  mail_id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  message_id text NOT NULL,
  sender text NOT NULL,
  recipients text[] NOT NULL,
  cc text[] NOT NULL,
  subject text NOT NULL,
  text_body text NOT NULL,
  html_body text NOT NULL,
  calendar text,
  CONSTRAINT kept_mail_pkey PRIMARY KEY (mail_id)
);

CREATE TABLE lead (
  lead_id uuid NOT NULL,
  supplier_key text NOT NULL,
  external_id text,
  is_test boolean NOT NULL,
  is_accepted boolean NOT NULL,
  state text NOT NULL,
  public_status text NOT NULL,
  reason text,
  score smallint,
  score_factors text,
  received_at timestamp with time zone NOT NULL,
  decided_at timestamp with time zone,
  content_hash bytea,
  fields text,
  raw_body text,
  erased_at timestamp with time zone,
  raw_body_bytes integer,
  CONSTRAINT lead_pkey PRIMARY KEY (lead_id),
  CONSTRAINT lead_check CHECK (is_accepted = (score IS NOT NULL)),
  CONSTRAINT lead_check1 CHECK (is_accepted = (content_hash IS NOT NULL)),
  CONSTRAINT lead_score_check CHECK (score >= 0 AND score <= 100),
  CONSTRAINT lead_state_known CHECK (state = ANY (ARRAY['received'::text, 'held'::text, 'routed'::text, 'rejected'::text])),
  CONSTRAINT lead_status_known CHECK (public_status = ANY (ARRAY['Pending'::text, 'Lead Sale'::text, 'Calendar Assigned'::text, 'Duplicate'::text, 'No Buyer'::text, 'Invalid'::text, 'Suppressed'::text])) NOT VALID
) WITH (fillfactor=70, autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=500000, autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=200000);
ALTER TABLE lead ENABLE ROW LEVEL SECURITY;
CREATE INDEX lead_by_supplier_and_time ON public.lead USING btree (supplier_key, received_at);
CREATE UNIQUE INDEX lead_external_id ON public.lead USING btree (supplier_key, is_test, external_id) WHERE ((external_id IS NOT NULL) AND is_accepted);
CREATE INDEX lead_of_supplier ON public.lead USING btree (supplier_key, lead_id);
CREATE INDEX lead_refused ON public.lead USING btree (supplier_key, lead_id) WHERE (NOT is_accepted);
CREATE INDEX lead_refused_external_id ON public.lead USING btree (supplier_key, external_id, lead_id) WHERE ((external_id IS NOT NULL) AND (NOT is_accepted));
CREATE INDEX lead_test ON public.lead USING btree (supplier_key, lead_id) WHERE is_test;
CREATE TRIGGER lead_added_to_reports AFTER INSERT ON lead REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_new_leads();
CREATE TRIGGER lead_changed_in_reports AFTER UPDATE ON lead REFERENCING OLD TABLE AS previous NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_leads();
CREATE POLICY own_rows ON lead USING ((( SELECT is_service() AS is_service) OR (EXISTS ( SELECT
   FROM delivery d
  WHERE ((d.lead_id = lead.lead_id) AND (d.buyer_key = ( SELECT tenant() AS tenant)))))));

CREATE TABLE lead_count (
  supplier_key text NOT NULL,
  day date NOT NULL,
  public_status text NOT NULL,
  leads bigint NOT NULL,
  scored bigint NOT NULL,
  score_sum bigint NOT NULL,
  scores_by_ten bigint[]
);
CREATE INDEX lead_count_of_supplier ON public.lead_count USING btree (supplier_key, day);

CREATE TABLE list (
  list_id uuid NOT NULL,
  buyer_key text,
  key text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  use text NOT NULL,
  partners text[] DEFAULT '{}'::text[] NOT NULL,
  offers text[] DEFAULT '{}'::text[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone,
  CONSTRAINT list_pkey PRIMARY KEY (list_id),
  CONSTRAINT list_buyer_key_fkey FOREIGN KEY (buyer_key) REFERENCES buyer(buyer_key),
  CONSTRAINT list_key_check CHECK (key ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text),
  CONSTRAINT list_kind_known CHECK (kind = ANY (ARRAY['phone'::text, 'email'::text, 'domain'::text, 'zip'::text])),
  CONSTRAINT list_of_partner_excludes CHECK (buyer_key IS NULL OR use = 'exclude'::text AND (partners || offers) <> '{}'::text[]),
  CONSTRAINT list_sold_has_contacts CHECK (use <> 'sold'::text OR (kind = ANY (ARRAY['phone'::text, 'email'::text]))),
  CONSTRAINT list_use_known CHECK (use = ANY (ARRAY['suppress'::text, 'exclude'::text, 'sold'::text]))
);
ALTER TABLE list ENABLE ROW LEVEL SECURITY;
CREATE UNIQUE INDEX list_by_key ON public.list USING btree (COALESCE(buyer_key, ''::text), key) WHERE (removed_at IS NULL);
CREATE POLICY own_rows ON list USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE list_entry (
  hash bigint NOT NULL,
  load_id integer NOT NULL,
  expires_at timestamp with time zone,
  CONSTRAINT list_entry_pkey PRIMARY KEY (hash, load_id)
);
ALTER TABLE list_entry ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON list_entry USING ((( SELECT is_service() AS is_service) OR (load_id IN ( SELECT d.load_id
   FROM (list_load d
     JOIN list l USING (list_id))
  WHERE (l.buyer_key = ( SELECT tenant() AS tenant))))));

CREATE TABLE list_load (
  load_id integer GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  list_id uuid NOT NULL,
  state text NOT NULL,
  mode text NOT NULL,
  hashed boolean NOT NULL,
  skip_invalid boolean NOT NULL,
  expires_at timestamp with time zone,
  parts integer DEFAULT 0 NOT NULL,
  entries bigint DEFAULT 0 NOT NULL,
  rejected bigint DEFAULT 0 NOT NULL,
  begun_at timestamp with time zone NOT NULL,
  begun_by text NOT NULL,
  touched_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  repeated bigint DEFAULT 0 NOT NULL,
  recent_leads integer,
  recent_matches bigint,
  CONSTRAINT list_load_pkey PRIMARY KEY (load_id),
  CONSTRAINT list_load_list_id_fkey FOREIGN KEY (list_id) REFERENCES list(list_id),
  CONSTRAINT list_load_mode_known CHECK (mode = ANY (ARRAY['replace'::text, 'add'::text])),
  CONSTRAINT list_load_state_known CHECK (state = ANY (ARRAY['loading'::text, 'current'::text, 'discarded'::text]))
) WITH (fillfactor=70);
ALTER TABLE list_load ENABLE ROW LEVEL SECURITY;
CREATE INDEX list_load_of_list ON public.list_load USING btree (list_id, load_id);
CREATE INDEX list_load_open ON public.list_load USING btree (touched_at) WHERE (state <> 'current'::text);
CREATE POLICY own_rows ON list_load USING ((( SELECT is_service() AS is_service) OR (list_id IN ( SELECT l.list_id
   FROM list l
  WHERE (l.buyer_key = ( SELECT tenant() AS tenant))))));

CREATE TABLE list_view (
  view_id uuid NOT NULL,
  holder_kind text NOT NULL,
  holder text NOT NULL,
  list text NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  hidden_columns text[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT list_view_pkey PRIMARY KEY (view_id),
  CONSTRAINT list_view_name UNIQUE (holder_kind, holder, list, name),
  CONSTRAINT list_view_holder_known CHECK (holder_kind = ANY (ARRAY['operator'::text, 'user'::text, 'buyer'::text, 'supplier'::text])),
  CONSTRAINT list_view_list_is_short CHECK (length(list) <= 40),
  CONSTRAINT list_view_name_is_line CHECK (name <> ''::text AND length(name) <= 80),
  CONSTRAINT list_view_query_is_query CHECK (length(query) <= 1000 AND query ~ '^[A-Za-z0-9_.*%+=&~-]*$'::text)
);
ALTER TABLE list_view ENABLE ROW LEVEL SECURITY;
CREATE POLICY service_only ON list_view USING (( SELECT is_service() AS is_service));

CREATE TABLE marketplace (
  only_row boolean DEFAULT true NOT NULL,
  config_version bigint NOT NULL,
  currency text NOT NULL,
  strategy text NOT NULL,
  dedup_days integer NOT NULL,
  hold_minutes integer NOT NULL,
  retry_seconds integer[] NOT NULL,
  score_weights jsonb NOT NULL,
  breaker jsonb NOT NULL,
  person_pepper bytea NOT NULL,
  demo_origin text,
  retention jsonb DEFAULT '{"leadDays": null, "personDays": 60, "attemptDays": 400, "rawBodyDays": 90, "snippetDays": 30, "consentYears": 5, "decisionDays": 400}'::jsonb NOT NULL,
  name text DEFAULT 'Lead Marketplace'::text NOT NULL,
  regions jsonb DEFAULT '["US", "CA"]'::jsonb NOT NULL,
  time_zone text DEFAULT 'UTC'::text NOT NULL,
  notices jsonb DEFAULT '{}'::jsonb NOT NULL,
  billing jsonb DEFAULT '{}'::jsonb NOT NULL,
  brand jsonb DEFAULT '{}'::jsonb NOT NULL,
  rejections jsonb DEFAULT '{}'::jsonb NOT NULL,
  CONSTRAINT marketplace_pkey PRIMARY KEY (only_row),
  CONSTRAINT marketplace_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT marketplace_dedup_days_check CHECK (dedup_days >= 0),
  CONSTRAINT marketplace_hold_minutes_check CHECK (hold_minutes >= 0),
  CONSTRAINT marketplace_name_length CHECK (char_length(name) >= 1 AND char_length(name) <= 100),
  CONSTRAINT marketplace_only_row_check CHECK (only_row),
  CONSTRAINT marketplace_regions_known CHECK (regions = '"any"'::jsonb OR jsonb_typeof(regions) = 'array'::text AND regions <@ '["US", "CA"]'::jsonb AND regions <> '[]'::jsonb),
  CONSTRAINT strategy_known CHECK (strategy = ANY (ARRAY['price'::text, 'weighted'::text, 'round_robin'::text]))
);

CREATE TABLE message_job (
  message_id uuid NOT NULL,
  owner_kind text NOT NULL,
  owner_key text NOT NULL,
  channel text NOT NULL,
  type text NOT NULL,
  data text NOT NULL,
  delivery_id uuid,
  occurred_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  steps integer DEFAULT 0 NOT NULL,
  lease_id uuid,
  last_error text,
  CONSTRAINT message_job_pkey PRIMARY KEY (message_id),
  CONSTRAINT message_channel_known CHECK (channel = ANY (ARRAY['webhook'::text, 'email'::text])),
  CONSTRAINT message_owner_known CHECK (owner_kind = ANY (ARRAY['supplier'::text, 'buyer'::text]))
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_cost_delay=0);
ALTER TABLE message_job ENABLE ROW LEVEL SECURITY;
CREATE INDEX message_job_of_lane ON public.message_job USING btree (owner_kind, owner_key, channel, due_at);
CREATE POLICY own_rows ON message_job USING ((( SELECT is_service() AS is_service) OR ((owner_kind = 'buyer'::text) AND (owner_key = ( SELECT tenant() AS tenant)))));

CREATE TABLE notice (
  notice_id uuid NOT NULL,
  kind text NOT NULL,
  recipient_kind text NOT NULL,
  recipient_key text NOT NULL,
  occurrence text NOT NULL,
  data jsonb NOT NULL,
  attachment_kind text,
  attachment_id uuid,
  raised_at timestamp with time zone NOT NULL,
  state text DEFAULT 'raised'::text NOT NULL,
  CONSTRAINT notice_pkey PRIMARY KEY (notice_id),
  CONSTRAINT notice_once UNIQUE (recipient_kind, recipient_key, occurrence),
  CONSTRAINT notice_attachment_known CHECK (attachment_kind = ANY (ARRAY['invoice'::text, 'statement'::text, 'receipt'::text])) NOT VALID,
  CONSTRAINT notice_attachment_whole CHECK ((attachment_kind IS NULL) = (attachment_id IS NULL)),
  CONSTRAINT notice_operators_are_one CHECK ((recipient_kind = 'operator'::text) = (recipient_key = ''::text)),
  CONSTRAINT notice_recipient_known CHECK (recipient_kind = ANY (ARRAY['operator'::text, 'buyer'::text, 'supplier'::text])),
  CONSTRAINT notice_state_known CHECK (state = ANY (ARRAY['raised'::text, 'planned'::text, 'off'::text, 'no_channel'::text]))
);
ALTER TABLE notice ENABLE ROW LEVEL SECURITY;
CREATE INDEX notice_of_recipient ON public.notice USING btree (recipient_kind, recipient_key, notice_id);
CREATE INDEX notice_to_plan ON public.notice USING btree (notice_id) WHERE (state = 'raised'::text);
CREATE POLICY own_rows ON notice USING ((( SELECT is_service() AS is_service) OR ((recipient_kind = 'buyer'::text) AND (recipient_key = ( SELECT tenant() AS tenant)))));

CREATE TABLE notice_channel (
  notice_id uuid NOT NULL,
  channel text NOT NULL,
  send_id uuid NOT NULL,
  CONSTRAINT notice_channel_pkey PRIMARY KEY (notice_id, channel),
  CONSTRAINT notice_channel_notice_id_fkey FOREIGN KEY (notice_id) REFERENCES notice(notice_id),
  CONSTRAINT notice_channel_send_id_fkey FOREIGN KEY (send_id) REFERENCES notice_send(send_id)
);
ALTER TABLE notice_channel ENABLE ROW LEVEL SECURITY;
CREATE INDEX notice_channel_of_send ON public.notice_channel USING btree (send_id, notice_id);
CREATE POLICY own_rows ON notice_channel USING ((( SELECT is_service() AS is_service) OR (EXISTS ( SELECT
   FROM notice n
  WHERE ((n.notice_id = notice_channel.notice_id) AND (n.recipient_kind = 'buyer'::text) AND (n.recipient_key = ( SELECT tenant() AS tenant)))))));

CREATE TABLE notice_send (
  send_id uuid NOT NULL,
  recipient_kind text NOT NULL,
  recipient_key text NOT NULL,
  channel text NOT NULL,
  is_digest boolean NOT NULL,
  state text DEFAULT 'waiting'::text NOT NULL,
  due_at timestamp with time zone NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  steps integer DEFAULT 0 NOT NULL,
  lease_id uuid,
  last_error text,
  ended_at timestamp with time zone,
  CONSTRAINT notice_send_pkey PRIMARY KEY (send_id),
  CONSTRAINT notice_channel_known CHECK (channel = ANY (ARRAY['email'::text, 'webhook'::text, 'chat'::text])),
  CONSTRAINT notice_send_state_known CHECK (state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text, 'dropped'::text]))
) WITH (fillfactor=70);
ALTER TABLE notice_send ENABLE ROW LEVEL SECURITY;
CREATE UNIQUE INDEX notice_send_digest ON public.notice_send USING btree (recipient_kind, recipient_key, channel, due_at) WHERE (is_digest AND (state = 'waiting'::text) AND (attempts = 0));
CREATE INDEX notice_send_due ON public.notice_send USING btree (due_at) WHERE (state = 'waiting'::text);
CREATE INDEX notice_send_of_recipient ON public.notice_send USING btree (recipient_kind, recipient_key, channel, due_at) WHERE (state = 'waiting'::text);
CREATE POLICY own_rows ON notice_send USING ((( SELECT is_service() AS is_service) OR ((recipient_kind = 'buyer'::text) AND (recipient_key = ( SELECT tenant() AS tenant)))));

CREATE TABLE notice_setting (
  owner_kind text NOT NULL,
  owner_key text NOT NULL,
  settings jsonb NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT notice_setting_pkey PRIMARY KEY (owner_kind, owner_key),
  CONSTRAINT notice_owner_known CHECK (owner_kind = ANY (ARRAY['buyer'::text, 'supplier'::text]))
);
ALTER TABLE notice_setting ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON notice_setting USING ((( SELECT is_service() AS is_service) OR ((owner_kind = 'buyer'::text) AND (owner_key = ( SELECT tenant() AS tenant)))));

CREATE TABLE notice_watch (
  kind text NOT NULL,
  subject text NOT NULL,
  since timestamp with time zone NOT NULL,
  CONSTRAINT notice_watch_pkey PRIMARY KEY (kind, subject)
);

CREATE TABLE offer (
  offer_key text NOT NULL,
  buyer_key text NOT NULL,
  status text NOT NULL,
  definition jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  rejections_paused_at timestamp with time zone,
  rejections_paused_until timestamp with time zone,
  rejections_lifted_at timestamp with time zone,
  own_limits jsonb,
  CONSTRAINT offer_pkey PRIMARY KEY (offer_key),
  CONSTRAINT offer_buyer_key_fkey FOREIGN KEY (buyer_key) REFERENCES buyer(buyer_key),
  CONSTRAINT offer_offer_key_check CHECK (offer_key ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text),
  CONSTRAINT offer_rejections_pause_whole CHECK ((rejections_paused_at IS NULL) = (rejections_paused_until IS NULL)) NOT VALID,
  CONSTRAINT offer_status_known CHECK (status = ANY (ARRAY['active'::text, 'paused'::text, 'closed'::text]))
);
ALTER TABLE offer ENABLE ROW LEVEL SECURITY;
CREATE INDEX offer_of_buyer ON public.offer USING btree (buyer_key);
CREATE POLICY own_rows ON offer USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE offer_turn (
  offer_key text NOT NULL,
  turn bigint NOT NULL,
  CONSTRAINT offer_turn_pkey PRIMARY KEY (offer_key)
) WITH (fillfactor=20, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);

CREATE TABLE operator (
  operator_id uuid NOT NULL,
  name text NOT NULL,
  password text NOT NULL,
  totp_secret text,
  totp_last_step bigint,
  created_at timestamp with time zone NOT NULL,
  disabled_at timestamp with time zone,
  role text DEFAULT 'admin'::text NOT NULL,
  totp_pending text,
  demo_password text,
  email text,
  provider_issuer text,
  provider_subject text,
  CONSTRAINT operator_pkey PRIMARY KEY (operator_id),
  CONSTRAINT operator_name_key UNIQUE (name),
  CONSTRAINT operator_check CHECK (totp_secret IS NOT NULL OR totp_last_step IS NULL),
  CONSTRAINT operator_name_check CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,62}$'::text),
  CONSTRAINT operator_password_check CHECK (password ~~ '$argon2id$%'::text),
  CONSTRAINT operator_role_known CHECK (role = ANY (ARRAY['admin'::text, 'finance'::text, 'support'::text, 'read-only'::text]))
);
CREATE UNIQUE INDEX operator_by_email ON public.operator USING btree (email);
CREATE UNIQUE INDEX operator_by_provider ON public.operator USING btree (provider_issuer, provider_subject) WHERE (provider_subject IS NOT NULL);

CREATE TABLE own_change (
  owner text NOT NULL,
  position pg_lsn NOT NULL,
  CONSTRAINT own_change_pkey PRIMARY KEY (owner)
);

CREATE TABLE partner_secret (
  buyer_key text NOT NULL,
  name text NOT NULL,
  key_id text NOT NULL,
  sealed bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT partner_secret_pkey PRIMARY KEY (buyer_key, name),
  CONSTRAINT partner_secret_buyer_key_fkey FOREIGN KEY (buyer_key) REFERENCES buyer(buyer_key),
  CONSTRAINT partner_secret_named CHECK (name ~ '^[a-z][a-z0-9_]{0,62}$'::text)
);
ALTER TABLE partner_secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON partner_secret USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE password_link_request (
  email text NOT NULL,
  ip text,
  request_id text,
  requested_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone NOT NULL,
  is_admitted boolean DEFAULT false NOT NULL,
  CONSTRAINT password_link_request_pkey PRIMARY KEY (email),
  CONSTRAINT password_link_request_email_is_short CHECK (length(email) <= 254)
);
ALTER TABLE password_link_request ENABLE ROW LEVEL SECURITY;
CREATE POLICY service_only ON password_link_request USING (( SELECT is_service() AS is_service));

CREATE TABLE person_sale (
  person_hash bigint NOT NULL,
  scope text NOT NULL,
  delivery_id uuid,
  sold_at timestamp with time zone,
  seen_at timestamp with time zone NOT NULL,
  CONSTRAINT person_sale_pkey PRIMARY KEY (person_hash, scope)
) WITH (fillfactor=80, autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=500000, autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=200000);
ALTER TABLE person_sale ENABLE ROW LEVEL SECURITY;
CREATE INDEX person_sale_of_delivery ON public.person_sale USING btree (delivery_id) WHERE (delivery_id IS NOT NULL);
CREATE POLICY own_rows ON person_sale USING ((( SELECT is_service() AS is_service) OR (EXISTS ( SELECT
   FROM delivery d
  WHERE ((d.delivery_id = person_sale.delivery_id) AND (d.buyer_key = ( SELECT tenant() AS tenant)))))));

CREATE TABLE portal_user (
  user_id uuid NOT NULL,
  kind text NOT NULL,
  owner_key text NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  roles text[] NOT NULL,
  password text NOT NULL,
  totp_secret text,
  totp_pending text,
  totp_last_step bigint,
  created_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone,
  CONSTRAINT portal_user_pkey PRIMARY KEY (user_id),
  CONSTRAINT portal_user_check CHECK (totp_secret IS NOT NULL OR totp_last_step IS NULL),
  CONSTRAINT portal_user_email_check CHECK (length(email) <= 254),
  CONSTRAINT portal_user_kind_known CHECK (kind = ANY (ARRAY['buyer'::text, 'supplier'::text])),
  CONSTRAINT portal_user_password_check CHECK (password ~~ '$argon2id$%'::text),
  CONSTRAINT portal_user_roles_known CHECK (roles <@ ARRAY['view'::text, 'claims'::text, 'money'::text, 'settings'::text] AND ('view'::text = ANY (roles)))
);
ALTER TABLE portal_user ENABLE ROW LEVEL SECURITY;
CREATE UNIQUE INDEX portal_user_by_email ON public.portal_user USING btree (email) WHERE (removed_at IS NULL);
CREATE INDEX portal_user_of_owner ON public.portal_user USING btree (kind, owner_key);
CREATE POLICY own_rows ON portal_user USING ((( SELECT is_service() AS is_service) OR ((kind = 'buyer'::text) AND (owner_key = ( SELECT tenant() AS tenant)))));

CREATE TABLE process_minute (
  minute timestamp with time zone NOT NULL,
  process_id uuid NOT NULL,
  accepted bigint NOT NULL,
  refused bigint NOT NULL,
  conflicts bigint NOT NULL,
  api_answers bigint NOT NULL,
  api_faults bigint NOT NULL,
  page_answers bigint NOT NULL,
  page_faults bigint NOT NULL,
  confirmed bigint NOT NULL,
  retried bigint NOT NULL,
  failed bigint NOT NULL,
  CONSTRAINT process_minute_pkey PRIMARY KEY (minute, process_id)
) WITH (fillfactor=20, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);

CREATE TABLE process_report (
  process_id uuid NOT NULL,
  role text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  clock_ahead_ms integer,
  untrusted_proxy text,
  CONSTRAINT process_report_pkey PRIMARY KEY (process_id),
  CONSTRAINT process_role_known CHECK (role = ANY (ARRAY['all'::text, 'api'::text, 'worker'::text]))
) WITH (fillfactor=20, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);

CREATE TABLE provider_sign_in (
  state_hash bytea NOT NULL,
  browser_hash bytea NOT NULL,
  nonce text NOT NULL,
  verifier text NOT NULL,
  redirect_uri text NOT NULL,
  return_to text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT provider_sign_in_pkey PRIMARY KEY (state_hash)
);

CREATE UNLOGGED TABLE rate_bucket (
  bucket text NOT NULL,
  full_at_ms double precision NOT NULL,
  CONSTRAINT rate_bucket_pkey PRIMARY KEY (bucket)
) WITH (fillfactor=50);

CREATE TABLE receipt (
  receipt_id uuid NOT NULL,
  buyer_key text NOT NULL,
  number text NOT NULL,
  transfer_id uuid NOT NULL,
  amount_cents bigint NOT NULL,
  description text NOT NULL,
  paid_at timestamp with time zone NOT NULL,
  time_zone text NOT NULL,
  currency text NOT NULL,
  seller_name text NOT NULL,
  seller_details jsonb NOT NULL,
  buyer_name text NOT NULL,
  buyer_details jsonb NOT NULL,
  issued_at timestamp with time zone NOT NULL,
  CONSTRAINT receipt_pkey PRIMARY KEY (receipt_id),
  CONSTRAINT receipt_number_key UNIQUE (number),
  CONSTRAINT receipt_transfer_id_key UNIQUE (transfer_id),
  CONSTRAINT receipt_amount_cents_check CHECK (amount_cents > 0),
  CONSTRAINT receipt_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT receipt_number_check CHECK (number ~ '^RCP-\d{4}-\d{6,}$'::text)
);
ALTER TABLE receipt ENABLE ROW LEVEL SECURITY;
CREATE INDEX receipt_of_buyer ON public.receipt USING btree (buyer_key, issued_at DESC, receipt_id DESC);
CREATE TRIGGER receipt_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON receipt FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE POLICY own_rows ON receipt USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE receipt_counter (
  year integer NOT NULL,
  last_number bigint NOT NULL,
  CONSTRAINT receipt_counter_pkey PRIMARY KEY (year),
  CONSTRAINT receipt_counter_last_number_check CHECK (last_number > 0)
);

CREATE TABLE receipt_progress (
  buyer_key text NOT NULL,
  cash_version bigint NOT NULL,
  CONSTRAINT receipt_progress_pkey PRIMARY KEY (buyer_key),
  CONSTRAINT receipt_progress_cash_version_check CHECK (cash_version >= 0)
);
ALTER TABLE receipt_progress ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON receipt_progress USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE refusal_count (
  supplier_key text NOT NULL,
  day date NOT NULL,
  reason text NOT NULL,
  leads bigint NOT NULL
);
CREATE INDEX refusal_count_of_supplier ON public.refusal_count USING btree (supplier_key, day);

CREATE TABLE replay (
  replay_id uuid NOT NULL,
  buyer_key text NOT NULL,
  operator_name text NOT NULL,
  status text NOT NULL,
  from_at timestamp with time zone NOT NULL,
  until_at timestamp with time zone NOT NULL,
  planned integer NOT NULL,
  state text DEFAULT 'running'::text NOT NULL,
  after_at timestamp with time zone,
  after_id uuid,
  queued integer DEFAULT 0 NOT NULL,
  skipped jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  CONSTRAINT replay_pkey PRIMARY KEY (replay_id),
  CONSTRAINT replay_finished CHECK ((state = 'running'::text) = (finished_at IS NULL)),
  CONSTRAINT replay_position_whole CHECK ((after_at IS NULL) = (after_id IS NULL)),
  CONSTRAINT replay_state_known CHECK (state = ANY (ARRAY['running'::text, 'done'::text, 'stopped'::text])),
  CONSTRAINT replay_status_known CHECK (status = ANY (ARRAY['Failed'::text, 'Confirmed'::text]))
);
ALTER TABLE replay ENABLE ROW LEVEL SECURITY;
CREATE INDEX replay_by_time ON public.replay USING btree (created_at DESC, replay_id DESC);
CREATE UNIQUE INDEX replay_running ON public.replay USING btree (buyer_key) WHERE (state = 'running'::text);
CREATE POLICY service_only ON replay USING (( SELECT is_service() AS is_service));

CREATE TABLE replay_delivery (
  replay_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  result text NOT NULL,
  CONSTRAINT replay_delivery_pkey PRIMARY KEY (replay_id, delivery_id),
  CONSTRAINT replay_delivery_replay_id_fkey FOREIGN KEY (replay_id) REFERENCES replay(replay_id) ON DELETE CASCADE
);
ALTER TABLE replay_delivery ENABLE ROW LEVEL SECURITY;
CREATE POLICY service_only ON replay_delivery USING (( SELECT is_service() AS is_service));

CREATE TABLE report_cell (
  rollup smallint NOT NULL,
  level smallint NOT NULL,
  slot timestamp without time zone NOT NULL,
  supplier text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  partner text COLLATE "C" NOT NULL,
  offer text COLLATE "C" NOT NULL,
  event_type text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  score_band text COLLATE "C" NOT NULL,
  price_band text COLLATE "C" NOT NULL,
  submitted bigint,
  accepted bigint,
  sold bigint,
  unsold bigint,
  deliveries bigint,
  kept bigint,
  returned bigint,
  settled bigint,
  failed bigint,
  price_cents bigint,
  revenue_cents bigint,
  cost_cents bigint,
  s1 bigint,
  s2 bigint,
  s3 bigint,
  s4 bigint,
  s5 bigint,
  s6 bigint,
  s7 bigint,
  s8 bigint,
  s9 bigint,
  s10 bigint,
  s11 bigint,
  s12 bigint,
  s13 bigint,
  s14 bigint,
  s15 bigint,
  rejected bigint,
  duplicates bigint,
  CONSTRAINT report_cell_pkey PRIMARY KEY (rollup, level, slot, supplier, source, campaign, partner, offer, event_type, state, score_band, price_band)
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=50000, autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=100000);
ALTER TABLE report_cell ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON report_cell USING ((( SELECT is_service() AS is_service) OR (partner = ( SELECT tenant() AS tenant))));

CREATE TABLE report_change (
  kind text NOT NULL,
  id uuid NOT NULL,
  was text,
  was_at timestamp with time zone,
  status text,
  status_at timestamp with time zone,
  was_failure text,
  failure text,
  CONSTRAINT report_change_kind_known CHECK (kind = ANY (ARRAY['lead'::text, 'delivery'::text, 'transfer'::text]))
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=500000);

CREATE TABLE report_fact (
  batch bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  supplier text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  partner text COLLATE "C" NOT NULL,
  offer text COLLATE "C" NOT NULL,
  event_type text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  score_band text COLLATE "C" NOT NULL,
  price_band text COLLATE "C" NOT NULL,
  submitted integer,
  accepted integer,
  sold integer,
  unsold integer,
  deliveries integer,
  kept integer,
  returned integer,
  settled integer,
  failed integer,
  price_cents bigint,
  revenue_cents bigint,
  cost_cents bigint,
  s1 integer,
  s2 integer,
  s3 integer,
  s4 integer,
  s5 integer,
  s6 integer,
  s7 integer,
  s8 integer,
  s9 integer,
  s10 integer,
  s11 integer,
  s12 integer,
  s13 integer,
  s14 integer,
  s15 integer,
  rejected integer,
  duplicates integer
) WITH (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=500000, autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=200000);
ALTER TABLE report_fact ENABLE ROW LEVEL SECURITY;
CREATE INDEX report_fact_batch ON public.report_fact USING btree (batch);
CREATE INDEX report_fact_by_batch ON public.report_fact USING brin (batch) WITH (pages_per_range='16');
CREATE INDEX report_fact_by_time ON public.report_fact USING brin (at) WITH (pages_per_range='16', autosummarize='on');
CREATE POLICY own_rows ON report_fact USING ((( SELECT is_service() AS is_service) OR (partner = ( SELECT tenant() AS tenant))));

CREATE TABLE report_progress (
  only_row boolean DEFAULT true NOT NULL,
  time_zone text NOT NULL,
  leads_from uuid NOT NULL,
  deliveries_from uuid NOT NULL,
  transfers_from uuid NOT NULL,
  batch bigint DEFAULT 0 NOT NULL,
  celled_batch bigint DEFAULT 0 NOT NULL,
  folded_at timestamp with time zone,
  CONSTRAINT report_progress_pkey PRIMARY KEY (only_row),
  CONSTRAINT report_progress_only_row_check CHECK (only_row)
);

CREATE TABLE report_text (
  supplier text NOT NULL,
  month date NOT NULL,
  kind text NOT NULL,
  value text NOT NULL,
  CONSTRAINT report_text_pkey PRIMARY KEY (supplier, month, kind, value),
  CONSTRAINT report_text_kind_known CHECK (kind = ANY (ARRAY['source'::text, 'campaign'::text]))
);

CREATE TABLE report_view (
  view_id uuid NOT NULL,
  operator_name text NOT NULL,
  name text NOT NULL,
  question text NOT NULL,
  is_shared boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT report_view_pkey PRIMARY KEY (view_id),
  CONSTRAINT report_view_name_is_line CHECK (name <> ''::text AND length(name) <= 80),
  CONSTRAINT report_view_question_is_short CHECK (length(question) <= 4000)
);
ALTER TABLE report_view ENABLE ROW LEVEL SECURITY;
CREATE UNIQUE INDEX report_view_own_name ON public.report_view USING btree (operator_name, name) WHERE (NOT is_shared);
CREATE UNIQUE INDEX report_view_shared_name ON public.report_view USING btree (name) WHERE is_shared;
CREATE POLICY service_only ON report_view USING (( SELECT is_service() AS is_service));

CREATE TABLE retention_progress (
  step text NOT NULL,
  last_id uuid NOT NULL,
  CONSTRAINT retention_progress_pkey PRIMARY KEY (step)
);

CREATE TABLE routing_decision (
  lead_id uuid NOT NULL,
  round smallint NOT NULL,
  decided_at timestamp with time zone NOT NULL,
  config_version bigint NOT NULL,
  outcome text NOT NULL,
  trace text NOT NULL,
  decided_order bigint DEFAULT nextval('decision_order'::regclass) NOT NULL,
  CONSTRAINT routing_decision_pkey PRIMARY KEY (lead_id, round),
  CONSTRAINT decision_outcome_known CHECK (outcome = ANY (ARRAY['routed'::text, 'rejected'::text, 'held'::text]))
) WITH (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=500000, autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=200000);
CREATE INDEX routing_decision_by_time ON public.routing_decision USING btree (decided_at);

CREATE TABLE routing_inbox (
  due_at timestamp with time zone NOT NULL,
  lead_id uuid NOT NULL,
  failures smallint DEFAULT 0 NOT NULL,
  supplier_key text DEFAULT ''::text NOT NULL,
  CONSTRAINT routing_inbox_pkey PRIMARY KEY (due_at, lead_id)
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_cost_delay=0);
CREATE INDEX routing_inbox_by_supplier ON public.routing_inbox USING btree (supplier_key, due_at, lead_id);

CREATE TABLE scheduled_job (
  name text NOT NULL,
  due_at timestamp with time zone NOT NULL,
  leased_until timestamp with time zone,
  completed_at timestamp with time zone,
  CONSTRAINT scheduled_job_pkey PRIMARY KEY (name)
);

CREATE TABLE schema_migration (
  number integer NOT NULL,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone NOT NULL,
  CONSTRAINT schema_migration_pkey PRIMARY KEY (number)
);

CREATE TABLE send_job (
  delivery_id uuid NOT NULL,
  channel text NOT NULL,
  buyer_key text NOT NULL,
  due_at timestamp with time zone NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  steps integer DEFAULT 0 NOT NULL,
  uncertain integer DEFAULT 0 NOT NULL,
  attempt_id uuid,
  purpose text DEFAULT 'sale'::text NOT NULL,
  CONSTRAINT send_job_pkey PRIMARY KEY (delivery_id, channel),
  CONSTRAINT send_purpose_known CHECK (purpose = ANY (ARRAY['sale'::text, 'copy'::text, 'replay'::text]))
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_cost_delay=0);
ALTER TABLE send_job ENABLE ROW LEVEL SECURITY;
CREATE INDEX send_job_of_lane ON public.send_job USING btree (buyer_key, channel, purpose, due_at);
CREATE POLICY own_rows ON send_job USING ((( SELECT is_service() AS is_service) OR (buyer_key = ( SELECT tenant() AS tenant))));

CREATE TABLE session (
  session_id uuid NOT NULL,
  secret_hash bytea NOT NULL,
  kind text NOT NULL,
  owner_key text NOT NULL,
  credential_id uuid,
  operator_id uuid,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  user_agent text NOT NULL,
  user_id uuid,
  CONSTRAINT session_pkey PRIMARY KEY (session_id),
  CONSTRAINT session_secret_hash_key UNIQUE (secret_hash),
  CONSTRAINT session_credential_id_fkey FOREIGN KEY (credential_id) REFERENCES credential(credential_id),
  CONSTRAINT session_of_user FOREIGN KEY (user_id) REFERENCES portal_user(user_id) NOT VALID,
  CONSTRAINT session_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(operator_id),
  CONSTRAINT session_check CHECK (expires_at > created_at),
  CONSTRAINT session_kind_known CHECK (kind = ANY (ARRAY['buyer'::text, 'supplier'::text, 'operator'::text])),
  CONSTRAINT session_opened_with CHECK (
CASE kind
    WHEN 'operator'::text THEN operator_id IS NOT NULL AND credential_id IS NULL AND user_id IS NULL
    ELSE operator_id IS NULL AND (credential_id IS NULL) <> (user_id IS NULL)
END) NOT VALID,
  CONSTRAINT session_secret_hash_check CHECK (length(secret_hash) = 32),
  CONSTRAINT session_user_agent_check CHECK (length(user_agent) <= 200)
);
CREATE INDEX session_age ON public.session USING btree (expires_at);
CREATE INDEX session_of_credential ON public.session USING btree (credential_id) WHERE (credential_id IS NOT NULL);
CREATE INDEX session_of_owner ON public.session USING btree (kind, owner_key, session_id DESC) WHERE (revoked_at IS NULL);

CREATE TABLE sign_in_guard (
  subject bytea NOT NULL,
  failures integer NOT NULL,
  blocked_until timestamp with time zone NOT NULL,
  forgotten_at timestamp with time zone NOT NULL,
  trusted_until timestamp with time zone,
  CONSTRAINT sign_in_guard_pkey PRIMARY KEY (subject),
  CONSTRAINT sign_in_guard_failures_check CHECK (failures >= 0),
  CONSTRAINT sign_in_guard_subject_check CHECK (length(subject) = 32)
);
CREATE INDEX sign_in_guard_age ON public.sign_in_guard USING btree (GREATEST(forgotten_at, trusted_until));

CREATE TABLE signing_secret (
  owner_kind text NOT NULL,
  owner_key text NOT NULL,
  secret text NOT NULL,
  previous_secret text,
  previous_valid_until timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT signing_secret_pkey PRIMARY KEY (owner_kind, owner_key),
  CONSTRAINT secret_owner_known CHECK (owner_kind = ANY (ARRAY['supplier'::text, 'buyer'::text, 'operator'::text])),
  CONSTRAINT signing_secret_check CHECK ((previous_secret IS NULL) = (previous_valid_until IS NULL))
);
ALTER TABLE signing_secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON signing_secret USING ((( SELECT is_service() AS is_service) OR ((owner_kind = 'buyer'::text) AND (owner_key = ( SELECT tenant() AS tenant)))));

CREATE TABLE simulation (
  simulation_id uuid NOT NULL,
  operator_name text NOT NULL,
  input jsonb NOT NULL,
  days smallint NOT NULL,
  state text NOT NULL,
  decisions_done bigint DEFAULT 0 NOT NULL,
  decisions bigint,
  result jsonb,
  created_at timestamp with time zone NOT NULL,
  heard_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  CONSTRAINT simulation_pkey PRIMARY KEY (simulation_id),
  CONSTRAINT simulation_check CHECK ((state = 'running'::text) = (finished_at IS NULL)),
  CONSTRAINT simulation_days_check CHECK (days >= 1 AND days <= 90),
  CONSTRAINT simulation_state_known CHECK (state = ANY (ARRAY['running'::text, 'done'::text, 'refused'::text, 'cancelled'::text, 'failed'::text]))
);
CREATE INDEX simulation_by_age ON public.simulation USING btree (created_at);
CREATE UNIQUE INDEX simulation_under_way ON public.simulation USING btree ((true)) WHERE (state = 'running'::text);

CREATE TABLE supplier (
  supplier_key text NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  field_mapping jsonb NOT NULL,
  callback jsonb,
  rate_limit jsonb,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  pay jsonb,
  time_zone text DEFAULT 'UTC'::text NOT NULL,
  vertical text,
  verticals text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT supplier_pkey PRIMARY KEY (supplier_key),
  CONSTRAINT supplier_status_known CHECK (status = ANY (ARRAY['pending'::text, 'approved'::text, 'suspended'::text])),
  CONSTRAINT supplier_supplier_key_check CHECK (supplier_key ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text)
);

CREATE TABLE supplier_earning_day (
  supplier_key text NOT NULL,
  day date NOT NULL,
  leads bigint NOT NULL,
  earned_cents bigint NOT NULL,
  clawed_back_cents bigint NOT NULL,
  paid_out_cents bigint NOT NULL,
  adjusted_cents bigint NOT NULL,
  payable_cents bigint NOT NULL,
  CONSTRAINT supplier_earning_day_pkey PRIMARY KEY (supplier_key, day)
) WITH (fillfactor=70);
ALTER TABLE supplier_earning_day ENABLE ROW LEVEL SECURITY;
CREATE POLICY service_only ON supplier_earning_day USING (( SELECT is_service() AS is_service));

CREATE TABLE supplier_earning_progress (
  supplier_key text NOT NULL,
  folded_version bigint DEFAULT 0 NOT NULL,
  CONSTRAINT supplier_earning_progress_pkey PRIMARY KEY (supplier_key),
  CONSTRAINT supplier_earning_progress_folded_version_check CHECK (folded_version >= 0)
) WITH (fillfactor=70);

CREATE TABLE supplier_payout (
  transfer_id uuid NOT NULL,
  supplier_key text NOT NULL,
  reference text NOT NULL,
  amount_cents bigint NOT NULL,
  balance_after_cents bigint NOT NULL,
  recorded_at timestamp with time zone NOT NULL,
  CONSTRAINT supplier_payout_pkey PRIMARY KEY (transfer_id),
  CONSTRAINT supplier_payout_supplier_key_reference_key UNIQUE (supplier_key, reference),
  CONSTRAINT supplier_payout_amount_cents_check CHECK (amount_cents > 0)
);
ALTER TABLE supplier_payout ENABLE ROW LEVEL SECURITY;
CREATE INDEX supplier_payout_by_time ON public.supplier_payout USING btree (recorded_at DESC, transfer_id DESC);
CREATE INDEX supplier_payout_of_supplier ON public.supplier_payout USING btree (supplier_key, recorded_at DESC, transfer_id DESC);
CREATE TRIGGER supplier_payout_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON supplier_payout FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE POLICY service_only ON supplier_payout USING (( SELECT is_service() AS is_service));

CREATE TABLE supplier_quality_count (
  supplier_key text NOT NULL,
  day date NOT NULL,
  confirmed bigint NOT NULL,
  returned bigint NOT NULL
);
CREATE INDEX supplier_quality_count_of_day ON public.supplier_quality_count USING btree (day, supplier_key);

CREATE TABLE supplier_statement (
  statement_id uuid NOT NULL,
  supplier_key text NOT NULL,
  number text NOT NULL,
  period date NOT NULL,
  time_zone text NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  operator_name text NOT NULL,
  supplier_name text NOT NULL,
  currency text NOT NULL,
  from_version bigint NOT NULL,
  up_to_version bigint NOT NULL,
  carried_cents bigint NOT NULL,
  total_cents bigint NOT NULL,
  leads bigint NOT NULL,
  earned_cents bigint NOT NULL,
  clawed_back_cents bigint NOT NULL,
  paid_out_cents bigint NOT NULL,
  adjusted_cents bigint NOT NULL,
  held_cents bigint NOT NULL,
  issued_at timestamp with time zone NOT NULL,
  CONSTRAINT supplier_statement_pkey PRIMARY KEY (statement_id),
  CONSTRAINT supplier_statement_number_key UNIQUE (number),
  CONSTRAINT supplier_statement_once UNIQUE (supplier_key, period),
  CONSTRAINT supplier_statement_clawed_back_cents_check CHECK (clawed_back_cents >= 0),
  CONSTRAINT supplier_statement_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT supplier_statement_earned_cents_check CHECK (earned_cents >= 0),
  CONSTRAINT supplier_statement_from_version_check CHECK (from_version > 0),
  CONSTRAINT supplier_statement_held_cents_check CHECK (held_cents >= 0),
  CONSTRAINT supplier_statement_leads_check CHECK (leads >= 0),
  CONSTRAINT supplier_statement_number_check CHECK (number ~ '^ST-\d{4}-\d{6,}$'::text),
  CONSTRAINT supplier_statement_paid_out_cents_check CHECK (paid_out_cents >= 0),
  CONSTRAINT supplier_statement_period_check CHECK (EXTRACT(day FROM period) = 1::numeric),
  CONSTRAINT supplier_statement_period_whole CHECK (starts_at < ends_at),
  CONSTRAINT supplier_statement_range_whole CHECK (up_to_version >= (from_version - 1)),
  CONSTRAINT supplier_statement_total_right CHECK (total_cents = (carried_cents + earned_cents - clawed_back_cents - paid_out_cents + adjusted_cents))
);
ALTER TABLE supplier_statement ENABLE ROW LEVEL SECURITY;
CREATE INDEX supplier_statement_by_time ON public.supplier_statement USING btree (issued_at DESC, statement_id DESC);
CREATE INDEX supplier_statement_of_supplier ON public.supplier_statement USING btree (supplier_key, issued_at DESC, statement_id DESC);
CREATE UNIQUE INDEX supplier_statement_range_once ON public.supplier_statement USING btree (supplier_key, from_version) WHERE (up_to_version >= from_version);
CREATE TRIGGER supplier_statement_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON supplier_statement FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE POLICY service_only ON supplier_statement USING (( SELECT is_service() AS is_service));

CREATE TABLE supplier_statement_counter (
  year integer NOT NULL,
  last_number bigint NOT NULL,
  CONSTRAINT supplier_statement_counter_pkey PRIMARY KEY (year),
  CONSTRAINT supplier_statement_counter_last_number_check CHECK (last_number > 0)
);

CREATE TABLE supplier_statement_item (
  statement_id uuid NOT NULL,
  day integer NOT NULL,
  kind text NOT NULL,
  quantity bigint NOT NULL,
  amount_cents bigint NOT NULL,
  CONSTRAINT supplier_statement_item_pkey PRIMARY KEY (statement_id, day, kind),
  CONSTRAINT supplier_statement_item_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES supplier_statement(statement_id),
  CONSTRAINT supplier_statement_item_day_check CHECK (day >= 0 AND day <= 31),
  CONSTRAINT supplier_statement_item_kind_known CHECK (kind = ANY (ARRAY['earned'::text, 'clawed_back'::text, 'paid_out'::text, 'adjusted'::text])),
  CONSTRAINT supplier_statement_item_quantity_check CHECK (quantity > 0)
);
ALTER TABLE supplier_statement_item ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER supplier_statement_item_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON supplier_statement_item FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE POLICY service_only ON supplier_statement_item USING (( SELECT is_service() AS is_service));

CREATE TABLE supplier_statement_progress (
  supplier_key text NOT NULL,
  up_to_version bigint DEFAULT 0 NOT NULL,
  CONSTRAINT supplier_statement_progress_pkey PRIMARY KEY (supplier_key),
  CONSTRAINT supplier_statement_progress_up_to_version_check CHECK (up_to_version >= 0)
);

CREATE TABLE transfer (
  transfer_id uuid NOT NULL,
  business_key text NOT NULL,
  type text NOT NULL,
  from_account text NOT NULL,
  to_account text NOT NULL,
  amount_cents bigint NOT NULL,
  description text NOT NULL,
  delivery_id uuid,
  return_id uuid,
  dispute_id uuid,
  invoice_id uuid,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT transfer_pkey PRIMARY KEY (transfer_id),
  CONSTRAINT transfer_business_key_key UNIQUE (business_key),
  CONSTRAINT transfer_amount_cents_check CHECK (amount_cents > 0),
  CONSTRAINT transfer_check CHECK (from_account <> to_account),
  CONSTRAINT transfer_type_known CHECK (type = ANY (ARRAY['charge'::text, 'credit'::text, 'payment'::text, 'adjustment'::text, 'tax'::text, 'cost'::text, 'clawback'::text, 'payout'::text])) NOT VALID
) WITH (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=500000, autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=200000);
ALTER TABLE transfer ENABLE ROW LEVEL SECURITY;
CREATE INDEX transfer_but_sales ON public.transfer USING btree (to_account, created_at) WHERE (type <> ALL (ARRAY['charge'::text, 'cost'::text]));
CREATE INDEX transfer_of_delivery ON public.transfer USING btree (delivery_id) WHERE (delivery_id IS NOT NULL);
CREATE INDEX transfer_of_invoice ON public.transfer USING btree (invoice_id) WHERE (invoice_id IS NOT NULL);
CREATE TRIGGER transfer_added_to_reports AFTER INSERT ON transfer REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_new_transfers();
CREATE TRIGGER transfer_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON transfer FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transfer_of_accounts AFTER INSERT ON transfer REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_transfer_without_account();
CREATE POLICY own_rows ON transfer USING ((( SELECT is_service() AS is_service) OR ((( SELECT ('buyer:'::text || tenant())) = from_account) OR (( SELECT ('buyer:'::text || tenant())) = to_account))));

CREATE TABLE vertical (
  vertical_key text NOT NULL,
  definition jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT vertical_pkey PRIMARY KEY (vertical_key),
  CONSTRAINT vertical_key_form CHECK (vertical_key ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text)
);
ALTER TABLE vertical ENABLE ROW LEVEL SECURITY;
CREATE POLICY service_only ON vertical USING (( SELECT is_service() AS is_service));

CREATE TABLE warning (
  kind text NOT NULL,
  subject text NOT NULL,
  since timestamp with time zone NOT NULL,
  acknowledged_at timestamp with time zone,
  acknowledged_by text,
  CONSTRAINT warning_pkey PRIMARY KEY (kind, subject),
  CONSTRAINT warning_acknowledgement_whole CHECK ((acknowledged_at IS NULL) = (acknowledged_by IS NULL))
);

CREATE TABLE write_quota (
  account text NOT NULL,
  minute timestamp with time zone NOT NULL,
  used integer NOT NULL,
  CONSTRAINT write_quota_pkey PRIMARY KEY (account, minute),
  CONSTRAINT write_quota_used_check CHECK (used > 0)
);
