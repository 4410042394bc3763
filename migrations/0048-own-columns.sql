-- The columns of a partner's exports and sheets for the own fields of its leads, in their order (contract 14.4). A name is only ever added at
-- the end: the rows of a sheet stay under their columns, and leads with a field that was removed since keep its column.
ALTER TABLE buyer ADD COLUMN own_columns text[] NOT NULL DEFAULT '{}';
