-- How many bytes the body of a refused submission had that is kept in part, or not at all because its supplier had too many refused that day.
-- Null where the body is kept whole, or its time is over.
ALTER TABLE lead ADD COLUMN raw_body_bytes integer;
