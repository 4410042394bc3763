-- For ledgers filtered by type: everything but sales and costs, which are almost all transfers and need no entry here.
-- Short lock: where there are many transfers it is built by hand before, with CREATE INDEX CONCURRENTLY, and nothing is left to do here.
CREATE INDEX IF NOT EXISTS transfer_but_sales ON transfer (to_account, created_at) WHERE type NOT IN ('charge', 'cost');
