-- The schema that the migrations come to, for reading; nothing runs this file.
-- Rewritten by `npm run schema` and compared with a freshly migrated database by test/schema.test.ts.

CREATE SEQUENCE decision_order AS bigint INCREMENT 1 MINVALUE 1 MAXVALUE 9223372036854775807 START 1 CACHE 1;

CREATE SEQUENCE delivery_ref_number AS bigint INCREMENT 1 MINVALUE 1 MAXVALUE 9223372036854775807 START 100042 CACHE 50;

CREATE SEQUENCE offer_turn_number AS bigint INCREMENT 1 MINVALUE 1 MAXVALUE 9223372036854775807 START 1 CACHE 1;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $function$;

CREATE TABLE account (
  account_key text NOT NULL,
  kind text NOT NULL,
  buyer_key text NOT NULL,
  balance_cents bigint DEFAULT 0 NOT NULL,
  held_cents bigint DEFAULT 0 NOT NULL,
  version bigint DEFAULT 0 NOT NULL,
  CONSTRAINT account_pkey PRIMARY KEY (account_key),
  CONSTRAINT account_check CHECK (account_key = ((kind || ':'::text) || buyer_key)),
  CONSTRAINT account_held_cents_check CHECK (held_cents >= 0),
  CONSTRAINT account_kind_known CHECK (kind = ANY (ARRAY['buyer'::text, 'revenue'::text, 'cash'::text, 'adjustment'::text]))
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);

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
  CONSTRAINT attempt_pkey PRIMARY KEY (attempt_id),
  CONSTRAINT attempt_state_known CHECK (state = ANY (ARRAY['scheduled'::text, 'succeeded'::text, 'failed'::text, 'exhausted'::text]))
) WITH (fillfactor=80);
CREATE INDEX attempt_of_buyer ON public.attempt USING btree (buyer_key, attempt_id DESC);
CREATE INDEX attempt_of_delivery ON public.attempt USING btree (delivery_id, attempt_id) WHERE (delivery_id IS NOT NULL);

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
CREATE INDEX audit_event_of_buyer ON public.audit_event USING btree (buyer_key, audit_id DESC) WHERE (buyer_key IS NOT NULL);
CREATE TRIGGER audit_event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

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
  CONSTRAINT buyer_pkey PRIMARY KEY (buyer_key),
  CONSTRAINT billing_mode_known CHECK (billing_mode = ANY (ARRAY['prepaid'::text, 'postpaid'::text])),
  CONSTRAINT buyer_buyer_key_check CHECK (buyer_key ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text),
  CONSTRAINT buyer_credit_limit_cents_check CHECK (credit_limit_cents >= 0),
  CONSTRAINT buyer_status_known CHECK (status = ANY (ARRAY['active'::text, 'paused'::text, 'suspended'::text]))
);

CREATE TABLE callback_job (
  event_id uuid NOT NULL,
  supplier_key text NOT NULL,
  type text NOT NULL,
  lead_id uuid NOT NULL,
  external_id text,
  status text NOT NULL,
  reason text,
  occurred_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone NOT NULL,
  attempts smallint DEFAULT 0 NOT NULL,
  CONSTRAINT callback_job_pkey PRIMARY KEY (event_id),
  CONSTRAINT callback_type_known CHECK (type = ANY (ARRAY['lead.processing_error'::text, 'lead.routed'::text, 'lead.rejected'::text, 'lead.returned'::text]))
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);
CREATE INDEX callback_job_of_supplier ON public.callback_job USING btree (supplier_key, due_at);

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

CREATE TABLE config_history (
  kind text NOT NULL,
  key text NOT NULL,
  version bigint NOT NULL,
  definition jsonb NOT NULL,
  recorded_at timestamp with time zone NOT NULL,
  CONSTRAINT config_history_pkey PRIMARY KEY (kind, key, version),
  CONSTRAINT history_kind_known CHECK (kind = ANY (ARRAY['marketplace'::text, 'supplier'::text, 'buyer'::text, 'offer'::text]))
);

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
  CONSTRAINT credential_pkey PRIMARY KEY (credential_id),
  CONSTRAINT credential_secret_hash_key UNIQUE (secret_hash),
  CONSTRAINT credential_kind_known CHECK (kind = ANY (ARRAY['supplier_key'::text, 'buyer_token'::text, 'operator_token'::text])),
  CONSTRAINT credential_secret_hash_check CHECK (length(secret_hash) = 32)
);
CREATE INDEX credential_of_owner ON public.credential USING btree (kind, owner_key);

