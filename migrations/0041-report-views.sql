-- Questions of reports that operators keep under a name, for themselves or for all operators (contract 12.2).
CREATE TABLE report_view (
  view_id        uuid PRIMARY KEY,
  -- The author. No reference: a shared view outlives its author's account.
  operator_name  text NOT NULL,
  name           text NOT NULL CONSTRAINT report_view_name_is_line CHECK (name <> '' AND length(name) <= 80),
  -- The query of the page's address.
  question       text NOT NULL CONSTRAINT report_view_question_is_short CHECK (length(question) <= 4000),
  is_shared      boolean NOT NULL,
  created_at     timestamptz NOT NULL
);
CREATE UNIQUE INDEX report_view_shared_name ON report_view (name) WHERE is_shared;
CREATE UNIQUE INDEX report_view_own_name ON report_view (operator_name, name) WHERE NOT is_shared;

ALTER TABLE report_view ENABLE ROW LEVEL SECURITY;
ALTER TABLE report_view FORCE ROW LEVEL SECURITY;
CREATE POLICY service_only ON report_view USING ((SELECT is_service()));
