-- Whose regions a lead's state may be: a list of countries, or "any" for any two letters.
ALTER TABLE marketplace ADD COLUMN regions jsonb NOT NULL DEFAULT '["US", "CA"]'
  CONSTRAINT marketplace_regions_known CHECK (regions = '"any"' OR (jsonb_typeof(regions) = 'array' AND regions <@ '["US", "CA"]' AND regions <> '[]'));