CREATE TABLE dead_job (
  job_id uuid NOT NULL,
  name text NOT NULL,
  payload jsonb NOT NULL,
  attempts integer NOT NULL,
  error text NOT NULL,
  failed_at timestamp with time zone NOT NULL,
  CONSTRAINT dead_job_pkey PRIMARY KEY (job_id)
);

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
  CONSTRAINT delivery_pkey PRIMARY KEY (delivery_id),
  CONSTRAINT delivery_ref_number_key UNIQUE (ref_number),
  CONSTRAINT delivery_check CHECK ((status = 'Failed'::text) = (failed_at IS NOT NULL)),
  CONSTRAINT delivery_check1 CHECK (status = 'Failed'::text OR NOT may_have_arrived),
  CONSTRAINT delivery_check2 CHECK ((status = ANY (ARRAY['Confirmed'::text, 'Returned'::text])) = (confirmed_at IS NOT NULL)),
  CONSTRAINT delivery_check3 CHECK ((status = 'Returned'::text) = (returned_at IS NOT NULL)),
  CONSTRAINT delivery_check4 CHECK (NOT (is_exclusive AND status = 'Failed'::text)),
  CONSTRAINT delivery_payout_cents_check CHECK (payout_cents >= 0),
  CONSTRAINT delivery_status_known CHECK (status = ANY (ARRAY['Pending'::text, 'Confirmed'::text, 'Failed'::text, 'Returned'::text])),
  CONSTRAINT event_type_known CHECK (event_type = ANY (ARRAY['Lead Sale'::text, 'Calendar Assigned'::text]))
) WITH (fillfactor=80);
CREATE UNIQUE INDEX delivery_exclusive ON public.delivery USING btree (lead_id) WHERE is_exclusive;
CREATE INDEX delivery_failed ON public.delivery USING btree (buyer_key, delivered_at DESC, delivery_id DESC) WHERE (failed_at IS NOT NULL);
CREATE INDEX delivery_of_buyer ON public.delivery USING btree (buyer_key, delivered_at DESC, delivery_id DESC);
CREATE UNIQUE INDEX delivery_once_per_buyer ON public.delivery USING btree (lead_id, buyer_key);
CREATE INDEX delivery_returned ON public.delivery USING btree (buyer_key, delivered_at DESC, delivery_id DESC) WHERE (returned_at IS NOT NULL);

CREATE TABLE delivery_count (
  buyer_key text NOT NULL,
  day date NOT NULL,
  status text NOT NULL,
  event_type text NOT NULL,
  offer_key text NOT NULL,
  deliveries bigint NOT NULL,
  payout_cents bigint NOT NULL
);
CREATE INDEX delivery_count_of_buyer ON public.delivery_count USING btree (buyer_key, day);

CREATE TABLE entry (
  entry_id uuid NOT NULL,
  transfer_id uuid NOT NULL,
  account_key text NOT NULL,
  account_version bigint NOT NULL,
  amount_cents bigint NOT NULL,
  balance_after_cents bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT entry_pkey PRIMARY KEY (entry_id),
  CONSTRAINT entry_account_key_account_version_key UNIQUE (account_key, account_version),
  CONSTRAINT entry_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfer(transfer_id),
  CONSTRAINT entry_amount_cents_check CHECK (amount_cents <> 0)
);
CREATE INDEX entry_of_transfer ON public.entry USING btree (transfer_id);
CREATE TRIGGER entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

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
CREATE INDEX idempotency_key_age ON public.idempotency_key USING btree (created_at);

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
  CONSTRAINT lead_pkey PRIMARY KEY (lead_id),
  CONSTRAINT lead_check CHECK (is_accepted = (score IS NOT NULL)),
  CONSTRAINT lead_check1 CHECK (is_accepted = (content_hash IS NOT NULL)),
  CONSTRAINT lead_score_check CHECK (score >= 0 AND score <= 100),
  CONSTRAINT lead_state_known CHECK (state = ANY (ARRAY['received'::text, 'held'::text, 'routed'::text, 'rejected'::text])),
  CONSTRAINT lead_status_known CHECK (public_status = ANY (ARRAY['Pending'::text, 'Lead Sale'::text, 'Calendar Assigned'::text, 'Duplicate'::text, 'No Buyer'::text, 'Invalid'::text]))
) WITH (fillfactor=70);
CREATE UNIQUE INDEX lead_external_id ON public.lead USING btree (supplier_key, is_test, external_id) WHERE ((external_id IS NOT NULL) AND is_accepted);

