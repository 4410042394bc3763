-- The suppliers' side of the money: terms in the configuration, accounts beside those of partners, and what each sale costs (contract 11.1, 11.2).

ALTER TABLE supplier ADD COLUMN pay jsonb, ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC';

-- An account belongs to a partner or to a supplier. The kinds differ, so equal keys of a partner and a supplier never clash, and policies
-- that compare buyer_key or `buyer:<key>` with the tenant see no supplier's account, transfer or entry.
ALTER TABLE account ADD COLUMN supplier_key text;
ALTER TABLE account ALTER COLUMN buyer_key DROP NOT NULL;
-- Short lock: a handful of rows per partner.
ALTER TABLE account DROP CONSTRAINT account_kind_known, DROP CONSTRAINT account_check,
  ADD CONSTRAINT account_kind_known CHECK (
    kind IN ('buyer', 'revenue', 'cash', 'adjustment', 'tax') AND buyer_key IS NOT NULL AND supplier_key IS NULL
    OR kind IN ('supplier', 'cost', 'payout', 'supplier_adjustment') AND supplier_key IS NOT NULL AND buyer_key IS NULL),
  ADD CONSTRAINT account_check CHECK (account_key = kind || ':' || coalesce(buyer_key, supplier_key));
-- Short lock: no row is read; every type that was allowed still is.
ALTER TABLE transfer DROP CONSTRAINT transfer_type_known,
  ADD CONSTRAINT transfer_type_known
    CHECK (type IN ('charge', 'credit', 'payment', 'adjustment', 'tax', 'cost', 'clawback', 'payout')) NOT VALID;

INSERT INTO account (account_key, kind, buyer_key) SELECT 'tax:' || buyer_key, 'tax', buyer_key FROM account WHERE kind = 'buyer';
INSERT INTO account (account_key, kind, supplier_key)
SELECT kind || ':' || supplier_key, kind, supplier_key
FROM supplier, unnest('{supplier,cost,payout,supplier_adjustment}'::text[]) AS kind_of_account (kind);

-- What a delivery costs if it is sold, and the terms for it: fixed when the lead was routed, so that a change of terms concerns later leads
-- only. A table of its own, and not columns of `delivery`, which partners' requests read: the role leadmarket_buyer has no right to it, and
-- the last release, which reads whole rows of `delivery`, goes on working. No row: the delivery costs nothing.
CREATE TABLE delivery_cost (
  delivery_id     uuid PRIMARY KEY,
  model           text NOT NULL CONSTRAINT delivery_cost_model_known CHECK (model IN ('fixed', 'share')),
  cost_cents      bigint NOT NULL CHECK (cost_cents >= 0),
  -- Hundredths of a percent of the price.
  share           smallint CHECK (share BETWEEN 0 AND 10000),
  -- null: a return is not clawed back.
  clawback_days   smallint,
  hold_days       smallint NOT NULL,
  CHECK ((model = 'share') = (share IS NOT NULL))
) WITH (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 200000);
