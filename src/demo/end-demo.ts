// Ends the demo permanently: revokes its printed credentials, disables its operator and removes the inbox addresses (decision 035).
import { strict as assert } from 'node:assert';

import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, noOrigin } from '../audit/audit-event.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import type { BuyerSettings } from '../buyers/buyer.ts';
import type { Credential } from '../credentials/credential.ts';
import { revokeDemoCredentials } from '../credentials/revoke-credential.ts';
import { bumpConfigVersion, lockConfigVersion } from '../marketplace/config-version.ts';
import { readSettings, writeDemoOrigin } from '../marketplace/stored-settings.ts';
import { applyFile } from '../marketplace-file/apply-file.ts';
import { readInput } from '../marketplace-file/read-input.ts';
import type { Tx } from '../platform/database/database.ts';
import { disableDemoOperators } from '../sessions/change-operator.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import { inboxes } from './inbox-address.rules.ts';

export type EndedDemo = {
  readonly operators: readonly string[];
  readonly credentials: ReadonlyArray<Pick<Credential, 'id' | 'kind' | 'owner'>>;
  /** The partners and suppliers whose address was the inbox and has been cleared. */
  readonly partners: readonly string[];
  readonly suppliers: readonly string[];
};

/** Null if there was no demo. */
export async function endDemo(tx: Tx, actor: AuditActor, now: Date): Promise<EndedDemo | null> {
  await lockConfigVersion(tx);
  const { demoOrigin } = await readSettings(tx);
  const cleared =
    demoOrigin === null ? { partners: [], suppliers: [] } : await clearInboxes(tx, demoOrigin, { actor, now });
  const credentials = await revokeDemoCredentials(tx, actor, now);
  const operators = await disableDemoOperators(tx, actor, now);
  if (demoOrigin === null && credentials.length + operators.length === 0) return null;
  if (demoOrigin !== null) {
    await bumpConfigVersion(tx);
    await writeDemoOrigin(tx, null);
  }
  const event = { at: now, actor, buyerKey: null, supplierKey: null, action: 'demo.ended', target: 'demo' };
  await appendAudit(tx, [{ ...event, changes: { demo: { from: true, to: false } }, ...noOrigin }]);
  return { operators, credentials, ...cleared };
}

const INBOX_SETTINGS = ['webhookUrl', 'sheetsWebhookUrl'] as const satisfies ReadonlyArray<keyof BuyerSettings>;

/** Uses the same operation as the console's forms. */
async function clearInboxes(
  tx: Tx,
  origin: string,
  { actor, now }: { readonly actor: AuditActor; readonly now: Date },
): Promise<Pick<EndedDemo, 'partners' | 'suppliers'>> {
  const isInbox = (url: string | null | undefined): boolean => url?.startsWith(inboxes(origin)) === true;
  const partners = [...(await readBuyers(tx)).values()].flatMap(({ buyerKey: key, settings }) => {
    const names = INBOX_SETTINGS.filter((name) => isInbox(settings[name]));
    return names.length === 0 ? [] : [{ key, settings: Object.fromEntries(names.map((name) => [name, null])) }];
  });
  const suppliers = [...(await readSuppliers(tx)).values()]
    .filter(({ callback }) => isInbox(callback?.url))
    .map(({ supplierKey: key }) => ({ key, callback: null }));
  const read = await readInput(tx, { fragment: { partners, suppliers }, isNew: false }, { allowTargets: [] });
  assert(read.ok, 'the demo’s addresses cannot be cleared');
  const options = { dryRun: false, prune: false, isPart: true, overwriteSettings: true, actor };
  const applied = await applyFile(tx, read.file, options, now);
  assert(applied.ok, 'the demo’s addresses cannot be cleared');
  return { partners: partners.map(({ key }) => key), suppliers: suppliers.map(({ key }) => key) };
}
