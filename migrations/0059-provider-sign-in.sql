-- Operators sign in through an OpenID Connect provider (contract 7.12; decision 085).
-- Whom the provider knows the operator as, from the first such sign-in on.
ALTER TABLE operator ADD COLUMN provider_issuer text, ADD COLUMN provider_subject text;
-- Short lock: a marketplace has a handful of operators.
CREATE UNIQUE INDEX operator_by_provider ON operator (provider_issuer, provider_subject) WHERE provider_subject IS NOT NULL;

-- A browser that was sent to the provider. The row is taken when the browser comes back, so no answer counts twice.
CREATE TABLE provider_sign_in (
  -- SHA-256 of the state in the address, and of the cookie that the browser keeps meanwhile.
  state_hash    bytea PRIMARY KEY,
  browser_hash  bytea NOT NULL,
  nonce         text NOT NULL,
  -- Of PKCE.
  verifier      text NOT NULL,
  redirect_uri  text NOT NULL,
  -- The path of the page that was wanted.
  return_to     text NOT NULL,
  expires_at    timestamptz NOT NULL
);
