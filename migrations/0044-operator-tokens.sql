-- The scopes of operators' tokens for the HTTP API. Null for keys and tokens of others, and for an operator's token of an earlier release, which
-- nothing accepted: without a scope it may do nothing.
ALTER TABLE credential ADD COLUMN scopes text[];
ALTER TABLE credential ADD CONSTRAINT credential_scopes_known CHECK (
  scopes IS NULL OR (
    kind = 'operator_token' AND cardinality(scopes) > 0
    AND scopes <@ ARRAY['read', 'operate', 'configure', 'money', 'privacy']::text[]));
