// Reads what happened to a claim: its audit events, and the invoice with its credit.
import { readAuditAbout } from '../audit/read-audit.ts';
import { readTokenLabels } from '../credentials/find-credentials.ts';
import { readInvoiceIds } from '../invoices/find-invoices.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Claim } from './claim.ts';
import { auditedSteps, type ClaimHistory } from './claim-timeline.rules.ts';
import { claimIdOf } from './claim-view.rules.ts';

/** More than a claim can have: it is filed, reviewed and withdrawn once, and has few files. */
const MENTIONS = 50;

type UnlabelledHistory = Omit<ClaimHistory, 'tokenLabels'>;

export async function readClaimHistory(tx: Tx, claim: Claim): Promise<UnlabelledHistory> {
  const { kind, buyerKey, deliveryId, creditTransferId } = claim;
  const mentions = await readAuditAbout(tx, buyerKey, {
    // Before any event of the claim. The claim's own id is not: ids of one millisecond are in no order.
    after: deliveryId,
    targets: [claimIdOf(claim)],
    actions: auditedSteps.map((step) => `${kind}.${step}`),
    limit: MENTIONS,
  });
  const invoiceIds = await readInvoiceIds(tx, creditTransferId === null ? [] : [creditTransferId]);
  return { claim, mentions, invoiceId: [...invoiceIds.values()][0] ?? null };
}

/** Adds the labels of the partner's own tokens. `tx` is the service's: the role of partners may not read labels. */
export async function labelTokens(tx: Tx, history: UnlabelledHistory): Promise<ClaimHistory> {
  const names = history.mentions.map(({ actor }) => actor.name);
  return { ...history, tokenLabels: await readTokenLabels(tx, history.claim.buyerKey, names) };
}
