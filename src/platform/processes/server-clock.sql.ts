// The database server's clock: compared with the clocks of the machines, and never used to decide anything.
import { statement } from '../database/database.ts';

export const serverClock = statement<void, { clock: Date }>(
  'processes.server_clock',
  'SELECT clock_timestamp() AS "clock"',
);
