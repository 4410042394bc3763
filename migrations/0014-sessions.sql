-- People who sign in: operators with their passwords, the sessions of all, and what holds back guessing (decision 022).

CREATE TABLE operator (
  operator_id     uuid PRIMARY KEY,
  name            text NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
  -- Argon2id as a PHC string, so that its cost can rise with the next password.
  password        text NOT NULL CHECK (password LIKE '$argon2id$%'),
  -- Base32; null where there is no second factor.
  totp_secret     text,
  -- The last time step whose code was taken: none counts twice.
  totp_last_step  bigint,
  created_at      timestamptz NOT NULL,
  disabled_at     timestamptz,
  CHECK (totp_secret IS NOT NULL OR totp_last_step IS NULL)
);

CREATE TABLE session (
  session_id     uuid PRIMARY KEY,
  -- SHA-256 of the cookie's value.
  secret_hash    bytea NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
  kind           text NOT NULL CONSTRAINT session_kind_known CHECK (kind IN ('buyer', 'supplier', 'operator')),
  -- The buyer's or supplier's key, or the operator's name.
  owner_key      text NOT NULL,
  -- What it was opened with: it ends with this.
  credential_id  uuid REFERENCES credential (credential_id),
  operator_id    uuid REFERENCES operator (operator_id),
  created_at     timestamptz NOT NULL,
  -- At most a minute behind.
  last_used_at   timestamptz NOT NULL,
  -- However much it is used.
  expires_at     timestamptz NOT NULL,
  revoked_at     timestamptz,
  -- What the browser calls itself, in short, for the list of one's own sessions.
  user_agent     text NOT NULL CHECK (length(user_agent) <= 200),
  CONSTRAINT session_opened_with CHECK (
    CASE kind WHEN 'operator' THEN operator_id IS NOT NULL AND credential_id IS NULL
              ELSE credential_id IS NOT NULL AND operator_id IS NULL END),
  CHECK (expires_at > created_at)
);
CREATE INDEX session_of_owner ON session (kind, owner_key, session_id DESC) WHERE revoked_at IS NULL;
CREATE INDEX session_of_credential ON session (credential_id) WHERE credential_id IS NOT NULL;
CREATE INDEX session_age ON session (expires_at);

-- Attempts to sign in as an operator that have failed, or are under way. What is counted, a name, an address or both together, stands
-- here only as a hash.
CREATE TABLE sign_in_guard (
  subject         bytea PRIMARY KEY CHECK (length(subject) = 32),
  failures        integer NOT NULL CHECK (failures >= 0),
  -- Until when no further attempt is looked at.
  blocked_until   timestamptz NOT NULL,
  -- When the failures are forgotten.
  forgotten_at    timestamptz NOT NULL,
  -- Of a name and an address together: this name has signed in from there, so failures from elsewhere do not hold it back.
  trusted_until   timestamptz
);
CREATE INDEX sign_in_guard_age ON sign_in_guard (greatest(forgotten_at, trusted_until));

-- For erasure: partners' answers are now also kept under the paths of the portal, and operators' under those of the console.
DROP INDEX idempotency_key_of_buyers;
CREATE INDEX idempotency_key_of_people ON idempotency_key (path) WHERE path <> '/api/v1/ingest';

-- The role of the second wall gets no right to these tables: nothing of a partner's request reads them.
SELECT grant_buyer_rights();
