// /portal/api/buyer/offers/:offerKey/limits: a partner limits its offer further, within what the operator set, and tries it on the sales of
// the last weeks before (contract 6.16).
import type { FastifyReply, FastifyRequest } from 'fastify';

import { partnerAuthor } from '../../audit/request-author.ts';
import { typeId } from '../../base/ids.ts';
import { centsOf, wireAmount } from '../../base/money.ts';
import { DAY_MS, localDate } from '../../base/time.ts';
import type { Buyer } from '../../buyers/buyer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import type { Refusal } from '../../platform/http/request-fault.ts';
import { ownerRate } from '../../platform/http/route-guard.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { OneAtATime } from '../../platform/one-at-a-time.ts';
import { readReport } from '../../reports/read-report.ts';
import { REPORT_ROWS_MAX } from '../../reports/report.schema.ts';
import type { Offer, OwnLimits } from '../../routing/offer.ts';
import {
  budgetForm,
  keptSales,
  limitsBeyond,
  limitsForm,
  limitsOfForm,
  noLimits,
  type SoldOnDay,
  type Sums,
} from '../../routing/own-limits.rules.ts';
import { type OwnLimitsForm, OwnLimitsSchema } from '../../routing/own-limits.schema.ts';
import { saveOwnLimits } from '../../routing/save-own-limits.ts';
import { readOffers } from '../../routing/stored-offers.ts';
import { type Limits, LimitsParams, LimitsSchema, type LimitsTrial, LimitsTrialSchema } from './limits.schema.ts';

export type PortalLimitsDependencies = {
  readonly database: Database;
  readonly reads: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Pick<Buyer, 'timeZone'>;
  readonly currency: () => string;
  /** Applies the change in this process at once; the other processes apply it within a second. */
  readonly refresh: () => Promise<unknown>;
  readonly changeAccount: OneAtATime;
};

const PATH = '/api/buyer/offers/:offerKey/limits';
const NOT_FOUND: Refusal = { status: 404, code: 'not_found' };
/** Whole weeks, so that each weekday counts alike. */
const TRIAL_DAYS = 28;

type LimitsRequest = FastifyRequest<{ Params: { offerKey: string }; Body: OwnLimitsForm }>;

export function registerPortalLimits(scope: App, dependencies: PortalLimitsDependencies): void {
  const { database, clock, currency } = dependencies;
  scope.get(PATH, { schema: { params: LimitsParams, response: { 200: LimitsSchema } } }, async (request, reply) => {
    const offer = await database.tx((tx) => readOwn(tx, request));
    return offer === null ? sendProblem(request, reply, NOT_FOUND) : reply.send(limitsOf(offer, currency()));
  });
  scope.put(
    PATH,
    {
      // As for other changes of the account: each stays in the history for ever.
      onRequest: ownerRate({ name: 'limits', rateOf: () => ({ perSecond: 1, burst: 10 }), clock }),
      schema: { params: LimitsParams, body: OwnLimitsSchema, response: { 200: LimitsSchema } },
    },
    async (request, reply) => change(request, reply, dependencies),
  );
  registerTrial(scope, dependencies);
}

async function readOwn(tx: Tx, request: FastifyRequest<{ Params: { offerKey: string } }>): Promise<Offer | null> {
  const [offer] = await readOffers(tx, [request.params.offerKey]);
  return offer === undefined || offer.buyerKey !== principalOf(request).ownerKey ? null : offer;
}

