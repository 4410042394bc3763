-- E-mail addresses of operators, and invitations by mail (contract 7.12; decision 078).

-- In lower case; null for one who cannot get a link by mail.
ALTER TABLE operator ADD COLUMN email text;
CREATE UNIQUE INDEX operator_by_email ON operator (email);

-- Links by mail that set a password: of a new account, or a new one of an existing account. A row goes when its link was used.
CREATE TABLE invitation (
  invitation_id  uuid PRIMARY KEY,
  -- SHA-256 of the secret in the link.
  secret_hash    bytea NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
  kind           text NOT NULL CONSTRAINT invitation_kind_known CHECK (kind IN ('operator', 'buyer', 'supplier')),
  -- The partner's or supplier's key; empty for operators.
  owner_key      text NOT NULL,
  -- In lower case.
  email          text NOT NULL CHECK (length(email) <= 254),
  name           text NOT NULL,
  roles          text[] NOT NULL,
  -- The operator or user whose password it sets; null for a new one.
  account_id     uuid,
  invited_by     text NOT NULL,
  created_at     timestamptz NOT NULL,
  expires_at     timestamptz NOT NULL,
  CONSTRAINT invitation_of_owner CHECK ((kind = 'operator') = (owner_key = '')),
  -- A new link replaces the last one.
  CONSTRAINT invitation_once UNIQUE (kind, owner_key, email)
);

-- The role of the second wall gets no right to the table: a partner's requests read it as the service.
