-- Appointment slots and turns for routing, the order of decisions, and what suppliers asked to be told.

-- A slot of an appointment is a counter as well: its window starts when the slot does, and its cap is the capacity.
ALTER TABLE cap_counter DROP CONSTRAINT cap_window_known;
ALTER TABLE cap_counter ADD CONSTRAINT cap_window_known CHECK (cap_window IN ('daily', 'weekly', 'monthly', 'slot'));

-- When each offer was last picked under round_robin; the offer that has waited longest is next.
CREATE TABLE offer_turn (
  offer_key  text PRIMARY KEY,
  turn       bigint NOT NULL
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE SEQUENCE offer_turn_number AS bigint;

-- The order in which decisions took effect: drawn under the locks on what they took, so that replaying in this order finds what they
-- found. The clock cannot say it, because batches overlap.
CREATE SEQUENCE decision_order AS bigint;
ALTER TABLE routing_decision ADD COLUMN decided_order bigint NOT NULL DEFAULT nextval('decision_order');
CREATE INDEX routing_decision_by_time ON routing_decision (decided_at);

-- A row per message to a supplier that is not finished.
CREATE TABLE callback_job (
  event_id      uuid PRIMARY KEY,
  supplier_key  text NOT NULL,
  type          text NOT NULL CONSTRAINT callback_type_known
                CHECK (type IN ('lead.processing_error', 'lead.routed', 'lead.rejected', 'lead.returned')),
  lead_id       uuid NOT NULL,
  external_id   text,
  status        text NOT NULL,
  reason        text,
  occurred_at   timestamptz NOT NULL,
  due_at        timestamptz NOT NULL,
  attempts      smallint NOT NULL DEFAULT 0
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CREATE INDEX callback_job_of_supplier ON callback_job (supplier_key, due_at);