async function change(
  request: LimitsRequest,
  reply: FastifyReply,
  { database, clock, currency, refresh, changeAccount }: PortalLimitsDependencies,
): Promise<FastifyReply> {
  const { ownerKey: buyerKey, credentialId } = principalOf(request);
  const limits = limitsOfForm(request.body);
  const author = partnerAuthor(request, 'buyer', typeId('token', credentialId));
  const outcome = await changeAccount(buyerKey, () =>
    database.tx(async (tx): Promise<Offer | Refusal> => {
      const offer = await readOwn(tx, request);
      if (offer === null) return NOT_FOUND;
      const errors = faultsOf(limits, offer);
      if (errors.length > 0) return { status: 422, code: 'validation_failed', errors };
      const saved = await saveOwnLimits(tx, { offerKey: offer.offerKey, buyerKey, limits, author }, clock.now());
      if (saved.ok) return saved.value;
      return saved.code === 'offer_not_found' ? NOT_FOUND : { status: 409, code: 'configuration_changed' };
    }),
  );
  if ('status' in outcome && 'code' in outcome) return sendProblem(request, reply, outcome);
  await refresh().catch((error: unknown) =>
    request.log.warn({ err: error }, 'refreshing the configuration failed; it is retried within a second'),
  );
  return reply.send(limitsOf(outcome, currency()));
}

function registerTrial(scope: App, { reads, clock, buyerOf }: PortalLimitsDependencies): void {
  scope.post(
    `${PATH}/trial`,
    { schema: { params: LimitsParams, body: OwnLimitsSchema, response: { 200: LimitsTrialSchema } } },
    async (request, reply) => {
      const limits = limitsOfForm(request.body);
      const { timeZone } = buyerOf(principalOf(request).ownerKey);
      const now = clock.now();
      const dayBefore = (days: number): string => localDate(new Date(now.getTime() - days * DAY_MS), timeZone);
      const days = { from: dayBefore(TRIAL_DAYS), until: dayBefore(1), timeZone };
      const sold = await reads.tx(
        async (tx): Promise<SoldOnDay[] | null> => {
          const offer = await readOwn(tx, request);
          return offer === null ? null : readSold(tx, offer, { days, now });
        },
        { snapshot: true },
      );
      if (sold === null) return sendProblem(request, reply, NOT_FOUND);
      const all = keptSales(sold, noLimits);
      const trial: LimitsTrial = {
        ...{ from: days.from, until: days.until, bought: sumsView(all), kept: sumsView(keptSales(sold, limits)) },
      };
      return reply.send(trial);
    },
  );
}

type TrialDays = { readonly from: string; readonly until: string; readonly timeZone: string };

async function readSold(
  tx: Tx,
  { offerKey, buyerKey }: Offer,
  { days, now }: { readonly days: TrialDays; readonly now: Date },
): Promise<SoldOnDay[]> {
  const report = await readReport(
    tx,
    {
      ...{
        ...days,
        dimensions: ['day', 'state'],
        measures: ['deliveries', 'failed', 'revenue'],
        limit: REPORT_ROWS_MAX,
      },
      filters: { offer: [offerKey] },
    },
    { kind: 'partner', key: buyerKey },
    now,
  );
  if (!report.ok) throw new Error(`the report of an offer's sales was refused: ${report.detail ?? report.code}`);
  return report.value.rows.map(({ keys: [day, state], values }) => ({
    day: day ?? '',
    state: state ?? null,
    leads: (values['deliveries'] ?? 0) - (values['failed'] ?? 0),
    cents: centsOf(values['revenue'] ?? 0),
  }));
}

function faultsOf(limits: OwnLimits, offer: Offer) {
  return limitsBeyond(limits, offer).map(({ kind, window, most }) => ({
    field: `${kind}.${window}`,
    code: 'out_of_range',
    message: `must be at most ${kind === 'caps' ? most : wireAmount(most)}, the limit that the operator set`,
  }));
}

function limitsOf(offer: Offer, currency: string): Limits {
  const { offerKey, name, payoutCents, caps, budgetCents, filters, ownLimits } = offer;
  return {
    ...{ offerKey, name, price: wireAmount(payoutCents), currency },
    bounds: {
      ...{ caps, budget: budgetForm(budgetCents) },
      ...{ states: [...filters.states], statesNot: [...filters.statesNot] },
    },
    own: limitsForm(ownLimits ?? noLimits),
  };
}

function sumsView({ leads, cents }: Sums): LimitsTrial['bought'] {
  return { leads, cost: wireAmount(cents) };
}
