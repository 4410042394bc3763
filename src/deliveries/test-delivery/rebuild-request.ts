// Rebuilds the webhook request of an attempt at a lead: a message is the same text whenever it is made (decision 033), so no copy is kept.
import { typeId } from '../../base/ids.ts';
import { readBuyer } from '../../buyers/read-buyers.ts';
import { readFields } from '../../leads/read-fields.rules.ts';
import type { Tx } from '../../platform/database/database.ts';
import { leadBody, type Parcel } from '../channels/channel.ts';
import { soldView } from '../delivery-view.rules.ts';
import type { MessageRow } from '../message-outcome.rules.ts';
import { readFound } from '../search/search.sql.ts';
import type { WebhookRequest } from '../templates/webhook-request.rules.ts';
import { previewWebhook } from './preview-webhook.ts';

/** `format`: the partner's own format could not render it. */
export type NoRequest = 'test' | 'not_a_lead' | 'other_channel' | 'erased' | 'no_url' | 'format';

export type RebuiltRequest =
  | {
      readonly ok: true;
      /** Secrets are dots. */
      readonly request: Omit<WebhookRequest, 'hidden'>;
      /** Whether it is the standard format, whose body is the exact text that was sent. */
      readonly isStandard: boolean;
    }
  | { readonly ok: false; readonly why: NoRequest; readonly error: string | null };

const HIDDEN = '••••';

/** The URL and the partner's own format are those of now. */
export async function rebuildRequest(
  tx: Tx,
  {
    deliveryId,
    buyerKey,
    channel,
    isTest,
    messageType,
    at,
  }: Pick<MessageRow, 'deliveryId' | 'buyerKey' | 'channel' | 'isTest' | 'messageType' | 'at'>,
): Promise<RebuiltRequest> {
  if (isTest) return refuse('test');
  if (messageType !== null || deliveryId === null) return refuse('not_a_lead');
  if (channel !== 'webhook') return refuse('other_channel');
  const buyer = await readBuyer(tx, buyerKey);
  const [row] = await tx.query(readFound, { buyerKey, ids: [deliveryId] });
  // Of an erased lead there are no fields.
  if (buyer === null || row?.fields === undefined || row.fields === null || row.erasedConsent !== null)
    return refuse('erased');
  const { returnPolicy: policy, timeZone, settings, webhook } = buyer;
  const { webhookUrl: url } = settings;
  if (url === null) return refuse('no_url');
  const parcel: Parcel = {
    id: typeId('delivery', deliveryId),
    isTest: false,
    occurredAt: row.deliveredAt,
    // A failed delivery hides the person from its partner; the operator sees what was sent.
    delivery: soldView({ ...row, status: 'Pending' }, { policy, timeZone }),
    fields: readFields(row.fields, null),
    slotMinutes: null,
    isRepeat: false,
    priceBounds: null,
  };
  if (webhook === null) return { ok: true, request: standardRequest(parcel, url, at), isStandard: true };
  const { request, error } = previewWebhook(buyer, { format: webhook, parcel });
  return request === null ? { ok: false, why: 'format', error } : { ok: true, request, isStandard: false };
}

function refuse(why: NoRequest): RebuiltRequest {
  return { ok: false, why, error: null };
}

/** The members of `signedPost`, without a signature: the secret of that time may have been replaced. */
function standardRequest(parcel: Parcel, url: string, at: Date): Omit<WebhookRequest, 'hidden'> {
  const headers = {
    'content-type': 'application/json',
    'webhook-id': parcel.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': HIDDEN,
  };
  return { method: 'POST', url, headers, body: leadBody(parcel) };
}
