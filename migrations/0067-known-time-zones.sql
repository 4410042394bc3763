-- Whether this server can compute times in a zone. Reading pg_timezone_names instead reads all zones: some hundred milliseconds.
CREATE FUNCTION knows_time_zone(zone text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM timestamptz 'epoch' AT TIME ZONE zone;
  RETURN true;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN false;
END $$;
