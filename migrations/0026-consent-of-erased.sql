-- Deliveries that were erased before take the facts of the consent from its proof, where that is kept. Apart from the new column, so that
-- the table is not locked meanwhile.
UPDATE delivery d SET erased_consent = json_build_object(
  'tcpaConsent', p.proof -> 'tcpaConsent', 'consentTimestamp', p.proof -> 'consentTimestamp', 'consentVersion', p.proof -> 'consentVersion')::text
FROM lead l JOIN consent_record c USING (lead_id), LATERAL (SELECT c.proof::jsonb AS proof) AS p
WHERE l.erased_at IS NOT NULL AND d.lead_id = l.lead_id;
