// The console's leads: the list with search, and the full story of one lead (contract 7.2).
import { timeOfId } from '../base/id-time.ts';
import { typeId, type Uuid, uuidOf } from '../base/ids.ts';
import { centsOf, wireAmount } from '../base/money.ts';
import { instantOf } from '../base/rfc3339.ts';
import { findClaimsOfLead } from '../claims/stored-claims.ts';
import { findSales, type SaleOfLead } from '../deliveries/find-sales.ts';
import { sumSales } from '../deliveries/sum-deliveries.ts';
import { SEARCH_LENGTH_MAX } from '../deliveries/delivery-filter.schema.ts';
import { type LeadFilter, listLeadIds, pageLeads, pageOldestLeads } from '../leads/find-leads.ts';
import { describeReasons } from '../leads/reason-texts.rules.ts';
import type { LeadState, PublicStatus } from '../leads/stored-lead.ts';
import { type NamedVerticals, verticalName } from '../marketplace/vertical-name.rules.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { readCursor } from '../platform/http/validation.ts';
import { principalOf } from '../platform/http/scope.ts';
import { ListSumsSchema } from '../platform/http/list-sums.schema.ts';
import { LIST_SUMS_MAX, listSums } from '../platform/http/list-sums.ts';
import { searchTextOf } from '../platform/http/search-header.ts';
import { stateName } from './lead-state.rules.ts';
import {
  LeadFiltersSchema,
  LeadParams,
  type LeadFilters,
  LeadsQuerySchema,
  type LeadsQuery,
  LeadsSchema,
  type LeadStateName,
  LeadStoryQuerySchema,
  LeadStorySchema,
} from './leads.schema.ts';
import { leadOfId, type LeadStory, readLeadStory } from '../routing/read-lead-story.ts';
import { type LeadSearchResult, searchLeads } from '../routing/search-leads.ts';

export type ConsoleLeadsDependencies = {
  readonly database: Database;
  /** For lists. */
  readonly reads: Database;
  /** Names from the current configuration; null if closed. */
  readonly buyerOf: (buyerKey: string) => { readonly name: string } | null;
  readonly supplierOf: (supplierKey: string) => { readonly config: { readonly name: string } } | null;
  readonly currency: () => string;
  readonly verticals: () => NamedVerticals;
};

const PAGE = 50;

const CONDITIONS: Readonly<
  Record<
    LeadStateName,
    { readonly states: readonly LeadState[] | null; readonly statuses: readonly PublicStatus[] | null }
  >
> = {
  received: { states: ['received'], statuses: null },
  held: { states: ['held'], statuses: null },
  routed: { states: ['routed'], statuses: null },
  no_buyer: { states: null, statuses: ['No Buyer'] },
  duplicate: { states: null, statuses: ['Duplicate'] },
  suppressed: { states: null, statuses: ['Suppressed'] },
  invalid: { states: null, statuses: ['Invalid'] },
};

export function registerConsoleLeads(scope: App, dependencies: ConsoleLeadsDependencies): void {
  registerList(scope, dependencies);
  registerSums(scope, dependencies);
  registerStory(scope, dependencies);
}

function registerList(scope: App, dependencies: ConsoleLeadsDependencies): void {
  const { reads, supplierOf, buyerOf, currency, verticals } = dependencies;
  scope.get(
    '/api/leads',
    {
      config: { permission: 'read', reveals: 'record', personMembers: ['name'] },
      schema: { querystring: LeadsQuerySchema, response: { 200: LeadsSchema } },
    },
    async (request, reply) => {
      const before = readCursor('before', request.query.before, (id) => uuidOf('lead', id));
      const { limit = PAGE, sort } = request.query;
      const search = searchTextOf(request, SEARCH_LENGTH_MAX);
      const filter = filterOf(request.query);
      const mayReadPersons = principalOf(request).permissions?.includes('persons') === true;
      const { leads, next, note, sales } = await reads.tx(
        async (tx) => {
          const found =
            search === null
              ? { ...(await readPage(tx, { filter, before, limit, sort })), note: null }
              : await searchLeads(tx, { text: search, filter, persons: mayReadPersons, before });
          return {
            ...found,
            sales: await findSales(
              tx,
              found.leads.map(({ leadId }) => leadId),
            ),
          };
        },
        { snapshot: true },
      );
      return reply.send({
        data: leads.map((lead) => ({
          leadId: typeId('lead', lead.leadId),
          externalId: lead.externalId,
          supplier: lead.supplierKey,
          supplierName: supplierOf(lead.supplierKey)?.config.name ?? lead.supplierKey,
          test: lead.isTest,
          state: stateName(lead.state, lead.publicStatus),
          reason: lead.reason,
          score: lead.score,
          receivedAt: lead.receivedAt.toISOString(),
          erased: lead.erasedAt !== null,
          name: lead.fullName,
          usState: lead.usState,
          vertical: verticalName(lead.vertical, verticals()),
          source: lead.source,
          ...salesView(sales.get(lead.leadId) ?? [], buyerOf),
        })),
        next: next === null ? null : typeId('lead', next),
        backTo: next === null ? null : timeOfId(next).toISOString(),
        note,
        currency: currency(),
      });
    },
  );
}

