-- What the demo has made, so that it can be switched off and ended (decision 035).

ALTER TABLE operator
  -- The hash of the password that was printed: while it is the operator's password, the operator is the demo's.
  ADD COLUMN demo_password text;
ALTER TABLE credential ADD COLUMN is_demo boolean NOT NULL DEFAULT false;

-- A demo that is here already was made at one instant: its configuration, its credentials and its operator.
UPDATE credential SET is_demo = true
WHERE label = 'demo' AND created_at = (SELECT min(recorded_at) FROM config_history)
  AND EXISTS (SELECT FROM marketplace WHERE demo_origin IS NOT NULL);
UPDATE operator SET demo_password = password
WHERE name = 'demo' AND created_at = (SELECT min(recorded_at) FROM config_history)
  AND EXISTS (SELECT FROM marketplace WHERE demo_origin IS NOT NULL)
  AND NOT EXISTS (SELECT FROM audit_event WHERE action = 'operator.password_changed' AND target = 'demo');
