-- Configuration, credentials, audit. Keys are the operator's own short names and never change once given.

CREATE TABLE marketplace (
  only_row        boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Counts up with every change of configuration; processes reload when it differs from theirs.
  config_version  bigint NOT NULL,
  currency        text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  strategy        text NOT NULL CONSTRAINT strategy_known CHECK (strategy IN ('price', 'weighted', 'round_robin')),
  dedup_days      integer NOT NULL CHECK (dedup_days >= 0),
  hold_minutes    integer NOT NULL CHECK (hold_minutes >= 0),
  retry_seconds   integer[] NOT NULL,
  score_weights   jsonb NOT NULL,
  breaker         jsonb NOT NULL,
  -- Keys the hash under which a person is recognised, so that a copy of that table alone names nobody.
  person_pepper   bytea NOT NULL,
  -- The service's own origin while it shows the demo: the one target on this machine that it may then call.
  demo_origin     text
);

INSERT INTO marketplace VALUES (
  true, 1, 'USD', 'price', 30, 15, '{0,5,30,120,600,1800,7200,18000,36000}',
  '{"contact": 30, "completeness": 25, "consent": 20, "supplier": 15, "plausibility": 10}',
  '{"failures": 10, "probeSeconds": 30}',
  decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'), NULL);

CREATE TABLE supplier (
  supplier_key   text PRIMARY KEY CHECK (supplier_key ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name           text NOT NULL,
  status         text NOT NULL CONSTRAINT supplier_status_known CHECK (status IN ('pending', 'approved', 'suspended')),
  -- A list of entries: of two names for one field the first one wins, and jsonb keeps the order of lists only.
  field_mapping  jsonb NOT NULL,
  callback       jsonb,
  rate_limit     jsonb,
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL
);

CREATE TABLE buyer (
  buyer_key              text PRIMARY KEY CHECK (buyer_key ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name                   text NOT NULL,
  status                 text NOT NULL CONSTRAINT buyer_status_known CHECK (status IN ('active', 'paused', 'suspended')),
  time_zone              text NOT NULL,
  channels               text[] NOT NULL,
  notification_email     text,
  cc_emails              text[] NOT NULL DEFAULT '{}',
  webhook_url            text,
  phone                  text,
  sms_number             text,
  sheets_webhook_url     text,
  sheets_spreadsheet_id  text,
  -- What the last applied file said of the settings: only a difference to this is written over a buyer's own change.
  file_settings          jsonb NOT NULL,
  editable_fields        text[] NOT NULL,
  beta_tools             text[] NOT NULL,
  rate_limit             jsonb,
  return_policy          jsonb NOT NULL,
  billing_mode           text NOT NULL CONSTRAINT billing_mode_known CHECK (billing_mode IN ('prepaid', 'postpaid')),
  -- Null where the partner may owe any amount.
  credit_limit_cents     bigint CHECK (credit_limit_cents >= 0),
  -- Set when the endpoint answered 410; cleared by a new webhookUrl or by the operator.
  endpoint_disabled_at   timestamptz,
  created_at             timestamptz NOT NULL,
  updated_at             timestamptz NOT NULL
);

CREATE TABLE offer (
  offer_key   text PRIMARY KEY CHECK (offer_key ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  buyer_key   text NOT NULL REFERENCES buyer,
  status      text NOT NULL CONSTRAINT offer_status_known CHECK (status IN ('active', 'paused', 'closed')),
  definition  jsonb NOT NULL,
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL
);

-- Every definition that was ever in force, so that an old decision can be explained by the rules of its day.
CREATE TABLE config_history (
  kind         text NOT NULL CONSTRAINT history_kind_known CHECK (kind IN ('marketplace', 'supplier', 'buyer', 'offer')),
  key          text NOT NULL,
  version      bigint NOT NULL,
  definition   jsonb NOT NULL,
  recorded_at  timestamptz NOT NULL,
  PRIMARY KEY (kind, key, version)
);

CREATE TABLE credential (
  credential_id  uuid PRIMARY KEY,
  kind           text NOT NULL CONSTRAINT credential_kind_known CHECK (kind IN ('supplier_key', 'buyer_token', 'operator_token')),
  owner_key      text NOT NULL,
  secret_hash    bytea NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
  last4          text NOT NULL,
  label          text,
  created_at     timestamptz NOT NULL,
  last_used_at   timestamptz,
  expires_at     timestamptz,
  revoked_at     timestamptz
);
CREATE INDEX credential_of_owner ON credential (kind, owner_key);

CREATE TABLE signing_secret (
  owner_kind            text NOT NULL CONSTRAINT secret_owner_known CHECK (owner_kind IN ('supplier', 'buyer')),
  owner_key             text NOT NULL,
  secret                text NOT NULL,
  previous_secret       text,
  previous_valid_until  timestamptz,
  created_at            timestamptz NOT NULL,
  PRIMARY KEY (owner_kind, owner_key),
  CHECK ((previous_secret IS NULL) = (previous_valid_until IS NULL))
);

CREATE TABLE audit_event (
  audit_id      uuid PRIMARY KEY,
  at            timestamptz NOT NULL,
  actor_type    text NOT NULL CONSTRAINT actor_known CHECK (actor_type IN ('buyer', 'supplier', 'operator', 'system')),
  actor_name    text NOT NULL,
  -- The partner that may see it; null for what concerns the operator alone.
  buyer_key     text,
  supplier_key  text,
  action        text NOT NULL,
  target        text NOT NULL,
  changes       jsonb NOT NULL,
  ip            text,
  request_id    text
);
CREATE INDEX audit_event_of_buyer ON audit_event (buyer_key, audit_id DESC) WHERE buyer_key IS NOT NULL;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Answers kept for 24 hours under the client's own key.
CREATE TABLE idempotency_key (
  credential_id    uuid NOT NULL,
  idempotency_key  text NOT NULL,
  method           text NOT NULL,
  path             text NOT NULL,
  body_hash        bytea NOT NULL,
  status           smallint NOT NULL,
  content_type     text NOT NULL,
  body             text NOT NULL,
  created_at       timestamptz NOT NULL,
  PRIMARY KEY (credential_id, idempotency_key)
);
CREATE INDEX idempotency_key_age ON idempotency_key (created_at);

-- Jobs that failed for good, of every queue: seen and repeated by the operator, never repeated by themselves.
CREATE TABLE dead_job (
  job_id     uuid PRIMARY KEY,
  name       text NOT NULL,
  payload    jsonb NOT NULL,
  attempts   integer NOT NULL,
  error      text NOT NULL,
  failed_at  timestamptz NOT NULL
);
