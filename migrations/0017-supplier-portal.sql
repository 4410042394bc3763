-- What the supplier's side of the portal is read from: scores by ten, refusals by reason, submissions in their order, callbacks with
-- their state.

-- Accepted leads by ten of their score: 0 to 9, 10 to 19, … 90 to 100. Written when a lead is counted for the first time, and left there
-- when it moves on: a score never changes, so the sum over all statuses is what counts. Null where nothing was scored.
ALTER TABLE lead_count ADD COLUMN scores_by_ten bigint[];

INSERT INTO lead_count (supplier_key, day, public_status, leads, scored, score_sum, scores_by_ten)
SELECT supplier_key, (received_at AT TIME ZONE 'UTC')::date, 'Pending', 0, 0, 0,
       ARRAY[count(*) FILTER (WHERE score < 10), count(*) FILTER (WHERE score BETWEEN 10 AND 19),
             count(*) FILTER (WHERE score BETWEEN 20 AND 29), count(*) FILTER (WHERE score BETWEEN 30 AND 39),
             count(*) FILTER (WHERE score BETWEEN 40 AND 49), count(*) FILTER (WHERE score BETWEEN 50 AND 59),
             count(*) FILTER (WHERE score BETWEEN 60 AND 69), count(*) FILTER (WHERE score BETWEEN 70 AND 79),
             count(*) FILTER (WHERE score BETWEEN 80 AND 89), count(*) FILTER (WHERE score >= 90)]
FROM lead WHERE is_accepted AND NOT is_test GROUP BY 1, 2;

-- Refused submissions by each reason that they were told, so that one with three faults stands in three rows. Appended like the counts
-- above, and folded like them; at most some fifty reasons exist.
CREATE TABLE refusal_count (
  supplier_key  text NOT NULL,
  day           date NOT NULL,
  reason        text NOT NULL,
  leads         bigint NOT NULL
);
CREATE INDEX refusal_count_of_supplier ON refusal_count (supplier_key, day);

INSERT INTO refusal_count (supplier_key, day, reason, leads)
SELECT supplier_key, (received_at AT TIME ZONE 'UTC')::date, fault, count(*)
FROM lead, unnest(string_to_array(reason, '; ')) AS told (fault) WHERE NOT is_accepted AND NOT is_test GROUP BY 1, 2, 3;

-- A supplier's submissions in the order in which they came. Of what changes later nothing stands in it, as in the other indexes of leads.
CREATE INDEX lead_of_supplier ON lead (supplier_key, lead_id);
-- What is looked for most and is rare among them: those that were refused, and tests.
CREATE INDEX lead_refused ON lead (supplier_key, lead_id) WHERE NOT is_accepted;
CREATE INDEX lead_test ON lead (supplier_key, lead_id) WHERE is_test;
-- Those that were refused by the supplier's own id: no other index has them, because they do not occupy it.
CREATE INDEX lead_refused_external_id ON lead (supplier_key, external_id, lead_id) WHERE external_id IS NOT NULL AND NOT is_accepted;

-- What suppliers were told about a lead, kept when the message itself is gone.
CREATE TABLE callback_log (
  lead_id        uuid NOT NULL,
  message_id     uuid NOT NULL,
  supplier_key   text NOT NULL,
  type           text NOT NULL,
  state          text NOT NULL CONSTRAINT callback_state_known CHECK (state IN ('waiting', 'delivered', 'failed', 'dropped')),
  attempts       integer NOT NULL DEFAULT 0,
  response_code  smallint,
  error          text,
  queued_at      timestamptz NOT NULL,
  tried_at       timestamptz,
  PRIMARY KEY (lead_id, message_id)
) WITH (fillfactor = 80);
