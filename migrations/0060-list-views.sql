-- Views of lists that operators, users and accounts keep under a name (contract 7.13; decision 089).
CREATE TABLE list_view (
  view_id         uuid PRIMARY KEY,
  -- Whose it is: of a partner or supplier where a token or key has signed in.
  holder_kind     text NOT NULL CONSTRAINT list_view_holder_known CHECK (holder_kind IN ('operator', 'user', 'buyer', 'supplier')),
  -- The id of the operator or user, or the key of the partner or supplier.
  holder          text NOT NULL,
  -- The list of the pages that it shows, such as `leads`.
  list            text NOT NULL CONSTRAINT list_view_list_is_short CHECK (length(list) <= 40),
  name            text NOT NULL CONSTRAINT list_view_name_is_line CHECK (name <> '' AND length(name) <= 80),
  -- The filters and the order as a query of the page's address.
  query           text NOT NULL CONSTRAINT list_view_query_is_query CHECK (length(query) <= 1000 AND query ~ '^[A-Za-z0-9_.*%+=&~-]*$'),
  hidden_columns  text[] NOT NULL,
  created_at      timestamptz NOT NULL,
  CONSTRAINT list_view_name UNIQUE (holder_kind, holder, list, name)
);

ALTER TABLE list_view ENABLE ROW LEVEL SECURITY;
ALTER TABLE list_view FORCE ROW LEVEL SECURITY;
CREATE POLICY service_only ON list_view USING ((SELECT is_service()));
