// Checks for `leadmarket doctor` that PDF documents can show the names and addresses on them.
import { readBuyers } from '../buyers/read-buyers.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Database } from '../platform/database/database.ts';
import type { Finding } from '../platform/finding.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import { findUnprintable, partnerTexts, sellerTexts, supplierTexts, unprintableNote } from './find-unprintable.ts';

/** The machine needs no fonts: PDFs embed those that come with the service, and pages use the fonts of the browser's machine. */
export async function examineFonts(database: Database): Promise<Finding> {
  const [{ settings }, buyers, suppliers] = await Promise.all([
    readSettings(database),
    readBuyers(database),
    readSuppliers(database),
  ]);
  const note = unprintableNote(
    await findUnprintable([
      sellerTexts(settings),
      ...[...buyers.values()].map(partnerTexts),
      ...[...suppliers.values()].map(supplierTexts),
    ]),
  );
  const base = 'none has to be installed; PDFs embed their own';
  return note === null
    ? { name: 'fonts', ok: true, detail: `${base}, with all characters of names and addresses` }
    : { name: 'fonts', ok: true, warning: true, detail: `${base}; ${note}` };
}
