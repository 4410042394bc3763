// Fills an empty database with the example marketplace, credentials and some weeks of history, using the same operations as real leads
// (contract 8.2).
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { commandLineActor } from '../audit/audit-event.ts';
import { DAY_MS } from '../base/time.ts';
import type { CredentialKind } from '../credentials/credential.ts';
import { issueCredential } from '../credentials/issue-credential.ts';
import { postTransfers } from '../ledger/post-transfers.ts';
import { applyFile } from '../marketplace-file/apply-file.ts';
import type { MarketplaceFile } from '../marketplace-file/marketplace-file.ts';
import { parseFile } from '../marketplace-file/parse-file.ts';
import { bumpConfigVersion } from '../marketplace/config-version.ts';
import { writeDemoOrigin } from '../marketplace/stored-settings.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { addOperator } from '../sessions/add-operator.ts';
import { hashPassword } from '../sessions/password.ts';
import { anyConfiguration } from './demo.sql.ts';
import { fileClaims, writeHistory } from './write-history.ts';
import { type HistoryStep, planHistory } from './history-plan.rules.ts';
import { inboxOf } from './inbox-address.rules.ts';

const FILE = join(import.meta.dirname, '../../examples/marketplace.yaml');
const SUPPLIER = 'acme-media';
const PARTNER = 'summit';
const OPERATOR = 'demo';
const LATE_PAYER = 'keystone';
/** A prepaid partner could buy nothing without it. */
const PREPAID_CENTS = 300_000;

export type DemoSecrets = {
  readonly supplierKey: string;
  readonly buyerToken: string;
  readonly operatorName: string;
  /** Null if an operator of that name exists already; its password stays. */
  readonly operatorPassword: string | null;
};

/** Null if the database already contains a marketplace, which is then unchanged. */
export async function seedDemo(database: Database, origin: string, now: Date): Promise<DemoSecrets | null> {
  // Saves a start on existing data the file, which takes a tenth of a second to read.
  if (await database.tx(hasConfiguration)) return null;
  const parsed = parseFile(await readFile(FILE, 'utf8'), { allowTargets: [] });
  if (!parsed.ok) throw new Error(`examples/marketplace.yaml is faulty: ${JSON.stringify(parsed.errors)}`);
  const file = withInboxes(parsed.file, origin);
  const steps = planHistory(
    now,
    file.partners.map(({ buyer }) => buyer.timeZone),
  );
  const secrets = await database.tx(async (tx) => {
    await bumpConfigVersion(tx);
    // After the lock, so that only the first of several starting processes fills the database.
    if (await hasConfiguration(tx)) return null;
    await writeDemoOrigin(tx, origin);
    const applied = await applyFile(tx, file, { dryRun: false, prune: false, actor: commandLineActor }, now);
    if (!applied.ok) throw new Error(`examples/marketplace.yaml cannot be applied: ${JSON.stringify(applied.errors)}`);
    const prepaid = file.partners.filter(({ buyer }) => buyer.billing.mode === 'prepaid');
    await postTransfers(
      tx,
      prepaid.map(({ buyer: { buyerKey } }) => ({
        businessKey: `demo:payment:${buyerKey}`,
        type: 'payment',
        buyerKey,
        amountCents: PREPAID_CENTS,
        description: 'Payment in advance',
      })),
      startOf(steps),
    );
    const issue = async (kind: CredentialKind, ownerKey: string): Promise<string> => {
      const input = { kind, ownerKey, label: 'demo', expiresAt: null, isDemo: true, actor: commandLineActor };
      return (await issueCredential(tx, input, now)).secret;
    };
    return {
      supplierKey: await issue('supplier_key', SUPPLIER),
      buyerToken: await issue('buyer_token', PARTNER),
      operatorName: OPERATOR,
      operatorPassword: await addDemoOperator(tx, now),
    };
  });
  if (secrets !== null) {
    await writeHistory(database, { supplierKey: SUPPLIER, latePayer: LATE_PAYER, steps });
    await fileClaims(database, PARTNER, now);
  }
  return secrets;
}

async function addDemoOperator(tx: Tx, now: Date): Promise<string | null> {
  const password = randomBytes(18).toString('base64url');
  const input = {
    name: OPERATOR,
    passwordHash: await hashPassword(password),
    totpSecret: null,
    isDemo: true,
    actor: commandLineActor,
  };
  return (await addOperator(tx, input, now)).ok ? password : null;
}

/** A day before the first lead. */
function startOf([first]: readonly HistoryStep[]): Date {
  assert(first !== undefined, 'the demo has no history');
  return new Date(first.at.getTime() - DAY_MS);
}

/** Replaces the example's endpoints, which do not exist, by inboxes of the service. */
function withInboxes(file: MarketplaceFile, origin: string): MarketplaceFile {
  return {
    ...file,
    targets: [],
    suppliers: file.suppliers.map((supplier) =>
      supplier.callback === null
        ? supplier
        : { ...supplier, callback: { ...supplier.callback, url: inboxOf(origin, supplier.supplierKey) } },
    ),
    partners: file.partners.map(({ settings, ...partner }) => {
      const { buyerKey, channels } = partner.buyer;
      const url = inboxOf(origin, buyerKey);
      return {
        ...partner,
        settings: {
          ...settings,
          ...(channels.includes('webhook') ? { webhookUrl: url } : {}),
          ...(channels.includes('sheets_script') ? { sheetsWebhookUrl: url } : {}),
        },
      };
    }),
  };
}

/** The demo is only for databases without suppliers and partners. */
export async function hasConfiguration(tx: Tx): Promise<boolean> {
  const [row] = await tx.query(anyConfiguration);
  return row?.exists === true;
}
