-- Partners read and replace their own signing secret: it becomes a setting that they may change unless the operator says otherwise.

-- Who may change all settings may change this one, too. An operator's shorter list stays as it is.
UPDATE buyer SET editable_fields = editable_fields || '{webhookSecret}'
WHERE editable_fields @> '{notificationEmail,ccEmails,webhookUrl,phone,smsNumber,sheetsWebhookUrl,sheetsSpreadsheetId}'
  AND NOT editable_fields @> '{webhookSecret}';

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
  GRANT INSERT, UPDATE ON signing_secret TO leadmarket_buyer;
  GRANT DELETE ON endpoint_health TO leadmarket_buyer;
  GRANT UPDATE ON endpoint_outage TO leadmarket_buyer;
END $$;
SELECT grant_buyer_rights();
