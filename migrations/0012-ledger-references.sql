-- A foreign key looks up what it refers to row by row, and locks it: for a batch of charges that was half of their cost, and most of it
-- while others waited for the accounts. Transfers are never changed or deleted, and neither are the accounts' keys, so that one look
-- after each statement proves the same.

ALTER TABLE transfer DROP CONSTRAINT transfer_from_account_fkey, DROP CONSTRAINT transfer_to_account_fkey;
ALTER TABLE entry DROP CONSTRAINT entry_transfer_id_fkey;

-- An account's history names its entries: nothing ever looked for another id, and every charge wrote it into an index twice.
ALTER TABLE entry DROP COLUMN entry_id;
ALTER TABLE entry DROP CONSTRAINT entry_account_key_account_version_key;
ALTER TABLE entry ADD PRIMARY KEY (account_key, account_version);

CREATE TRIGGER account_stays BEFORE DELETE OR TRUNCATE ON account FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER account_keeps_key BEFORE UPDATE OF account_key ON account FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Sub-selects that cannot become joins: the plan is kept, and one made for small tables would read large ones from end to end.
CREATE FUNCTION refuse_transfer_without_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT from_account AS account_key FROM added UNION SELECT to_account FROM added) AS named
    WHERE (SELECT a.account_key FROM account a WHERE a.account_key = named.account_key) IS NULL)
  THEN
    RAISE EXCEPTION 'a transfer names an account that is not open' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION refuse_entry_without_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT transfer_id FROM added) AS named
    WHERE (SELECT t.transfer_id FROM transfer t WHERE t.transfer_id = named.transfer_id) IS NULL)
  THEN
    RAISE EXCEPTION 'an entry names a transfer that is not there' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER transfer_of_accounts AFTER INSERT ON transfer REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_transfer_without_account();
CREATE TRIGGER entry_of_transfers AFTER INSERT ON entry REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_entry_without_transfer();
