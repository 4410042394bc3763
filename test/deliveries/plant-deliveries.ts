// Creates deliveries with the statements of routing and sending, as rows for tests of readers.
import { type DeliveryId, type LeadId, newUuid } from '../../src/base/ids.ts';
import type { EventType, DeliveryStatus } from '../../src/deliveries/delivery.ts';
import { confirmDeliveriesSql, failDeliveriesSql, insertDeliveries } from '../../src/deliveries/delivery.sql.ts';
import { searchTerms } from '../../src/deliveries/search/search-terms.rules.ts';
import { deleteJobs } from '../../src/deliveries/sending/send.sql.ts';
import type { LeadFields } from '../../src/leads/lead-fields.ts';
import {
  boolArray,
  int2Array,
  int8Array,
  textArray,
  timestamptzArray,
  uuidArray,
} from '../../src/platform/database/binary-array.ts';
import { type Database, statement } from '../../src/platform/database/database.ts';

export type Seed = {
  readonly at: Date;
  /** Of a delivery that was retried; `at` by default. */
  readonly confirmedAt?: Date;
  readonly status?: DeliveryStatus;
  readonly eventType?: EventType;
  readonly offerKey?: string;
  readonly payoutCents?: number;
  readonly appointmentAt?: Date;
  readonly fields?: Partial<LeadFields>;
};
export type Planted = { readonly deliveryId: DeliveryId; readonly at: Date; readonly status: DeliveryStatus };

const plainFields: LeadFields = {
  fullName: 'Jordan Rivera',
  email: 'jordan.rivera@example.com',
  phone: '+15555550123',
  businessName: null,
  state: 'CA',
  debtAmountCents: 2_450_000,
  source: null,
  consentTimestamp: '2026-11-20T17:03:11.000Z',
  sourceFormUrl: 'https://forms.example.com/debt?utm_source=search',
  tcpaConsent: true,
  consentVersion: null,
  consentText: null,
  leadIp: '203.0.113.24',
  utmSource: 'search',
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
  trustedformCertUrl: null,
  jornayaLeadId: null,
  appointmentAt: null,
  extra: {},
};

const insertLeads = statement<{
  readonly leadIds: readonly LeadId[];
  readonly times: readonly Date[];
  readonly eventTypes: readonly string[];
  readonly fields: readonly string[];
}>(
  'test.insert_leads',
  `INSERT INTO lead (lead_id, supplier_key, is_test, is_accepted, state, public_status, score, score_factors, received_at, decided_at,
                     content_hash, fields, raw_body)
   SELECT lead_id, 'acme-media', false, true, 'routed', event_type, 70, '{}', at, at, '\\x00', fields, '{}'
   FROM unnest($leadIds::uuid[], $times::timestamptz[], $eventTypes::text[], $fields::text[]) AS u (lead_id, at, event_type, fields)`,
);

const returnDeliveries = statement<{ readonly deliveryIds: readonly DeliveryId[] }>(
  'test.return_deliveries',
  `WITH changed AS (
     UPDATE delivery SET status = 'Returned', returned_at = delivered_at WHERE delivery_id = ANY($deliveryIds::uuid[])
     RETURNING buyer_key, (delivered_at AT TIME ZONE 'UTC')::date AS day, event_type, offer_key, payout_cents
   )
   INSERT INTO delivery_count (buyer_key, day, status, event_type, offer_key, deliveries, payout_cents)
   SELECT buyer_key, day, s.status, event_type, offer_key, s.step, s.step * payout_cents
   FROM changed, (VALUES ('Confirmed', -1), ('Returned', 1)) AS s (status, step)`,
);

/** In the order of the seeds, so that ids need not follow the times. Each seed appends its own rows to the counts. */
export async function plantDeliveries(
  database: Database,
  buyerKey: string,
  seeds: readonly Seed[],
): Promise<Planted[]> {
  const planted = seeds.map(
    (seed) => ({ status: 'Confirmed', ...seed, deliveryId: newUuid(), leadId: newUuid() }) as const,
  );
  await database.tx(async (tx) => {
    await tx.query(insertLeads, {
      leadIds: planted.map((one) => one.leadId),
      times: planted.map((one) => one.at),
      eventTypes: planted.map((one) => one.eventType ?? 'Lead Sale'),
      fields: planted.map((one) => JSON.stringify({ ...plainFields, ...one.fields })),
    });
    for (const one of planted) {
      const { offerKey = 'west', eventType = 'Lead Sale', payoutCents = 4500, appointmentAt = null } = one;
      // A delivery without a channel would be confirmed at once.
      const { name, nameFrom2, nameFrom3, nameFromLast, email, phone } = searchTerms({ ...plainFields, ...one.fields });
      await tx.query(insertDeliveries, {
        deliveryIds: uuidArray([one.deliveryId]),
        buyerKeys: textArray([buyerKey]),
        leadIds: uuidArray([one.leadId]),
        offerKeys: textArray([offerKey]),
        supplierKeys: textArray(['acme-media']),
        eventTypes: textArray([eventType]),
        isExclusives: boolArray([true]),
        payoutsCents: int8Array([payoutCents]),
        priceMinsCents: int8Array([null]),
        channels: textArray(['webhook']),
        capWindows: textArray(['[]']),
        appointmentTimes: timestamptzArray([appointmentAt]),
        now: one.at,
        searchNames: textArray([name]),
        namesFrom2: textArray([nameFrom2]),
        namesFrom3: textArray([nameFrom3]),
        namesFromLast: textArray([nameFromLast]),
        emails: textArray([email]),
        phones: textArray([phone]),
        returnTimes: timestamptzArray([null]),
        costDeliveryIds: uuidArray([]),
        costModels: textArray([]),
        costsCents: int8Array([]),
        shares: int2Array([]),
        clawbackDays: int2Array([]),
        holdDays: int2Array([]),
      });
      await tx.query(deleteJobs, { deliveryIds: [one.deliveryId], channels: ['webhook'], attemptIds: [newUuid()] });
      if (one.status === 'Pending') continue;
      const settled = { now: one.confirmedAt ?? one.at };
      if (one.status === 'Failed') {
        const deliveryIds = [one.deliveryId];
        await tx.query(failDeliveriesSql, { ...settled, deliveryIds, maybeArrived: [false], failures: [null] });
      } else {
        const deliveryIds = uuidArray([one.deliveryId]);
        const said = { references: textArray([null]), pricesCents: int8Array([null]) };
        await tx.query(confirmDeliveriesSql, { ...settled, deliveryIds, ...said });
      }
      if (one.status === 'Returned') await tx.query(returnDeliveries, { deliveryIds: [one.deliveryId] });
    }
  });
  return planted;
}
