-- Statements and payouts of suppliers. A statement covers a range of entries of the supplier's ledger account: it moves no money, and nothing of
-- it changes after the issue.

-- The last number of each year. Issuing a statement locks the row until the commit, so that no number is lost or used twice.
CREATE TABLE supplier_statement_counter (
  year         integer PRIMARY KEY,
  last_number  bigint NOT NULL CHECK (last_number > 0)
);

-- One row per supplier: its lock for issuing statements, and the last entry that is on one.
CREATE TABLE supplier_statement_progress (
  supplier_key   text PRIMARY KEY,
  up_to_version  bigint NOT NULL DEFAULT 0 CHECK (up_to_version >= 0)
);

CREATE TABLE supplier_statement (
  statement_id        uuid PRIMARY KEY,
  supplier_key        text NOT NULL,
  number              text NOT NULL UNIQUE CHECK (number ~ '^ST-\d{4}-\d{6,}$'),
  -- The month by its first day, in the time zone that the supplier had at the issue; `ends_at` is outside.
  period              date NOT NULL CHECK (extract(day FROM period) = 1),
  time_zone           text NOT NULL,
  starts_at           timestamptz NOT NULL,
  ends_at             timestamptz NOT NULL,
  -- The names of both parties at the issue.
  operator_name       text NOT NULL,
  supplier_name       text NOT NULL,
  currency            text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- The entries of the account on this statement, both inclusive. Empty (`up_to_version` = `from_version` - 1) if only a balance is carried.
  from_version        bigint NOT NULL CHECK (from_version > 0),
  up_to_version       bigint NOT NULL,
  -- The balance before the first entry, and after the last one.
  carried_cents       bigint NOT NULL,
  total_cents         bigint NOT NULL,
  leads               bigint NOT NULL CHECK (leads >= 0),
  earned_cents        bigint NOT NULL CHECK (earned_cents >= 0),
  clawed_back_cents   bigint NOT NULL CHECK (clawed_back_cents >= 0),
  paid_out_cents      bigint NOT NULL CHECK (paid_out_cents >= 0),
  adjusted_cents      bigint NOT NULL,
  -- The part of the total whose hold ended after the period: earned, not clawed back, and not to be paid out yet.
  held_cents          bigint NOT NULL CHECK (held_cents >= 0),
  issued_at           timestamptz NOT NULL,
  CONSTRAINT supplier_statement_once UNIQUE (supplier_key, period),
  CONSTRAINT supplier_statement_period_whole CHECK (starts_at < ends_at),
  CONSTRAINT supplier_statement_range_whole CHECK (up_to_version >= from_version - 1),
  CONSTRAINT supplier_statement_total_right CHECK (
    total_cents = carried_cents + earned_cents - clawed_back_cents - paid_out_cents + adjusted_cents)
);
-- A line cannot be on two statements: ranges start after the last one, and no two start at the same entry.
CREATE UNIQUE INDEX supplier_statement_range_once ON supplier_statement (supplier_key, from_version) WHERE up_to_version >= from_version;
CREATE INDEX supplier_statement_of_supplier ON supplier_statement (supplier_key, issued_at DESC, statement_id DESC);
CREATE INDEX supplier_statement_by_time ON supplier_statement (issued_at DESC, statement_id DESC);

-- The entries of a statement summed by day of the period; day 0 is before it.
CREATE TABLE supplier_statement_item (
  statement_id  uuid NOT NULL REFERENCES supplier_statement,
  day           integer NOT NULL CHECK (day BETWEEN 0 AND 31),
  kind          text NOT NULL CONSTRAINT supplier_statement_item_kind_known CHECK (kind IN ('earned', 'clawed_back', 'paid_out', 'adjusted')),
  quantity      bigint NOT NULL CHECK (quantity > 0),
  -- As in the account: negative for what is clawed back or paid out.
  amount_cents  bigint NOT NULL,
  PRIMARY KEY (statement_id, day, kind)
);

-- Payouts with the reference under which the operator made them; the money is the transfer's.
CREATE TABLE supplier_payout (
  transfer_id   uuid PRIMARY KEY,
  supplier_key  text NOT NULL,
  reference     text NOT NULL,
  amount_cents  bigint NOT NULL CHECK (amount_cents > 0),
  balance_after_cents bigint NOT NULL,
  recorded_at   timestamptz NOT NULL,
  UNIQUE (supplier_key, reference)
);
CREATE INDEX supplier_payout_of_supplier ON supplier_payout (supplier_key, recorded_at DESC, transfer_id DESC);
CREATE INDEX supplier_payout_by_time ON supplier_payout (recorded_at DESC, transfer_id DESC);

-- The entries of a supplier's account summed by the day of its time zone, up to `folded_version`: reading a year of earnings does not depend on
-- the number of leads.
CREATE TABLE supplier_earning_day (
  supplier_key       text NOT NULL,
  day                date NOT NULL,
  leads              bigint NOT NULL,
  earned_cents       bigint NOT NULL,
  clawed_back_cents  bigint NOT NULL,
  paid_out_cents     bigint NOT NULL,
  adjusted_cents     bigint NOT NULL,
  -- The earnings whose hold ends on this day, less what was clawed back of them at any time. Such a day may be in the future.
  payable_cents      bigint NOT NULL,
  PRIMARY KEY (supplier_key, day)
) WITH (fillfactor = 70);
CREATE TABLE supplier_earning_progress (
  supplier_key    text PRIMARY KEY,
  folded_version  bigint NOT NULL DEFAULT 0 CHECK (folded_version >= 0)
) WITH (fillfactor = 70);

-- Short lock: the table is new.
CREATE TRIGGER supplier_statement_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON supplier_statement
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- Short lock: the table is new.
CREATE TRIGGER supplier_statement_item_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON supplier_statement_item
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- Short lock: the table is new.
CREATE TRIGGER supplier_payout_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON supplier_payout
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Partners' requests never see a supplier's money (decision 017): the role has no right to these tables, and no row would be visible.
ALTER TABLE supplier_statement ENABLE ROW LEVEL SECURITY;
ALTER TABLE supplier_statement FORCE ROW LEVEL SECURITY;
CREATE POLICY service_only ON supplier_statement USING ((SELECT is_service()));
ALTER TABLE supplier_statement_item ENABLE ROW LEVEL SECURITY;
ALTER TABLE supplier_statement_item FORCE ROW LEVEL SECURITY;
CREATE POLICY service_only ON supplier_statement_item USING ((SELECT is_service()));
ALTER TABLE supplier_payout ENABLE ROW LEVEL SECURITY;
ALTER TABLE supplier_payout FORCE ROW LEVEL SECURITY;
CREATE POLICY service_only ON supplier_payout USING ((SELECT is_service()));
ALTER TABLE supplier_earning_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE supplier_earning_day FORCE ROW LEVEL SECURITY;
CREATE POLICY service_only ON supplier_earning_day USING ((SELECT is_service()));
