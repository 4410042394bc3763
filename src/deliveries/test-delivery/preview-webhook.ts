// Renders the request of a custom webhook without sending it: for a sample lead, or for a delivery of the partner (contract 13.3).
import { type DeliveryId, type LeadId, newUuid } from '../../base/ids.ts';
import { webhookOfForm } from '../../buyers/buyer-form.rules.ts';
import type { Buyer, WebhookFormat } from '../../buyers/buyer.ts';
import { WebhookFormatSchema } from '../../buyers/webhook-format.schema.ts';
import type { Vertical } from '../../marketplace/verticals.ts';
import { formOf, withDefaults } from '../../marketplace/configured-form.rules.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Parcel } from '../channels/channel.ts';
import { compileFormat, templateInput } from '../channels/custom-webhook.ts';
import { deliveryView, shownFields } from '../delivery-view.rules.ts';
import { readFound } from '../search/search.sql.ts';
import { checkWebhookFormat, fitsWebhookSchema } from '../templates/check-webhook-format.rules.ts';
import { renderRequest, type WebhookRequest } from '../templates/webhook-request.rules.ts';
import { readVerticalsBought } from '../../buyers/own-columns.ts';
import { testParcel } from './test-lead.rules.ts';

export type WebhookPreview = {
  /** Secrets are dots. Null with an error or faults, and for the standard format. */
  readonly request: Omit<WebhookRequest, 'hidden'> | null;
  readonly error: string | null;
};

type PreviewedBuyer = Pick<Buyer, 'buyerKey' | 'settings' | 'returnPolicy' | 'timeZone'>;

/** The URL is the partner's webhook URL, or an example where none is set. */
export function previewWebhook(
  { buyerKey, settings }: Pick<Buyer, 'buyerKey' | 'settings'>,
  { format, parcel }: { readonly format: WebhookFormat | null; readonly parcel: Parcel },
): WebhookPreview {
  if (format === null) return { request: null, error: null };
  const compiled = compileFormat(JSON.stringify(format));
  if (!compiled.ok) return { request: null, error: compiled.error };
  const url = settings.webhookUrl ?? 'https://partner.example/leads';
  const rendered = renderRequest(compiled.webhook.request, url, templateInput(parcel, buyerKey, null));
  if (!rendered.ok) return { request: null, error: rendered.error };
  const { hidden: _none, ...request } = rendered.request;
  return { request, error: null };
}

/** The lead of test deliveries, of the first vertical that the partner buys from. */
export async function sampleParcel(
  tx: Tx,
  { buyerKey, returnPolicy: policy, timeZone }: PreviewedBuyer,
  { verticals, now }: { readonly verticals: ReadonlyMap<string, Vertical>; readonly now: Date },
): Promise<Parcel> {
  const [vertical] = await readVerticalsBought(tx, buyerKey);
  return testParcel(newUuid(), { policy, timeZone, vertical: verticals.get(vertical ?? '') ?? null, now });
}

export type StoredParcel = { readonly parcel: Parcel; readonly leadId: LeadId };

/** Null if the partner has no such delivery. A failed one shows no personal data, as everywhere (contract 4.13). */
export async function storedParcel(
  tx: Tx,
  { buyerKey, returnPolicy: policy, timeZone }: PreviewedBuyer,
  deliveryId: DeliveryId,
  now: Date,
): Promise<StoredParcel | null> {
  const [row] = await tx.query(readFound, { buyerKey, ids: [deliveryId] });
  if (row === undefined) return null;
  const fields = shownFields(row);
  const parcel = {
    ...testParcel(newUuid(), { policy, timeZone, vertical: null, now }),
    isTest: false,
    delivery: deliveryView(row, { policy, timeZone, now, claim: null }),
    fields: { ...fields, tcpaConsent: fields.tcpaConsent ?? false },
  };
  return { parcel, leadId: row.leadId };
}

export type FormatFaultView = {
  readonly path: string;
  readonly message: string;
  /** Of a template. */
  readonly line: number | null;
  readonly column: number | null;
};

export type StatedFormat =
  | { readonly ok: true; readonly format: WebhookFormat | null }
  | { readonly ok: false; readonly faults: readonly FormatFaultView[] };

/** A format as a form has it, before it is saved. */
export function readStatedFormat(stated: object, ownFields: ReadonlySet<string> | null): StatedFormat {
  const value = withDefaults(WebhookFormatSchema, stated) as Readonly<Record<string, unknown>>;
  const form = formOf(WebhookFormatSchema, value);
  if (!fitsWebhookSchema(form)) {
    const message = 'is incomplete, or has a member of a wrong type or out of its bounds';
    return { ok: false, faults: [{ path: 'webhook', message, line: null, column: null }] };
  }
  const faults = checkWebhookFormat(value, { ownFields });
  if (faults.length === 0) return { ok: true, format: webhookOfForm(form) };
  return {
    ok: false,
    faults: faults.map(({ at, message, inText }) => ({
      path: `webhook${at.replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')}`,
      message,
      ...(inText === undefined ? { line: null, column: null } : lineAndColumn(templateAt(form, at), inText)),
    })),
  };
}

function templateAt(form: WebhookFormat, at: string): string {
  const [, member = '', name = ''] = at.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (member === 'body') return form.body?.template ?? '';
  return (member === 'headers' ? form.headers[name] : form.query[name]) ?? '';
}

function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
