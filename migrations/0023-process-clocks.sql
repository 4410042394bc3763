-- What a process found out about its surroundings, for the doctor and the console.
ALTER TABLE process_report
  -- How far its clock is ahead of the database's, in milliseconds; negative where it is behind.
  ADD COLUMN clock_ahead_ms integer,
  -- A proxy nearby whose X-Forwarded-For it does not believe.
  ADD COLUMN untrusted_proxy text;
