// Erases the free text and the files of claims on erased leads, the text also in queued messages (decision 021). Reason, status, times and credit stay.
import type { DeliveryId } from '../base/ids.ts';
import { ERASED } from '../leads/mask-identity.rules.ts';
import { rewriteMessages } from '../messages/message-queue.ts';
import type { Tx } from '../platform/database/database.ts';
import { eraseClaimsSql } from './claim.sql.ts';
import { deleteClaimFilesSql } from './claim-file.sql.ts';

/** Members of a claim's view with free text, and their replacement. */
const REPLACEMENTS = new Map<string, string | null>([
  ['proof', ERASED],
  ['detail', ERASED],
  ['evidenceUrl', null],
  ['decisionNote', ERASED],
]);

/** The deliveries must be locked, as for every change of a claim. */
export async function eraseClaims(tx: Tx, deliveryIds: readonly DeliveryId[]): Promise<void> {
  if (deliveryIds.length === 0) return;
  await tx.query(eraseClaimsSql, { deliveryIds, erasedText: ERASED });
  await tx.query(deleteClaimFilesSql, { deliveryIds });
  await rewriteMessages(tx, {
    deliveryIds,
    leads: [],
    change: (data) =>
      Object.fromEntries(
        Object.entries(data).map(([name, value]) => {
          const replacement = REPLACEMENTS.get(name);
          return [name, replacement === undefined || value === null ? value : replacement];
        }),
      ),
  });
}
