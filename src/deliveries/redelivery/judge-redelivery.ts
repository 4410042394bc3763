// Says which deliveries can be sent to their partner's webhook again, and why the others cannot (contract 6.4). Whether a failed one can
// be its partner's again is known only once it is tried: this says what is certain before.
import type { DeliveryId } from '../../base/ids.ts';
import type { Tx } from '../../platform/database/database.ts';
import { type Redeliverable, type RedeliverableRow, selectRedeliverable } from './redelivery.sql.ts';

export type RedeliveryRefusal =
  | 'delivery_not_found'
  | 'delivery_not_redeliverable'
  | 'webhook_not_configured'
  | 'endpoint_disabled';

export type RedeliveryJudgement =
  | { readonly ok: true; readonly delivery: Redeliverable }
  | { readonly ok: false; readonly deliveryId: DeliveryId; readonly reason: RedeliveryRefusal };

/** In the order given. With a `buyerKey` only that partner's deliveries exist; null is for the operator. */
export async function judgeRedelivery(
  tx: Tx,
  buyerKey: string | null,
  deliveryIds: readonly DeliveryId[],
): Promise<readonly RedeliveryJudgement[]> {
  const rows = await tx.query(selectRedeliverable, { deliveryIds, buyerKey });
  const known = new Map(rows.map((row) => [row.deliveryId, row]));
  return deliveryIds.map((deliveryId) => {
    const row = known.get(deliveryId);
    if (row === undefined) return { ok: false, deliveryId, reason: 'delivery_not_found' };
    const reason = refusalOf(row);
    return reason === null ? { ok: true, delivery: row } : { ok: false, deliveryId, reason };
  });
}

function refusalOf(row: RedeliverableRow): RedeliveryRefusal | null {
  const { status, channel, hasWebhook, isDisabled, isErased, isQueued, isSoldOn } = row;
  // While it is pending it is being sent; what was returned is the partner's no more, and an erased lead is nobody's.
  const isSettled = status === 'Failed' || status === 'Confirmed';
  if (!isSettled || isErased || channel !== 'webhook') return 'delivery_not_redeliverable';
  if (status === 'Failed' && (isQueued || isSoldOn)) return 'delivery_not_redeliverable';
  if (!hasWebhook) return 'webhook_not_configured';
  return isDisabled ? 'endpoint_disabled' : null;
}
