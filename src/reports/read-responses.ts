// Reads what partners' systems said about deliveries: since a time for each offer, and as shares of the last days (contract 13.7).
import { strict as assert } from 'node:assert';

import type { Tx } from '../platform/database/database.ts';
import type { Responses } from '../routing/rejections-pause.rules.ts';
import { isRestRead, readReport } from './read-report.ts';
import { REPORT_ROWS_MAX } from './report.schema.ts';
import { type ResponseDay, type ResponseShares, responseShares } from './response-shares.rules.ts';
import { countResponses } from './responses.sql.ts';

const NONE: Responses = { accepted: 0, rejected: 0, duplicates: 0 };

/** Returns a lookup for the given offers. As of the last fold of reports if very many changes wait for it. */
export async function readResponses(
  tx: Tx,
  offers: ReadonlyArray<{ readonly offerKey: string; readonly from: Date }>,
): Promise<(offerKey: string) => Responses> {
  if (offers.length === 0) return () => NONE;
  const rows = await tx.query(countResponses, {
    offerKeys: offers.map(({ offerKey }) => offerKey),
    fromTimes: offers.map(({ from }) => from),
    earliest: new Date(Math.min(...offers.map(({ from }) => from.getTime()))),
    withRest: await isRestRead(tx),
  });
  const found = new Map(rows.map(({ offerKey, ...responses }) => [offerKey, responses]));
  return (offerKey) => found.get(offerKey) ?? NONE;
}

export type SharesOfPartner = {
  readonly total: ResponseShares;
  /** By offer; those without responses in 30 days are left out. */
  readonly offers: ReadonlyMap<string, ResponseShares>;
};

type Shown = { readonly timeZone: string; readonly now: Date };

/** Days of the time zone, the present one among them. The figures are those of reports. */
export async function readPartnerShares(tx: Tx, partner: string, { timeZone, now }: Shown): Promise<SharesOfPartner> {
  const filters = { partner: [partner] };
  // Apart from the offers, of which a report has a limited number of rows.
  const days = await readDays(tx, { dimensions: ['day'], filters }, { timeZone, now });
  const byOffer = await readDays(tx, { dimensions: ['day', 'offer'], filters }, { timeZone, now });
  const offers = [...Map.groupBy(byOffer, ({ offer }) => offer)].map(
    ([offer, ofOffer]) => [offer, responseShares(ofOffer, timeZone, now)] as const,
  );
  return { total: responseShares(days, timeZone, now), offers: new Map(offers) };
}

export async function readOfferShares(tx: Tx, offer: string, { timeZone, now }: Shown): Promise<ResponseShares> {
  const asked = { dimensions: ['day' as const], filters: { offer: [offer] } };
  return responseShares(await readDays(tx, asked, { timeZone, now }), timeZone, now);
}

async function readDays(
  tx: Tx,
  {
    dimensions,
    filters,
  }: {
    readonly dimensions: ReadonlyArray<'day' | 'offer'>;
    readonly filters: { readonly partner?: string[]; readonly offer?: string[] };
  },
  { timeZone, now }: Shown,
): Promise<ResponseDay[]> {
  const outcome = await readReport(
    tx,
    {
      dimensions: [...dimensions],
      measures: ['responses', 'rejected', 'duplicates'],
      filters,
      span: 'last-30-days',
      timeZone,
      limit: REPORT_ROWS_MAX,
    },
    { kind: 'operator' },
    now,
  );
  assert(outcome.ok, 'operators may ask this');
  return outcome.value.rows.map(({ keys: [day = null, offer = null], values }) => ({
    offer: offer ?? '',
    day: day ?? '',
    responses: values['responses'] ?? 0,
    rejected: values['rejected'] ?? 0,
    duplicates: values['duplicates'] ?? 0,
  }));
}
