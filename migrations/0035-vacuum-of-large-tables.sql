-- Tables that only grow are vacuumed and analyzed every so many rows, however large they are. By default it is every fifth or tenth part
-- of them: the first time after twenty million rows of a hundred million, all at once, and statistics would miss the newest weeks.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['lead', 'delivery', 'attempt', 'routing_decision', 'delivery_search', 'consent_record', 'transfer', 'entry',
                              'buyer_event', 'person_sale']
  LOOP
    EXECUTE format(
      'ALTER TABLE %I SET (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
                           autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 200000)', name);
  END LOOP;
END $$;
