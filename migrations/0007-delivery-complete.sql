-- Five channels, breakers, messages that are no deliveries, the partners' feed of events, and mail that is kept instead of sent.

-- `sale`: the primary channel's sending, which decides the delivery. `copy`: another channel's, best effort. `replay`: sent again on
-- request; it changes nothing but the log.
ALTER TABLE send_job ADD COLUMN purpose text NOT NULL DEFAULT 'sale'
  CONSTRAINT send_purpose_known CHECK (purpose IN ('sale', 'copy', 'replay'));
-- One line of waiting jobs for each partner and channel, so that a channel that hangs holds up no other.
DROP INDEX send_job_of_buyer;
CREATE INDEX send_job_of_lane ON send_job (buyer_key, channel, due_at);

-- What the last answers of an endpoint were like, for those with failures only: an endpoint without a row is in good health. Shared by
-- all workers, and there after a restart.
CREATE TABLE endpoint_health (
  owner_kind     text NOT NULL CONSTRAINT endpoint_owner_known CHECK (owner_kind IN ('supplier', 'buyer')),
  owner_key      text NOT NULL,
  channel        text NOT NULL,
  -- Failed attempts since the last that succeeded.
  failures       integer NOT NULL,
  -- Since when the breaker is open; null while it is closed.
  opened_at      timestamptz,
  -- While it is open: when the next attempt may be made.
  next_probe_at  timestamptz,
  last_error     text NOT NULL,
  last_failed_at timestamptz NOT NULL,
  PRIMARY KEY (owner_kind, owner_key, channel),
  CHECK ((opened_at IS NULL) = (next_probe_at IS NULL))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX endpoint_health_open ON endpoint_health (opened_at) WHERE opened_at IS NOT NULL;

-- Every time that a breaker was open, so that an old decision can be explained by what was known on its day.
CREATE TABLE endpoint_outage (
  owner_kind  text NOT NULL,
  owner_key   text NOT NULL,
  channel     text NOT NULL,
  opened_at   timestamptz NOT NULL,
  closed_at   timestamptz,
  PRIMARY KEY (owner_kind, owner_key, channel, opened_at)
);
CREATE UNIQUE INDEX endpoint_outage_open ON endpoint_outage (owner_kind, owner_key, channel) WHERE closed_at IS NULL;

-- A row per message that is not finished: callbacks to suppliers, news and notices to partners. Leads go through send_job.
DROP TABLE callback_job;
CREATE TABLE message_job (
  -- The event's own id: `webhook-id` on every attempt.
  message_id   uuid PRIMARY KEY,
  owner_kind   text NOT NULL CONSTRAINT message_owner_known CHECK (owner_kind IN ('supplier', 'buyer')),
  owner_key    text NOT NULL,
  channel      text NOT NULL CONSTRAINT message_channel_known CHECK (channel IN ('webhook', 'email')),
  type         text NOT NULL,
  -- JSON text; it may hold what jsonb does not take.
  data         text NOT NULL,
  -- The delivery that it is about, so that its attempts stand in that delivery's log.
  delivery_id  uuid,
  occurred_at  timestamptz NOT NULL,
  due_at       timestamptz NOT NULL,
  attempts     integer NOT NULL DEFAULT 0,
  steps        integer NOT NULL DEFAULT 0,
  -- The attempt under way, and the proof that a result belongs to the present lease.
  lease_id     uuid,
  last_error   text
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_cost_delay = 0);
CREATE INDEX message_job_of_lane ON message_job (owner_kind, owner_key, channel, due_at);

-- What a partner is told, in the order in which it became true. The number is drawn from the partner's own row, which stays locked until
-- the commit: a later number is never seen before an earlier one, and none is left out.
CREATE TABLE buyer_event_head (
  buyer_key    text PRIMARY KEY,
  last_number  bigint NOT NULL
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE TABLE buyer_event (
  buyer_key   text NOT NULL,
  number      bigint NOT NULL,
  type        text NOT NULL CONSTRAINT buyer_event_known CHECK (type IN ('lead.delivered', 'return.reviewed', 'dispute.reviewed')),
  -- The delivery or the claim that it is about.
  subject_id  uuid NOT NULL,
  at          timestamptz NOT NULL,
  PRIMARY KEY (buyer_key, number)
);
-- Only for forgetting old ones: they lie in the table by age, and an index of blocks costs a writer nearly nothing.
CREATE INDEX buyer_event_age ON buyer_event USING brin (at);

-- What a sheet last took or refused.
CREATE INDEX attempt_of_sheets ON attempt (buyer_key, attempt_id DESC) WHERE channel IN ('sheets', 'sheets_script');

-- Mail of a service without a mail server, where people can read it.
CREATE TABLE kept_mail (
  mail_id     uuid PRIMARY KEY,
  at          timestamptz NOT NULL,
  message_id  text NOT NULL,
  sender      text NOT NULL,
  recipients  text[] NOT NULL,
  cc          text[] NOT NULL,
  subject     text NOT NULL,
  text_body   text NOT NULL,
  html_body   text NOT NULL,
  calendar    text
);

-- How many writes an account has made in a minute, over all workers.
CREATE TABLE write_quota (
  account  text NOT NULL,
  minute   timestamptz NOT NULL,
  used     integer NOT NULL CHECK (used > 0),
  PRIMARY KEY (account, minute)
);
