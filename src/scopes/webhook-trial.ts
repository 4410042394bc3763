// Makes the responses about the format of a partner's webhook that console and portal share (contract 13.3, 13.6).
import type { Buyer, WebhookFormat } from '../buyers/buyer.ts';
import type { ListedSecret } from '../credentials/partner-secrets.ts';
import type { Parcel } from '../deliveries/channels/channel.ts';
import { previewWebhook, readStatedFormat } from '../deliveries/test-delivery/preview-webhook.ts';
import type { TestDelivery } from '../deliveries/test-delivery/run-test-delivery.ts';
import { ownNamesOf } from '../leads/supplier-verticals.rules.ts';
import type { Vertical } from '../marketplace/verticals.ts';
import type { PreviewBody, Secrets, ShownRequest, WebhookPreview } from './webhook-trial.schema.ts';

type Previewed = {
  readonly buyer: Pick<Buyer, 'buyerKey' | 'settings' | 'webhook'>;
  readonly parcel: Parcel;
  /** By key; their own fields may be named by templates. */
  readonly verticals: ReadonlyMap<string, Vertical>;
};

/** Of the format in the body, or of the saved one. */
export function shownPreview({ webhook }: PreviewBody, { buyer, parcel, verticals }: Previewed): WebhookPreview {
  const stated =
    webhook === undefined
      ? ({ ok: true, format: buyer.webhook } as const)
      : readStatedFormat(webhook, new Set(ownNamesOf(verticals)));
  if (!stated.ok) return { request: null, error: null, faults: [...stated.faults] };
  const { request, error } = previewWebhook(buyer, { format: stated.format, parcel });
  return { request: request === null ? null : { ...request, headers: { ...request.headers } }, error, faults: [] };
}

/** The request of a test in the partner's own format, with secrets hidden: the same delivery gives the same request. Null in the standard one. */
export function shownTestRequest({ recipient, parcel }: TestDelivery): {
  readonly request: ShownRequest | null;
  readonly error: string | null;
} {
  const { buyerKey, settings, custom } = recipient;
  if (custom === null) return { request: null, error: null };
  const format = JSON.parse(custom.format) as WebhookFormat;
  const { request, error } = previewWebhook({ buyerKey, settings }, { format, parcel });
  return { request: request === null ? null : { ...request, headers: { ...request.headers } }, error };
}

export function shownSecrets(secrets: readonly ListedSecret[]): Secrets {
  return {
    data: secrets.map(({ name, createdAt, updatedAt, isReadable }) => ({
      ...{ name, isReadable },
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    })),
  };
}
