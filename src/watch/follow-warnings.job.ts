// Keeps since when warnings hold, and deletes those that are over (contract 12.4).
import { cachedSpans } from '../routing/availability.rules.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { readMarket } from '../reports/read-market.ts';
import { readOverview } from '../reports/read-overview.ts';
import { readToday } from '../reports/read-today.ts';
import { beginWarnings, endWarnings } from './warning.sql.ts';
import { problemsIn, readSilence } from './warnings.ts';

/** Reads and writes in transactions of their own: what begins meanwhile is written a minute later. */
export async function followWarnings(database: Database, clock: Clock): Promise<void> {
  const now = clock.now();
  const problems = await database.tx(
    async (tx) => {
      const { settings } = await readSettings(tx);
      return problemsIn({
        overview: await readOverview(tx, now),
        market: await readMarket(tx, { settings, spanOf: cachedSpans() }, now),
        today: await readToday(tx, now),
        silent: await readSilence(tx, now),
      });
    },
    { snapshot: true },
  );
  const named = { kinds: problems.map(({ kind }) => kind), subjects: problems.map(({ subject }) => subject) };
  await database.tx(async (tx) => {
    await tx.query(endWarnings, named);
    await tx.query(beginWarnings, { ...named, sinces: problems.map(({ since }) => since ?? now) });
  });
}
