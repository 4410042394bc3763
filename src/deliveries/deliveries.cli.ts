// The commands `deliveries retry`, which sends one delivery, or a partner's deliveries since a time, to the webhook again (contract 7.2, 7.7),
// `deliveries price` (contract 13.5)
// and `deliveries preview-webhook` (contract 13.3).
import { type Command, InvalidArgumentError, Option } from 'commander';

import { type AuditAuthor, commandLineActor, noOrigin } from '../audit/audit-event.ts';
import { type DeliveryId, typeId, type Uuid, uuidOf } from '../base/ids.ts';
import { formatCents, parseCents, wireAmount } from '../base/money.ts';
import type { Outcome } from '../base/outcome.ts';
import { readBuyer, readBuyers } from '../buyers/read-buyers.ts';
import { readVerticals } from '../marketplace/stored-verticals.ts';
import { type CliContext, timeArgument } from '../platform/cli.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { repeatTransient } from '../platform/database/retry-transaction.ts';
import { type RedeliveryRefusal, type RedeliveryReport, requestRedelivery } from './redelivery/request-redelivery.ts';
import type { ReviveDeliveries } from './redelivery/reopen-deliveries.ts';
import { selectSlice, SLICE } from './redelivery/redelivery.sql.ts';
import { previewWebhook, sampleParcel, storedParcel } from './test-delivery/preview-webhook.ts';

type Status = keyof typeof selectSlice;
type Options = { readonly partner?: string; readonly since?: Date; readonly status: Status };
type Skipped = ReadonlyArray<{ readonly deliveryId: string; readonly reason: RedeliveryRefusal }>;

const WHY: Readonly<Record<RedeliveryRefusal, string>> = {
  delivery_not_found: 'there is no such delivery',
  delivery_not_redeliverable:
    'only deliveries that were Confirmed by webhook, or Failed while the lead is still available to the partner, can be sent again',
  webhook_not_configured: 'the partner has no webhook URL',
  endpoint_disabled: 'the endpoint is disabled; see "endpoint enable"',
};
const FIRST_ID: Uuid = '00000000-0000-0000-0000-000000000000';

export type DeliveriesCliContext = CliContext & {
  readonly revive: ReviveDeliveries;
  /** Charges a lead that was taken without a price (routing). */
  readonly price: PriceByHand;
};
type PriceByHand = (
  tx: Tx,
  input: AuditAuthor & { readonly deliveryId: DeliveryId; readonly priceCents: number },
  now: Date,
) => Promise<Outcome<{ readonly deliveryRef: string; readonly buyerKey: string }, keyof typeof WHY_UNPRICED>>;
const WHY_UNPRICED = {
  delivery_not_found: 'There is no such delivery.',
  delivery_not_unpriced: 'Only a Failed delivery can be priced whose partner names prices and may have the lead.',
  price_out_of_bounds: 'The price is out of the bounds of the sale.',
} as const;

export function registerDeliveriesCommands(deliveries: Command, context: DeliveriesCliContext): void {
  const retry = deliveries
    .command('retry')
    .description('send one delivery, or a partner’s deliveries since a time, to the webhook again')
    .argument('[delivery]', 'the delivery’s id (dlv_…)')
    .option('--partner <key>', 'the partner whose deliveries are sent')
    .option('--since <time>', 'delivered at this time or later', timeArgument)
    .addOption(
      new Option('--status <status>', 'only deliveries of this status')
        .choices(Object.keys(selectSlice))
        .default('Failed'),
    );
  retry.action(async (id: string | undefined, options: Options) => {
    const { partner, since } = options;
    if (id !== undefined && partner === undefined && since === undefined) return retryOne(context, id);
    if (id === undefined && partner !== undefined && since !== undefined)
      return retryMany(context, { partner, since, status: options.status });
    retry.error('error: name either one delivery, or both --partner and --since');
  });
  deliveries
    .command('price')
    .description('charge a failed delivery at a price, because its partner has the lead and named no price that counts')
    .argument('<delivery>', 'the delivery’s id (dlv_…)')
    .requiredOption('--price <amount>', 'within the bounds of the sale, e.g. 12.50', priceArgument)
    .action((id: string, { price }: { price: number }) => setPrice(context, id, price));
  deliveries
    .command('preview-webhook')
    .description('show the request of a partner’s custom webhook, without secrets and without sending it')
    .requiredOption('--partner <key>', 'the partner')
    .option('--delivery <id>', 'a delivery of the partner (dlv_…) instead of a sample lead')
    .action(({ partner, delivery }: { partner: string; delivery?: string }) => preview(context, partner, delivery));
}

function priceArgument(text: string): number {
  const cents = parseCents(text);
  if (cents === null || cents === 0) throw new InvalidArgumentError('Enter an amount above 0, such as 12.50.');
  return cents;
}

async function setPrice(
  { withDatabase, clock, out, price }: DeliveriesCliContext,
  id: string,
  priceCents: number,
): Promise<void> {
  const deliveryId = uuidOf('delivery', id);
  if (deliveryId === null) return out.refuse('delivery_not_found', `There is no delivery ${id}.`);
  const input = { deliveryId, priceCents, actor: commandLineActor, origin: noOrigin };
  const outcome = await withDatabase((database) =>
    repeatTransient(() => database.tx((tx) => price(tx, input, clock.now()))),
  );
  if (!outcome.ok) return out.refuse(outcome.code, outcome.detail ?? WHY_UNPRICED[outcome.code]);
  const { deliveryRef, buyerKey: partner } = outcome.value;
  out.print({
    json: { deliveryId: id, deliveryRef, partner, price: wireAmount(priceCents) },
    text: `${deliveryRef} of ${partner} is confirmed and charged: ${formatCents(priceCents)}.`,
  });
}

