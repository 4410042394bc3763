-- Double entry: a transfer moves an amount between two accounts and leaves two entries; balances are kept with the account and
-- proved by the entries. A buyer's account holds the money that the partner has left; its counterparts are per buyer, too, so
-- that no row is shared by everybody's sales.

CREATE TABLE account (
  account_key    text PRIMARY KEY,
  kind           text NOT NULL CONSTRAINT account_kind_known CHECK (kind IN ('buyer', 'revenue', 'cash', 'adjustment')),
  buyer_key      text NOT NULL,
  balance_cents  bigint NOT NULL DEFAULT 0,
  -- Promised to deliveries that are not confirmed yet; no ledger entry.
  held_cents     bigint NOT NULL DEFAULT 0 CHECK (held_cents >= 0),
  version        bigint NOT NULL DEFAULT 0,
  CHECK (account_key = kind || ':' || buyer_key)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE TABLE transfer (
  transfer_id    uuid PRIMARY KEY,
  -- The business event, e.g. `sale:<delivery>`: money for it moves once, whatever is repeated.
  business_key   text NOT NULL UNIQUE,
  type           text NOT NULL CONSTRAINT transfer_type_known CHECK (type IN ('charge', 'credit', 'payment', 'adjustment')),
  from_account   text NOT NULL REFERENCES account,
  to_account     text NOT NULL REFERENCES account,
  amount_cents   bigint NOT NULL CHECK (amount_cents > 0),
  description    text NOT NULL,
  delivery_id    uuid,
  return_id      uuid,
  dispute_id     uuid,
  invoice_id     uuid,
  created_at     timestamptz NOT NULL,
  CHECK (from_account <> to_account)
);

CREATE TABLE entry (
  entry_id             uuid PRIMARY KEY,
  transfer_id          uuid NOT NULL REFERENCES transfer,
  account_key          text NOT NULL,
  account_version      bigint NOT NULL,
  amount_cents         bigint NOT NULL CHECK (amount_cents <> 0),
  balance_after_cents  bigint NOT NULL,
  created_at           timestamptz NOT NULL,
  UNIQUE (account_key, account_version)
);

CREATE TRIGGER transfer_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON transfer
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE INDEX entry_of_transfer ON entry (transfer_id);
CREATE INDEX transfer_of_delivery ON transfer (delivery_id) WHERE delivery_id IS NOT NULL;
