-- What each operator may do, and a second factor that is being set up (decision 030).

-- Whoever was an operator before there were roles could do everything.
ALTER TABLE operator
  ADD COLUMN role text NOT NULL DEFAULT 'admin',
  -- Base32: shown, and not confirmed by a code yet.
  ADD COLUMN totp_pending text,
  ADD CONSTRAINT operator_role_known CHECK (role IN ('admin', 'finance', 'support', 'read-only'));