async function preview(context: DeliveriesCliContext, partner: string, id: string | undefined): Promise<void> {
  const { withDatabase, clock, out } = context;
  const deliveryId = id === undefined ? null : uuidOf('delivery', id);
  const now = clock.now();
  const shown = await withDatabase((database) =>
    database.tx(async (tx) => {
      const buyer = await readBuyer(tx, partner);
      if (buyer === null) return 'partner_not_found';
      if (id !== undefined && deliveryId === null) return 'delivery_not_found';
      const parcel =
        deliveryId === null
          ? await sampleParcel(tx, buyer, { verticals: await readVerticals(tx), now })
          : ((await storedParcel(tx, buyer, deliveryId, now))?.parcel ?? null);
      if (parcel === null) return 'delivery_not_found';
      return previewWebhook(buyer, { format: buyer.webhook, parcel });
    }),
  );
  if (shown === 'partner_not_found') return out.refuse(shown, `There is no partner ${partner}.`);
  if (shown === 'delivery_not_found') return out.refuse(shown, `Partner ${partner} has no delivery ${id ?? ''}.`);
  const { request, error } = shown;
  if (request === null)
    return out.refuse('no_request', error ?? `The webhook of partner ${partner} has the standard format.`);
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  out.print({
    json: request,
    text: [`${request.method} ${request.url}`, ...headers, '', request.body ?? ''].join('\n'),
  });
}

async function retryOne(context: DeliveriesCliContext, id: string): Promise<void> {
  const { withDatabase, clock, out, revive } = context;
  const deliveryId = uuidOf('delivery', id);
  const report =
    deliveryId === null
      ? null
      : await withDatabase((database) => requestRetry(database, { deliveryIds: [deliveryId], revive }, clock.now()));
  const reason = report?.skipped[0]?.reason ?? null;
  if (report === null || reason === 'delivery_not_found')
    return out.refuse('delivery_not_found', `There is no delivery ${id}.`);
  if (reason === null) return out.print({ json: { queued: 1, skipped: [] }, text: `${id} will be sent again.` });
  const skipped = [{ deliveryId: id, reason }];
  out.print({ json: { queued: 0, skipped }, text: `${id} is not sent again: ${WHY[reason]}.` }, 1);
}

type Input = { readonly partner: string; readonly since: Date; readonly status: Status };

async function retryMany({ withDatabase, clock, out, revive }: DeliveriesCliContext, input: Input): Promise<void> {
  const { partner } = input;
  const outcome = await withDatabase(async (database) => {
    const buyer = (await readBuyers(database)).get(partner);
    if (buyer === undefined) return 'partner_not_found';
    if (buyer.settings.webhookUrl === null) return 'webhook_not_configured';
    if (buyer.endpointDisabledAt !== null) return 'endpoint_disabled';
    return retrySlices(database, input, { now: () => clock.now(), revive, progress: (text) => out.progress(text) });
  });
  if (outcome === 'partner_not_found') return out.refuse(outcome, `There is no partner ${partner}.`);
  if (typeof outcome === 'string') return out.refuse(outcome, `Nothing was queued: ${WHY[outcome]}.`);
  const { queued, skipped } = outcome;
  const left = skipped.length === 0 ? '' : ` ${skipped.length} cannot be sent again and were left out.`;
  out.print({
    json: { queued, skipped },
    text: `${queued} ${queued === 1 ? 'delivery' : 'deliveries'} of ${partner} will be sent again.${left}`,
  });
}

/** One transaction per slice, so that thousands of deliveries do not block others. Repeating an interrupted command queues nothing twice. */
async function retrySlices(
  database: Database,
  { partner, since, status }: Input,
  { now, revive, progress }: { now: () => Date; revive: ReviveDeliveries; progress: (text: string) => void },
): Promise<{ queued: number; skipped: Skipped }> {
  const until = now();
  const skipped: Array<Skipped[number]> = [];
  let queued = 0;
  let last = { deliveredAt: since, deliveryId: FIRST_ID };
  for (;;) {
    const slice = await database.query(selectSlice[status], {
      buyerKey: partner,
      since,
      until,
      afterTime: last.deliveredAt,
      afterId: last.deliveryId,
      limit: SLICE,
    });
    const end = slice.at(-1);
    if (end === undefined) return { queued, skipped };
    last = end;
    const ids = slice.map((row) => row.deliveryId);
    const report = await requestRetry(database, { deliveryIds: ids, revive }, now());
    queued += report.queued.length;
    for (const { deliveryId, reason } of report.skipped)
      skipped.push({ deliveryId: typeId('delivery', deliveryId), reason });
    progress(`${queued} queued`);
  }
}

type Retry = { readonly deliveryIds: readonly DeliveryId[]; readonly revive: ReviveDeliveries };

function requestRetry(database: Database, retry: Retry, now: Date): Promise<RedeliveryReport> {
  const request = { ...retry, buyerKey: null, actor: commandLineActor, origin: noOrigin };
  return repeatTransient(() => database.tx((tx) => requestRedelivery(tx, request, now)));
}
