// Checks for `leadmarket doctor` that Node and the database know the time zones of the marketplace, its suppliers and its partners, and of
// their notices.
import { isTimeZone, storedTimeZone } from '../base/time-zone.rules.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { readAllNoticeSettings } from '../notices/notice-settings.ts';
import type { Database } from '../platform/database/database.ts';
import { unknownTimeZones } from '../platform/time-zones.ts';
import type { Finding } from '../platform/finding.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import { readBuyers } from './read-buyers.ts';

/** Accounts that are named for one zone. */
const NAMED = 3;

export async function examineTimeZones(database: Database): Promise<Finding> {
  const [{ settings }, suppliers, buyers, noticesOfSupplier, noticesOfBuyer] = await Promise.all([
    readSettings(database),
    readSuppliers(database),
    readBuyers(database),
    readAllNoticeSettings(database, 'supplier'),
    readAllNoticeSettings(database, 'buyer'),
  ]);
  const accounts = [
    ...zonesOf('the marketplace', settings.timeZone, settings.notices),
    ...[...suppliers.values()].flatMap(({ supplierKey, timeZone }) =>
      zonesOf(`supplier ${supplierKey}`, timeZone, noticesOfSupplier(supplierKey)),
    ),
    ...[...buyers.values()].flatMap(({ buyerKey, timeZone }) =>
      zonesOf(`partner ${buyerKey}`, timeZone, noticesOfBuyer(buyerKey)),
    ),
  ];
  const byZone = Map.groupBy(accounts, ({ timeZone }) => timeZone);
  const zones = [...byZone.keys()];
  const missing = [
    ...(await unknownTimeZones(database, zones)).map((zone) => ({ zone, where: 'the database' })),
    ...zones.filter((zone) => !isTimeZone(zone)).map((zone) => ({ zone, where: 'Node' })),
  ];
  const name = 'time zones';
  if (missing.length === 0)
    return { name, ok: true, detail: `${zones.length} in use, known to the database and to Node` };
  const parts = missing.map(({ zone, where }) => {
    const owners = (byZone.get(zone) ?? []).map(({ account }) => account);
    const more = owners.length > NAMED ? ` and ${owners.length - NAMED} more` : '';
    return `${where} does not know ${zone} (${owners.slice(0, NAMED).join(', ')}${more})`;
  });
  return { name, ok: false, detail: `${parts.join('; ')}: days and caps cannot be computed there` };
}

function zonesOf(account: string, timeZone: string, notices: { readonly timeZone: string | null }) {
  const own = { account, timeZone };
  return notices.timeZone === null
    ? [own]
    : [own, { account: `notices of ${account}`, timeZone: storedTimeZone(notices.timeZone) }];
}
