// The console's offers: the list with what they sold, and one offer in the words of the marketplace file with how it stands now.
import { type Static, Type } from 'typebox';

import { readBuyer } from '../buyers/read-buyer.ts';
import { offerFigures } from '../reports/console-figures.ts';
import { readSettings } from '../marketplace/read-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { PAGE_SIZE, pagedQuery, pageOf } from '../platform/http/list.schema.ts';
import { sendProblem } from '../platform/http/problem.ts';
import type { Refusal } from '../platform/http/request-fault.ts';
import { standingOfOffer } from '../reports/offer-standing.ts';
import { rememberSpans } from '../routing/gates.rules.ts';
import { listOffers } from '../routing/list-offers.ts';
import { offerForm } from '../routing/offer-form.rules.ts';
import type { Offer } from '../routing/offer.ts';
import { eventTypes, offerStatuses } from '../routing/offer.schema.ts';
import { readOffers } from '../routing/read-offers.ts';

const FiguresSchema = Type.Object({
  sold: Type.Integer(),
  revenue: Type.Number(),
  returned: Type.Integer(),
  failed: Type.Integer(),
});
const UseSchema = Type.Object({
  limit: Type.Union([Type.Integer(), Type.Null()]),
  used: Type.Integer(),
  budget: Type.Union([Type.Number(), Type.Null()]),
  spent: Type.Number(),
  resetsAt: Type.String(),
});
const StandingSchema = Type.Object({
  state: Type.Enum(['active', 'paused', 'capped', 'closed']),
  windows: Type.Object({ daily: UseSchema, weekly: UseSchema, monthly: UseSchema }),
});

const NOT_FOUND: Refusal = { status: 404, code: 'not_found', detail: 'There is no such offer.' };

export type ConsoleOffersDependencies = {
  readonly database: Database;
  readonly clock: Clock;
};

const FormSchema = Type.Object({
  key: Type.String(),
  name: Type.String(),
  partner: Type.String(),
  eventType: Type.Enum([...eventTypes]),
  payout: Type.Number(),
  sale: Type.Unknown(),
  priority: Type.Integer(),
  weight: Type.Number(),
  status: Type.Enum([...offerStatuses]),
  filters: Type.Unknown(),
  schedule: Type.Unknown(),
  caps: Type.Unknown(),
  budget: Type.Unknown(),
  pacing: Type.String(),
  booking: Type.Unknown(),
});

export function registerConsoleOffers(scope: App, dependencies: ConsoleOffersDependencies): void {
  registerList(scope, dependencies);
  registerOne(scope, dependencies);
}

function registerList(scope: App, { database, clock }: ConsoleOffersDependencies): void {
  const Row = Type.Object({ ...FormSchema.properties, figures: FiguresSchema });
  scope.get(
    '/api/offers',
    {
      config: { permission: 'read' },
      schema: {
        querystring: Type.Object({
          ...pagedQuery,
          status: Type.Optional(Type.Enum([...offerStatuses])),
          partner: Type.Optional(Type.String({ maxLength: 63 })),
        }),
        response: { 200: pageOf(Row) },
      },
    },
    async (request, reply) => {
      const { search = null, status = null, partner: buyerKey = null, page = 1, pageSize = PAGE_SIZE } = request.query;
      const answer = await database.tx(
        async (tx) => {
          const { total, offers } = await listOffers(tx, { search, status, buyerKey, page, pageSize });
          const figures = await offerFigures(tx, offers, clock.now());
          const data = offers.map((offer) => ({ ...formOf(offer), figures: figures(offer.offerKey) }));
          return { data, page, pageSize, total };
        },
        { snapshot: true },
      );
      return reply.send(answer);
    },
  );
}

function registerOne(scope: App, { database, clock }: ConsoleOffersDependencies): void {
  const spanOf = rememberSpans();
  const One = Type.Object({
    version: Type.Integer(),
    offer: FormSchema,
    /** By whose clock the hours and windows go. */
    timeZone: Type.String(),
    figures: FiguresSchema,
    standing: StandingSchema,
  });
  scope.get(
    '/api/offers/:offerKey',
    {
      config: { permission: 'read' },
      schema: { params: Type.Object({ offerKey: Type.String() }), response: { 200: One } },
    },
    async (request, reply) => {
      const now = clock.now();
      const found = await database.tx(
        async (tx): Promise<Static<typeof One> | null> => {
          const { version } = await readSettings(tx);
          const [offer] = await readOffers(tx, [request.params.offerKey]);
          const buyer = offer === undefined ? null : await readBuyer(tx, offer.buyerKey);
          if (offer === undefined || buyer === null) return null;
          const figures = (await offerFigures(tx, [offer], now))(offer.offerKey);
          const standing = await standingOfOffer(tx, { offer, buyer, spanOf }, now);
          return { version, offer: formOf(offer), timeZone: buyer.timeZone, figures, standing };
        },
        { snapshot: true },
      );
      return found === null ? sendProblem(request, reply, NOT_FOUND) : reply.send(found);
    },
  );
}

function formOf(offer: Offer): Static<typeof FormSchema> {
  return { ...offerForm(offer), partner: offer.buyerKey };
}