function salesView(sales: readonly SaleOfLead[], buyerOf: ConsoleLeadsDependencies['buyerOf']) {
  const charged = sales.filter(({ status }) => status === 'Confirmed').map(({ payout }) => centsOf(payout));
  return {
    sales: sales.map((sale) => ({ ...sale, partnerName: buyerOf(sale.partner)?.name ?? sale.partner })),
    price: charged.length === 0 ? null : wireAmount(charged.reduce((sum, cents) => sum + cents, 0)),
  };
}

/** What the list shows under the same filters and search, on all of its pages. */
function registerSums(scope: App, { reads, currency }: ConsoleLeadsDependencies): void {
  scope.get(
    '/api/leads/sums',
    {
      config: { permission: 'read', reveals: 'record' },
      schema: { querystring: LeadFiltersSchema, response: { 200: ListSumsSchema } },
    },
    async (request, reply) => {
      const text = searchTextOf(request, SEARCH_LENGTH_MAX);
      const filter = filterOf(request.query);
      const persons = principalOf(request).permissions?.includes('persons') === true;
      const sums = await reads.tx(
        async (tx) => {
          const { leadIds, isAll } =
            text === null
              ? await listLeadIds(tx, { filter, limit: LIST_SUMS_MAX + 1 })
              : idsOf(await searchLeads(tx, { text, filter, persons, before: null }));
          const { sold, cents } = await sumSales(tx, leadIds);
          return { rows: leadIds.length, isAll, counts: { sold }, cents: { charged: cents } };
        },
        { snapshot: true },
      );
      return reply.send(listSums({ ...sums, currency: currency() }));
    },
  );
}

function idsOf({ leads, next, note }: LeadSearchResult) {
  return { leadIds: leads.map(({ leadId }) => leadId), isAll: next === null && note !== 'too_many' };
}

type Page = {
  readonly filter: LeadFilter;
  readonly before: Uuid | null;
  readonly limit: number;
  readonly sort: LeadsQuery['sort'];
};

function readPage(tx: Tx, { filter, before, limit, sort }: Page) {
  return sort === 'received'
    ? pageOldestLeads(tx, { filter, after: before, limit })
    : pageLeads(tx, { filter, before, limit });
}

function registerStory(scope: App, dependencies: ConsoleLeadsDependencies): void {
  const { database } = dependencies;
  scope.get(
    '/api/leads/:leadId',
    {
      config: { permission: 'read', reveals: 'record' },
      schema: {
        params: LeadParams,
        querystring: LeadStoryQuerySchema,
        response: { 200: LeadStorySchema },
      },
    },
    async (request, reply) => {
      const { round = null } = request.query;
      const found = await database.tx(
        async (tx) => {
          const leadId = await leadOfId(tx, request.params.leadId);
          const story = leadId === null ? null : await readLeadStory(tx, leadId, round);
          return story === null || leadId === null ? null : { story, claims: await findClaimsOfLead(tx, leadId) };
        },
        { snapshot: true },
      );
      if (found === null) return sendProblem(request, reply, NOT_FOUND);
      return reply.send({ ...storyView(found.story, dependencies), claims: found.claims });
    },
  );
}

function storyView(story: LeadStory, { buyerOf, supplierOf, currency, verticals }: ConsoleLeadsDependencies) {
  const { lead } = story;
  return {
    ...story,
    currency: currency(),
    lead: {
      ...lead,
      supplierName: supplierOf(lead.supplier)?.config.name ?? lead.supplier,
      verticalName: verticalName(lead.fields?.vertical, verticals()),
      state: stateName(lead.state, lead.status),
      reasons: describeReasons(lead.reason),
    },
    deliveries: story.deliveries.map((delivery) => ({
      ...delivery,
      partnerName: buyerOf(delivery.partner)?.name ?? delivery.partner,
    })),
  };
}

function filterOf({ supplier, vertical, state, usState, partner, from, to }: LeadFilters): LeadFilter {
  return {
    supplierKey: supplier ?? null,
    verticalKey: vertical ?? null,
    usState: usState ?? null,
    buyerKey: partner ?? null,
    ...(state === undefined ? { states: null, statuses: null } : CONDITIONS[state]),
    from: from === undefined ? null : instantOf(from),
    to: to === undefined ? null : instantOf(to),
  };
}