CREATE TABLE lead_count (
  supplier_key text NOT NULL,
  day date NOT NULL,
  public_status text NOT NULL,
  leads bigint NOT NULL,
  scored bigint NOT NULL,
  score_sum bigint NOT NULL
);
CREATE INDEX lead_count_of_supplier ON public.lead_count USING btree (supplier_key, day);

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
  CONSTRAINT marketplace_pkey PRIMARY KEY (only_row),
  CONSTRAINT marketplace_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT marketplace_dedup_days_check CHECK (dedup_days >= 0),
  CONSTRAINT marketplace_hold_minutes_check CHECK (hold_minutes >= 0),
  CONSTRAINT marketplace_only_row_check CHECK (only_row),
  CONSTRAINT strategy_known CHECK (strategy = ANY (ARRAY['price'::text, 'weighted'::text, 'round_robin'::text]))
);

CREATE TABLE offer (
  offer_key text NOT NULL,
  buyer_key text NOT NULL,
  status text NOT NULL,
  definition jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT offer_pkey PRIMARY KEY (offer_key),
  CONSTRAINT offer_buyer_key_fkey FOREIGN KEY (buyer_key) REFERENCES buyer(buyer_key),
  CONSTRAINT offer_offer_key_check CHECK (offer_key ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text),
  CONSTRAINT offer_status_known CHECK (status = ANY (ARRAY['active'::text, 'paused'::text, 'closed'::text]))
);

CREATE TABLE offer_turn (
  offer_key text NOT NULL,
  turn bigint NOT NULL,
  CONSTRAINT offer_turn_pkey PRIMARY KEY (offer_key)
) WITH (fillfactor=20, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);

CREATE TABLE person_sale (
  person_hash bigint NOT NULL,
  scope text NOT NULL,
  delivery_id uuid,
  sold_at timestamp with time zone,
  seen_at timestamp with time zone NOT NULL,
  CONSTRAINT person_sale_pkey PRIMARY KEY (person_hash, scope)
) WITH (fillfactor=80);
CREATE INDEX person_sale_of_delivery ON public.person_sale USING btree (delivery_id) WHERE (delivery_id IS NOT NULL);

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
);
CREATE INDEX routing_decision_by_time ON public.routing_decision USING btree (decided_at);

CREATE TABLE routing_inbox (
  due_at timestamp with time zone NOT NULL,
  lead_id uuid NOT NULL,
  failures smallint DEFAULT 0 NOT NULL,
  CONSTRAINT routing_inbox_pkey PRIMARY KEY (due_at, lead_id)
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_cost_delay=0);

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
  CONSTRAINT send_job_pkey PRIMARY KEY (delivery_id, channel)
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_cost_delay=0);
CREATE INDEX send_job_of_buyer ON public.send_job USING btree (buyer_key, due_at);

CREATE TABLE signing_secret (
  owner_kind text NOT NULL,
  owner_key text NOT NULL,
  secret text NOT NULL,
  previous_secret text,
  previous_valid_until timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT signing_secret_pkey PRIMARY KEY (owner_kind, owner_key),
  CONSTRAINT secret_owner_known CHECK (owner_kind = ANY (ARRAY['supplier'::text, 'buyer'::text])),
  CONSTRAINT signing_secret_check CHECK ((previous_secret IS NULL) = (previous_valid_until IS NULL))
);

CREATE TABLE supplier (
  supplier_key text NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  field_mapping jsonb NOT NULL,
  callback jsonb,
  rate_limit jsonb,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT supplier_pkey PRIMARY KEY (supplier_key),
  CONSTRAINT supplier_status_known CHECK (status = ANY (ARRAY['pending'::text, 'approved'::text, 'suspended'::text])),
  CONSTRAINT supplier_supplier_key_check CHECK (supplier_key ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text)
);

CREATE TABLE supplier_quality_count (
  supplier_key text NOT NULL,
  day date NOT NULL,
  confirmed bigint NOT NULL,
  returned bigint NOT NULL
);
CREATE INDEX supplier_quality_count_of_day ON public.supplier_quality_count USING btree (day, supplier_key);

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
  CONSTRAINT transfer_from_account_fkey FOREIGN KEY (from_account) REFERENCES account(account_key),
  CONSTRAINT transfer_to_account_fkey FOREIGN KEY (to_account) REFERENCES account(account_key),
  CONSTRAINT transfer_amount_cents_check CHECK (amount_cents > 0),
  CONSTRAINT transfer_check CHECK (from_account <> to_account),
  CONSTRAINT transfer_type_known CHECK (type = ANY (ARRAY['charge'::text, 'credit'::text, 'payment'::text, 'adjustment'::text]))
);
CREATE INDEX transfer_of_delivery ON public.transfer USING btree (delivery_id) WHERE (delivery_id IS NOT NULL);
CREATE TRIGGER transfer_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON transfer FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
