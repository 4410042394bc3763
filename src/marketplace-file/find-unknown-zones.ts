// Finds time zones of a marketplace file that the database does not know: its list of zones may be older than Node's (contract 1.1).
import type { Tx } from '../platform/database/database.ts';
import { zonesToRefuse } from '../platform/time-zones.ts';
import type { Configuration, Writes } from './difference.rules.ts';
import type { FileFault, MarketplaceFile, Position } from './marketplace-file.ts';
import { positionIn } from './own-positions.rules.ts';

type Zone = { readonly timeZone: string; readonly position: Position | null };

const SETTINGS: Position = { line: 1, column: 1, path: 'marketplace.timeZone' };

/** Asks only about zones that nobody had before. */
export async function findUnknownZones(
  tx: Tx,
  file: MarketplaceFile,
  { writes, current }: { readonly writes: Writes; readonly current: Configuration },
): Promise<FileFault[]> {
  const known = new Set([
    current.settings.timeZone,
    ...[...current.suppliers.values(), ...current.buyers.values()].map(({ timeZone }) => timeZone),
  ]);
  const zones: Zone[] = [
    ...(writes.settings === null ? [] : [{ timeZone: writes.settings.timeZone, position: SETTINGS }]),
    ...writes.suppliers.map(({ supplierKey: key, timeZone }) => ({
      ...{ timeZone, position: positionIn(file, { kind: 'supplier', key }, '/timeZone') },
    })),
    ...writes.buyers.map(({ buyerKey: key, timeZone }) => ({
      ...{ timeZone, position: positionIn(file, { kind: 'partner', key }, '/timeZone') },
    })),
  ];
  const asked = new Set(zones.map(({ timeZone }) => timeZone).filter((zone) => !known.has(zone)));
  const refused = new Set(await zonesToRefuse(tx, [...asked]));
  return zones.flatMap(({ timeZone, position }) =>
    refused.has(timeZone)
      ? [
          {
            ...(position ?? { line: 1, column: 1, path: '' }),
            message: `is a time zone that the database does not know: ${timeZone}`,
          },
        ]
      : [],
  );
}
