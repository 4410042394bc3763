-- The logo and accent color of the marketplace. The members of `marketplace.brand`; left out is the default.
ALTER TABLE marketplace ADD COLUMN brand jsonb NOT NULL DEFAULT '{}';
