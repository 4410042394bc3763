-- Reports and the fold read the facts that are not in the roll-ups yet. The block range index has no entry for the newest half million rows, until
-- autovacuum comes, so each report read all of these. It goes one release later.
-- Short lock: where there are many facts it is built by hand before, with CREATE INDEX CONCURRENTLY, and nothing is left to do here.
CREATE INDEX IF NOT EXISTS report_fact_batch ON report_fact (batch);
ALTER INDEX report_fact_by_time SET (autosummarize = on);
