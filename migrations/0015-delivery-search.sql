-- Search in a partner's deliveries by name, e-mail address and phone, and lists of bookings and of claims.

-- By what a delivery is found (src/deliveries/search-terms.rules.ts): the name, once from each of the words that it may be looked for by;
-- the address; the phone from its last digit on. What is looked for is always the beginning of one, so they are ordered by code points,
-- whatever the database's own order is. Written with the delivery, never changed, and gone when its person is erased.
CREATE TABLE delivery_search (
  delivery_id     uuid PRIMARY KEY,
  buyer_key       text COLLATE "C" NOT NULL,
  name            text COLLATE "C",
  name_from_2     text COLLATE "C",
  name_from_3     text COLLATE "C",
  name_from_last  text COLLATE "C",
  email           text COLLATE "C",
  phone           text COLLATE "C"
);

-- What is there already, with letters brought into one spelling as far as the database can do that: of others than Latin ones capital
-- letters may stay capital, where its locale is `C`. Fields begin with these three in this order.
INSERT INTO delivery_search (delivery_id, buyer_key, name, name_from_2, name_from_3, name_from_last, email, phone)
SELECT delivery_id, buyer_key,
       CASE WHEN count > 0 THEN left(array_to_string(words, ' '), 60) END,
       CASE WHEN count > 2 THEN left(array_to_string(words[2:] || words[1:1], ' '), 60) END,
       CASE WHEN count > 3 THEN left(array_to_string(words[3:] || words[1:2], ' '), 60) END,
       CASE WHEN count > 1 THEN left(array_to_string(words[count:] || words[1:count - 1], ' '), 60) END,
       regexp_replace(lower(known.fields[2]), '^([^@+]+)\+[^@]*@', '\1@'), reverse(substr(known.fields[3], 2))
FROM delivery d JOIN lead l USING (lead_id),
     regexp_match(l.fields, '^\{"fullName":("(?:[^"\\]|\\.)*"),"email":(?:null|"([^"\\]*)"),"phone":(?:null|"(\+[0-9]+)")') AS known (fields),
     LATERAL (SELECT (array_remove(regexp_split_to_array(
       lower(regexp_replace(normalize(known.fields[1]::json #>> '{}', NFKD), '[\u0300-\u036F''’ʼ`]', '', 'g')),
       '[\u0001-\u002F\u003A-\u0060\u007B-\u00BF\u2000-\u206F\u3000-\u303F\U0001F000-\U0001FAFF]+'), ''))[1:6] AS words) AS named,
     LATERAL (SELECT cardinality(words) AS count) AS counted
WHERE l.fields IS NOT NULL
-- As they would lie there: together with those of the same time.
ORDER BY delivery_id;

-- All that a search reads, so that it need not visit the table; most names have two words.
CREATE INDEX delivery_search_name ON delivery_search (buyer_key, name, delivery_id) WHERE name IS NOT NULL;
CREATE INDEX delivery_search_name_from_2 ON delivery_search (buyer_key, name_from_2, delivery_id) WHERE name_from_2 IS NOT NULL;
CREATE INDEX delivery_search_name_from_3 ON delivery_search (buyer_key, name_from_3, delivery_id) WHERE name_from_3 IS NOT NULL;
CREATE INDEX delivery_search_name_from_last ON delivery_search (buyer_key, name_from_last, delivery_id) WHERE name_from_last IS NOT NULL;
CREATE INDEX delivery_search_email ON delivery_search (buyer_key, email, delivery_id) WHERE email IS NOT NULL;
CREATE INDEX delivery_search_phone ON delivery_search (buyer_key, phone, delivery_id) WHERE phone IS NOT NULL;

-- A list of the few bookings must not walk past a year of leads. Nobody buys a year of bookings and a few leads.
CREATE INDEX delivery_booking ON delivery (buyer_key, delivered_at DESC, delivery_id DESC) WHERE event_type = 'Calendar Assigned';

-- Returns and disputes of a partner of one status.
CREATE INDEX claim_of_buyer_by_status ON claim (buyer_key, status, filed_at DESC, claim_id DESC);

ALTER TABLE delivery_search ENABLE ROW LEVEL SECURITY;
ALTER TABLE delivery_search FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON delivery_search USING ((SELECT is_service()) OR (buyer_key = (SELECT tenant())));

CREATE OR REPLACE FUNCTION grant_buyer_rights() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'leadmarket_buyer') THEN RETURN; END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO leadmarket_buyer', current_schema());
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM leadmarket_buyer', current_schema());
  GRANT SELECT ON account, attempt, audit_event, buyer, buyer_event, buyer_event_head, cap_counter, claim, claim_month_count,
    config_history, delivery, delivery_count, delivery_search, endpoint_health, endpoint_outage, entry, idempotency_key, invoice, invoice_item,
    invoice_line, marketplace, offer, person_sale, send_job, signing_secret, transfer TO leadmarket_buyer;
  GRANT SELECT (credential_id, kind, owner_key) ON credential TO leadmarket_buyer;
  -- All but the body as received.
  GRANT SELECT (lead_id, supplier_key, external_id, is_test, is_accepted, state, public_status, reason, score, score_factors,
    received_at, decided_at, fields, erased_at) ON lead TO leadmarket_buyer;
  -- Claims and what they need; the right on one column of a delivery is what locking it asks for.
  GRANT INSERT, UPDATE ON claim, claim_month_count, idempotency_key TO leadmarket_buyer;
  GRANT UPDATE (may_have_arrived) ON delivery TO leadmarket_buyer;
  -- Sending again, and tests of an endpoint.
  GRANT INSERT, UPDATE ON send_job, attempt TO leadmarket_buyer;
  -- The partner's own settings. The ledger and the audit trail it may read and add to, never change.
  GRANT INSERT, UPDATE ON buyer TO leadmarket_buyer;
  GRANT UPDATE (config_version) ON marketplace TO leadmarket_buyer;
  GRANT INSERT, UPDATE ON config_history TO leadmarket_buyer;
  GRANT INSERT ON audit_event TO leadmarket_buyer;
  GRANT DELETE ON endpoint_health TO leadmarket_buyer;
  GRANT UPDATE ON endpoint_outage TO leadmarket_buyer;
END $$;
SELECT grant_buyer_rights();
