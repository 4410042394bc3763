-- Whose days reports have that name no other time zone.
ALTER TABLE marketplace ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC';

-- What reports split leads, deliveries and money by (contract 12.1, decision 061).

-- A standard member of a lead's stored fields as text; empty if it has none. The supplier's own members stand last, under `extra`, and are
-- not looked at. A text with a backslash in it is read with an expression; all others by plain splits, which cost a tenth of that.
CREATE FUNCTION report_member(fields text, name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(CASE
    WHEN strpos(plain, '\') = 0 THEN plain
    ELSE replace(replace(coalesce(substring(fields FROM '"' || name || '":"((?:[^"\\]|\\.)*)"'), ''), '\"', '"'), '\\', '\')
  END, 100)
  FROM (SELECT split_part(split_part(split_part(fields, ',"extra":', 1), '"' || name || '":"', 2), '"', 1)) AS read (plain)
$$;

-- Ranges of ten points; empty for a submission without a score.
CREATE FUNCTION report_score_band(score smallint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN score IS NULL THEN '' WHEN score >= 90 THEN '90-100' ELSE (score / 10 * 10) || '-' || (score / 10 * 10 + 9) END
$$;

-- Ranges of prices, from the first amount to less than the second.
CREATE FUNCTION report_price_band(cents bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (ARRAY['0-10', '10-20', '20-30', '30-50', '50-75', '75-100', '100-150', '150-200', '200-500', '500+'])
    [width_bucket(cents, ARRAY[0, 1000, 2000, 3000, 5000, 7500, 10000, 15000, 20000, 50000]::bigint[])]
$$;

-- What has changed and is not folded yet: appended by triggers in the transaction of the change, deleted by the fold. Triggers, so that the
-- last release, imports and statements by hand are in it as well. `was` is null for a new row; `…_at` is when a delivery was confirmed or
-- failed.
CREATE TABLE report_change (
  kind       text NOT NULL CONSTRAINT report_change_kind_known CHECK (kind IN ('lead', 'delivery', 'transfer')),
  id         uuid NOT NULL,
  was        text,
  was_at     timestamptz,
  status     text,
  status_at  timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0,
        autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000);

-- As their owner, because a partner's request changes a delivery and has no right to this table.
CREATE FUNCTION note_new_leads() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO report_change (kind, id, status) SELECT 'lead', lead_id, public_status FROM added WHERE NOT is_test;
  RETURN NULL;
END $$;
CREATE FUNCTION note_changed_leads() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO report_change (kind, id, was, status)
  SELECT 'lead', n.lead_id, o.public_status, n.public_status FROM changed n JOIN previous o USING (lead_id)
  WHERE n.public_status <> o.public_status AND NOT n.is_test;
  RETURN NULL;
END $$;
CREATE FUNCTION note_new_deliveries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO report_change (kind, id, status, status_at)
  SELECT 'delivery', delivery_id, status, coalesce(failed_at, confirmed_at) FROM added;
  RETURN NULL;
END $$;
CREATE FUNCTION note_changed_deliveries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO report_change (kind, id, was, was_at, status, status_at)
  SELECT 'delivery', n.delivery_id, o.status, coalesce(o.failed_at, o.confirmed_at), n.status, coalesce(n.failed_at, n.confirmed_at)
  FROM changed n JOIN previous o USING (delivery_id)
  WHERE n.status <> o.status OR coalesce(n.failed_at, n.confirmed_at) IS DISTINCT FROM coalesce(o.failed_at, o.confirmed_at);
  RETURN NULL;
END $$;
CREATE FUNCTION note_new_transfers() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO report_change (kind, id)
  SELECT 'transfer', transfer_id FROM added WHERE type IN ('charge', 'credit', 'adjustment', 'cost', 'clawback');
  RETURN NULL;
END $$;

CREATE TRIGGER lead_added_to_reports AFTER INSERT ON lead REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_new_leads();
CREATE TRIGGER lead_changed_in_reports AFTER UPDATE ON lead REFERENCING OLD TABLE AS previous NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_leads();
CREATE TRIGGER delivery_added_to_reports AFTER INSERT ON delivery REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_new_deliveries();
CREATE TRIGGER delivery_changed_in_reports AFTER UPDATE ON delivery REFERENCING OLD TABLE AS previous NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_deliveries();
CREATE TRIGGER transfer_added_to_reports AFTER INSERT ON transfer REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_new_transfers();

-- How far rows from before this migration are folded, from the newest to the oldest: everything from these ids on is. The fold locks the row,
-- so only one runs at a time. `time_zone`: whose days the cells below have.
CREATE TABLE report_progress (
  only_row        boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  time_zone       text NOT NULL,
  leads_from      uuid NOT NULL,
  deliveries_from uuid NOT NULL,
  transfers_from  uuid NOT NULL,
  -- The last batch of facts, and the last one that the cells contain.
  batch           bigint NOT NULL DEFAULT 0,
  celled_batch    bigint NOT NULL DEFAULT 0,
  folded_at       timestamptz
);
INSERT INTO report_progress (time_zone, leads_from, deliveries_from, transfers_from)
SELECT time_zone, CASE WHEN EXISTS (SELECT FROM lead) THEN last.id ELSE first.id END,
       CASE WHEN EXISTS (SELECT FROM delivery) THEN last.id ELSE first.id END,
       CASE WHEN EXISTS (SELECT FROM transfer) THEN last.id ELSE first.id END
FROM marketplace, (SELECT '00000000-0000-0000-0000-000000000000'::uuid) AS first (id),
     (SELECT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) AS last (id);

-- Sources and campaigns that reports name, per supplier and UTC month; what comes after a fixed number of them is `(other)`.
CREATE TABLE report_text (
  supplier text NOT NULL,
  month    date NOT NULL,
  kind     text NOT NULL CONSTRAINT report_text_kind_known CHECK (kind IN ('source', 'campaign')),
  value    text NOT NULL,
  PRIMARY KEY (supplier, month, kind, value)
);

-- Everything that reports add up, with all that it is split by, per quarter of an hour: every time zone in use is whole quarters from UTC.
-- Appended in batches, never changed: a change adds what it takes away as a negative number. An empty text is no value, null is 0.
CREATE TABLE report_fact (
  batch bigint NOT NULL,
  at timestamptz NOT NULL,
  supplier text COLLATE "C" NOT NULL, source text COLLATE "C" NOT NULL, campaign text COLLATE "C" NOT NULL, partner text COLLATE "C" NOT NULL, offer text COLLATE "C" NOT NULL,
  event_type text COLLATE "C" NOT NULL, state text COLLATE "C" NOT NULL, score_band text COLLATE "C" NOT NULL, price_band text COLLATE "C" NOT NULL,
  submitted integer, accepted integer, sold integer, unsold integer, deliveries integer, kept integer, returned integer, settled integer,
  failed integer, price_cents bigint, revenue_cents bigint, cost_cents bigint,
  s1 integer, s2 integer, s3 integer, s4 integer, s5 integer, s6 integer, s7 integer, s8 integer, s9 integer, s10 integer, s11 integer,
  s12 integer, s13 integer, s14 integer, s15 integer
) WITH (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 200000);
CREATE INDEX report_fact_by_batch ON report_fact USING brin (batch) WITH (pages_per_range = 16);
CREATE INDEX report_fact_by_time ON report_fact USING brin (at) WITH (pages_per_range = 16);

-- The same sums by fewer dimensions and longer times, so that a year is read from some hundred thousand rows at most. A roll-up has the
-- dimensions of src/reports/rollups.rules.ts, the others are empty. Levels: 0 an hour in UTC, 1 a day, 2 about five days, 3 a month, in
-- the time zone of report_progress; `slot` is where it starts.
CREATE TABLE report_cell (
  rollup smallint NOT NULL,
  level smallint NOT NULL,
  slot timestamp NOT NULL,
  supplier text COLLATE "C" NOT NULL, source text COLLATE "C" NOT NULL, campaign text COLLATE "C" NOT NULL, partner text COLLATE "C" NOT NULL, offer text COLLATE "C" NOT NULL,
  event_type text COLLATE "C" NOT NULL, state text COLLATE "C" NOT NULL, score_band text COLLATE "C" NOT NULL, price_band text COLLATE "C" NOT NULL,
  submitted bigint, accepted bigint, sold bigint, unsold bigint, deliveries bigint, kept bigint, returned bigint, settled bigint,
  failed bigint, price_cents bigint, revenue_cents bigint, cost_cents bigint,
  s1 bigint, s2 bigint, s3 bigint, s4 bigint, s5 bigint, s6 bigint, s7 bigint, s8 bigint, s9 bigint, s10 bigint, s11 bigint,
  s12 bigint, s13 bigint, s14 bigint, s15 bigint,
  PRIMARY KEY (rollup, level, slot, supplier, source, campaign, partner, offer, event_type, state, score_band, price_band)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);

-- The second wall: a partner's request sees the sums of its own deliveries, and no cost.
ALTER TABLE report_fact ENABLE ROW LEVEL SECURITY;
ALTER TABLE report_fact FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON report_fact USING ((SELECT is_service()) OR partner = (SELECT tenant()));
ALTER TABLE report_cell ENABLE ROW LEVEL SECURITY;
ALTER TABLE report_cell FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON report_cell USING ((SELECT is_service()) OR partner = (SELECT tenant()));
