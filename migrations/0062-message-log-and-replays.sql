-- The type of the message that an attempt was about, such as return.reviewed. Null for the delivery of a lead, for tests, and for attempts
-- of earlier releases.
ALTER TABLE attempt ADD COLUMN message_type text;

-- For the operator's log of messages: attempts that were not taken are few among many.
-- Short lock: where there are many attempts it is built by hand before, with CREATE INDEX CONCURRENTLY, and nothing is left to do here.
CREATE INDEX IF NOT EXISTS attempt_not_taken ON attempt (attempt_id DESC) WHERE state IN ('failed', 'exhausted');
