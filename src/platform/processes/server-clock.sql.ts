// Reads the database server's clock, which is compared with the machines' clocks and decides nothing.
import { statement } from '../database/database.ts';

export const serverClock = statement<void, { clock: Date }>(
  'processes.server_clock',
  'SELECT clock_timestamp() AS "clock"',
);
