-- How many leads of the last 30 days a load was compared with, and how many of its entries matched one (contract 15.4). Null for loads that
-- ended before, or did not end.
ALTER TABLE list_load ADD COLUMN recent_leads integer, ADD COLUMN recent_matches bigint;

-- As before, with what a finished load matches.
CREATE OR REPLACE FUNCTION grant_buyer_rights() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'leadmarket_buyer') THEN RETURN; END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO leadmarket_buyer', current_schema());
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM leadmarket_buyer', current_schema());
  GRANT SELECT ON account, attempt, audit_event, buyer, buyer_event, buyer_event_head, cap_counter, claim, claim_file, claim_month_count,
    config_history, delivery, delivery_count, delivery_search, endpoint_health, endpoint_outage, entry, idempotency_key, invoice, invoice_item,
    invoice_line, list, list_entry, list_load, marketplace, notice, notice_channel, notice_send, notice_setting, offer, partner_secret, person_sale,
    receipt, send_job, signing_secret, transfer TO leadmarket_buyer;
  GRANT SELECT (credential_id, kind, owner_key) ON credential TO leadmarket_buyer;
  GRANT SELECT (user_id, kind, owner_key) ON portal_user TO leadmarket_buyer;
  -- All but the body as received.
  GRANT SELECT (lead_id, supplier_key, external_id, is_test, is_accepted, state, public_status, reason, score, score_factors,
    received_at, decided_at, fields, erased_at) ON lead TO leadmarket_buyer;
  -- Reports without costs, and without where leads came from.
  GRANT SELECT ON report_progress TO leadmarket_buyer;
  GRANT SELECT (batch, at, partner, offer, event_type, state, price_band, deliveries, kept, returned, settled, failed, price_cents, revenue_cents,
    s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15) ON report_fact TO leadmarket_buyer;
  GRANT SELECT (rollup, level, slot, partner, offer, event_type, state, price_band, deliveries, kept, returned, settled, failed, price_cents,
    revenue_cents, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15) ON report_cell TO leadmarket_buyer;
  -- Claims and what they need; the right on one column of a delivery is what locking it asks for.
  GRANT INSERT, UPDATE ON claim, claim_month_count, idempotency_key TO leadmarket_buyer;
  GRANT INSERT ON claim_file TO leadmarket_buyer;
  GRANT UPDATE (may_have_arrived) ON delivery TO leadmarket_buyer;
  -- Sending again, and tests of an endpoint.
  GRANT INSERT, UPDATE ON send_job, attempt TO leadmarket_buyer;
  -- The partner's own settings. The ledger and the audit trail it may read and add to, never change.
  GRANT INSERT, UPDATE ON buyer, notice_setting TO leadmarket_buyer;
  GRANT UPDATE (config_version) ON marketplace TO leadmarket_buyer;
  GRANT INSERT, UPDATE ON config_history TO leadmarket_buyer;
  GRANT UPDATE (own_limits, updated_at) ON offer TO leadmarket_buyer;
  GRANT INSERT ON audit_event TO leadmarket_buyer;
  -- Its own lists. What it removes is marked; the service deletes it.
  GRANT INSERT ON list, list_load, list_entry TO leadmarket_buyer;
  GRANT UPDATE (removed_at) ON list TO leadmarket_buyer;
  GRANT UPDATE (state, parts, entries, repeated, rejected, touched_at, ended_at, recent_leads, recent_matches) ON list_load TO leadmarket_buyer;
  GRANT UPDATE (expires_at), DELETE ON list_entry TO leadmarket_buyer;
  GRANT INSERT, UPDATE ON signing_secret TO leadmarket_buyer;
  GRANT DELETE ON endpoint_health TO leadmarket_buyer;
  GRANT UPDATE ON endpoint_outage TO leadmarket_buyer;
END $$;
SELECT grant_buyer_rights();
