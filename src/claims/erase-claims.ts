// Takes out of claims what was written about people whose leads are being erased (decision 021). Reason, status, times and credit stay.
import type { DeliveryId } from '../base/ids.ts';
import { ERASED } from '../leads/mask-identity.rules.ts';
import { rewriteMessages } from '../messages/message-queue.ts';
import type { Tx } from '../platform/database/database.ts';
import { eraseClaimsSql } from './claim.sql.ts';

/** As a claim's view names what people wrote, and what takes its place. */
const WRITTEN = new Map<string, string | null>([
  ['proof', ERASED],
  ['detail', ERASED],
  ['evidenceUrl', null],
  ['decisionNote', ERASED],
]);

/** The deliveries are locked, as by everybody who changes a claim. Also of what partners wait to be told about them. */
export async function eraseClaims(tx: Tx, deliveryIds: readonly DeliveryId[]): Promise<void> {
  if (deliveryIds.length === 0) return;
  await tx.query(eraseClaimsSql, { deliveryIds, erasedText: ERASED });
  await rewriteMessages(tx, {
    deliveryIds,
    leads: [],
    change: (data) =>
      Object.fromEntries(
        Object.entries(data).map(([name, value]) => {
          const instead = WRITTEN.get(name);
          return [name, instead === undefined || value === null ? value : instead];
        }),
      ),
  });
}
