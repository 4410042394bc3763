-- Leads as they came in and where they stand. The hot tables reference suppliers and buyers without foreign keys: those rows are
-- never deleted, and the check would take a shared lock on the same few rows for every lead.

CREATE TABLE lead (
  lead_id        uuid PRIMARY KEY,
  supplier_key   text NOT NULL,
  external_id    text,
  is_test        boolean NOT NULL,
  -- False for a submission that failed its checks: it is counted, but does not occupy its external id.
  is_accepted    boolean NOT NULL,
  state          text NOT NULL CONSTRAINT lead_state_known CHECK (state IN ('received', 'held', 'routed', 'rejected')),
  public_status  text NOT NULL CONSTRAINT lead_status_known
                 CHECK (public_status IN ('Pending', 'Lead Sale', 'Calendar Assigned', 'Duplicate', 'No Buyer', 'Invalid')),
  -- The failed checks of an invalid submission, or the named reason of a rejection.
  reason         text,
  score          smallint CHECK (score BETWEEN 0 AND 100),
  score_factors  text,
  received_at    timestamptz NOT NULL,
  decided_at     timestamptz,
  content_hash   bytea,
  -- JSON as text: jsonb would refuse some of what suppliers may send, and nothing is ever searched inside.
  fields         text,
  raw_body       text,
  CHECK (is_accepted = (score IS NOT NULL)),
  CHECK (is_accepted = (content_hash IS NOT NULL))
) WITH (fillfactor = 70);
-- Nothing that changes later stands in an index, so that the change of state stays within its page.
CREATE UNIQUE INDEX lead_external_id ON lead (supplier_key, is_test, external_id)
  WHERE external_id IS NOT NULL AND is_accepted;

-- The routing inbox: a row per lead that waits for its decision; deleted by the transaction that decides.
CREATE TABLE routing_inbox (
  due_at    timestamptz NOT NULL,
  lead_id   uuid NOT NULL,
  failures  smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (due_at, lead_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_cost_delay = 0);

-- Who was sold to whom, by keyed hash of phone or e-mail. Scope `*` stands for all buyers (an exclusive sale) and is also the row
-- that everybody who decides on this person locks first; any other scope is one buyer's key (a shared sale).
CREATE TABLE person_sale (
  person_hash  bigint NOT NULL,
  scope        text NOT NULL,
  delivery_id  uuid,
  sold_at      timestamptz,
  seen_at      timestamptz NOT NULL,
  PRIMARY KEY (person_hash, scope)
) WITH (fillfactor = 80);
CREATE INDEX person_sale_of_delivery ON person_sale (delivery_id) WHERE delivery_id IS NOT NULL;

-- Counts per supplier, day of submission and public status. Changes are appended (also negative ones) in the transaction that
-- makes them true, so that no two of them wait for one row; a chore folds old rows together. The sum is exact at any instant.
CREATE TABLE lead_count (
  supplier_key   text NOT NULL,
  day            date NOT NULL,
  public_status  text NOT NULL,
  leads          bigint NOT NULL,
  scored         bigint NOT NULL,
  score_sum      bigint NOT NULL
);
CREATE INDEX lead_count_of_supplier ON lead_count (supplier_key, day);
