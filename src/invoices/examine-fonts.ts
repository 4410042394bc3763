// Checks for `leadmarket doctor` that PDF documents can show the names and addresses on them.
import { readBuyers } from '../buyers/read-buyers.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Database } from '../platform/database/database.ts';
import type { Finding } from '../platform/finding.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import { judgeLetters } from './pdf-text.rules.ts';

/**
 * The machine needs no fonts: PDFs use Helvetica, which every reader of PDFs has, and pages use the fonts of the browser's machine. But
 * Helvetica has only western European letters.
 */
export async function examineFonts(database: Database): Promise<Finding> {
  const [{ settings }, buyers, suppliers] = await Promise.all([
    readSettings(database),
    readBuyers(database),
    readSuppliers(database),
  ]);
  const { ok, warning, detail } = judgeLetters([
    { owner: 'the marketplace', texts: [settings.name, ...settings.billing.address] },
    ...[...buyers.values()].map(({ buyerKey, name, billing }) => ({
      owner: `partner ${buyerKey}`,
      texts: [name, ...billing.address],
    })),
    ...[...suppliers.values()].map(({ supplierKey, name }) => ({ owner: `supplier ${supplierKey}`, texts: [name] })),
  ]);
  return { name: 'fonts', ok, detail, ...(warning ? { warning } : {}) };
}
