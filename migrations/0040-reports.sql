-- Whose days reports have that name no other time zone.
ALTER TABLE marketplace ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC';

-- What reports split leads, deliveries and money by (contract 12.1, decision 061).

-- A standard member of a lead's stored fields as text; empty if it has none. The supplier's own members stand last, under `extra`, and are
-- not looked at. A text with a backslash in it is read with an expression; all others by plain splits, which cost a tenth of that.
CREATE FUNCTION report_member(fields text, name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(CASE
    WHEN strpos(plain, '\') = 0 THEN plain
    ELSE replace(replace(coalesce(substring(fields FROM '"' || name || '":"((?:[^"\\]|\\.)*)"'), ''), '\"', '"'), '\\', '\')
  END, 100)
  FROM (SELECT split_part(split_part(split_part(fields, ',"extra":', 1), '"' || name || '":"', 2), '"', 1)) AS read (plain)
$$;

-- Ranges of ten points; empty for a submission without a score.
CREATE FUNCTION report_score_band(score smallint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN score IS NULL THEN '' WHEN score >= 90 THEN '90-100' ELSE (score / 10 * 10) || '-' || (score / 10 * 10 + 9) END
$$;

-- Ranges of prices, from the first amount to less than the second.
CREATE FUNCTION report_price_band(cents bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (ARRAY['0-10', '10-20', '20-30', '30-50', '50-75', '75-100', '100-150', '150-200', '200-500', '500+'])
    [width_bucket(cents, ARRAY[0, 1000, 2000, 3000, 5000, 7500, 10000, 15000, 20000, 50000]::bigint[])]
$$;
