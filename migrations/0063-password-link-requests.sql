-- Requests of users of partners and suppliers for a link to a new password, until the link is mailed (contract 7.12; decision 078). Addresses
-- that have no account are in it as well, for some seconds.
CREATE TABLE password_link_request (
  email        text PRIMARY KEY CONSTRAINT password_link_request_email_is_short CHECK (length(email) <= 254),
  -- Origin of the request, for the audit log.
  ip           text,
  request_id   text,
  requested_at timestamptz NOT NULL,
  -- The next try. While a process works on the request, when another one may take it over.
  due_at       timestamptz NOT NULL,
  -- Whether an earlier try found that a link may be mailed.
  is_admitted  boolean NOT NULL DEFAULT false
);

-- Short lock: the table is new.
ALTER TABLE password_link_request ENABLE ROW LEVEL SECURITY;
ALTER TABLE password_link_request FORCE ROW LEVEL SECURITY;
CREATE POLICY service_only ON password_link_request USING ((SELECT is_service()));
