// A supplier's submissions in the portal: the latest, a search by id, phone, email or name, and the details of one submission.
import { Type } from 'typebox';
import { timeOfId } from '../../base/id-time.ts';
import { type LeadId, typeId, type Uuid, uuidOf } from '../../base/ids.ts';
import type { ContactQuery } from '../../leads/contact-query.rules.ts';
import { nameWords } from '../../leads/name-words.ts';
import { readDeliveryFilter } from '../../deliveries/delivery-filter.ts';
import { contactQuery, type ParsedSearch, readSearch } from '../../deliveries/search/search-query.rules.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { ListSumsSchema } from '../../platform/http/list-sums.schema.ts';
import { LIST_SUMS_MAX, listSums } from '../../platform/http/list-sums.ts';
import { searchTextOf } from '../../platform/http/search-header.ts';
import type { CompiledFieldMapping } from '../../suppliers/field-mapping.rules.ts';
import type { SupplierConfig } from '../../suppliers/supplier.ts';
import { keptResponse } from '../../leads/ingest-response.rules.ts';
import {
  findLeadsByContact,
  findOldestLeadsByContact,
  type LeadFilter,
  readLeadsByIds,
} from '../../leads/find-leads.ts';
import {
  findSubmissions,
  isSold,
  listSubmissions,
  readSubmission,
  sumSubmissions,
} from '../../leads/find-submissions.ts';
import { describeCompleteUnsold, describeReasons, describeStatus } from '../../leads/reason-texts.rules.ts';
import {
  type SubmissionFilters,
  SubmissionFiltersSchema,
  SubmissionSchema,
  SubmissionsQuerySchema,
  SubmissionsSchema,
} from './submissions.schema.ts';
import type { ListedSubmission, StoredSubmission } from '../../leads/stored-submission.ts';
import type { LoggedCallback } from '../../messages/message.ts';

export type PortalSubmissionsDependencies = {
  readonly database: Database;
  readonly supplierOf: (supplierKey: string) => {
    readonly config: Pick<SupplierConfig, 'callback' | 'timeZone'>;
    readonly mapping: CompiledFieldMapping;
  };
  readonly currency: () => string;
};

/** As long as an external id. */
const SEARCH_LENGTH_MAX = 500;
/** Results of a search that are counted. */
const FOUND_MAX = 200;

export function registerPortalSubmissions(
  scope: App,
  { database, supplierOf, currency }: PortalSubmissionsDependencies,
): void {
  scope.get(
    '/api/supplier/submissions',
    { attachValidation: true, schema: { querystring: SubmissionsQuerySchema, response: { 200: SubmissionsSchema } } },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const conditions = conditionsOf(request, supplierOf(ownerKey).config);
      const { state = null, reason = null, before, limit = 50, sort } = request.query;
      const search = searchTextOf(request, SEARCH_LENGTH_MAX);
      const from = before === undefined ? null : uuidOf('lead', before);
      if (before !== undefined && from === null) {
        const errors = [{ field: 'before', code: 'invalid_format', message: 'must be the id of a lead' }];
        return sendProblem(request, reply, { status: 400, code: 'invalid_query', errors });
      }
      const isOldestFirst = sort === 'received';
      if (search !== null) {
        const own = { text: search.trim(), conditions, seen: from, isOldestFirst, limit };
        const { leads, next } = await database.tx((tx) => searchOwn(tx, ownerKey, own));
        const lookedUntil = next === null ? null : timeOfId(next).toISOString();
        return reply.send({
          data: leads.map(listedView),
          next: next === null ? null : typeId('lead', next),
          lookedUntil,
        });
      }
      const query = { kind: state, reason, ...conditions, seen: from, isOldestFirst, limit };
      const page = await database.tx((tx) => listSubmissions(tx, ownerKey, query));
      return reply.send({
        data: page.submissions.map(listedView),
        next: page.next === null ? null : typeId('lead', page.next),
        lookedUntil: page.lookedUntil?.toISOString() ?? null,
      });
    },
  );
  scope.get(
    '/api/supplier/submissions/sums',
    { attachValidation: true, schema: { querystring: SubmissionFiltersSchema, response: { 200: ListSumsSchema } } },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const conditions = conditionsOf(request, supplierOf(ownerKey).config);
      const { state = null, reason = null } = request.query;
      const text = searchTextOf(request, SEARCH_LENGTH_MAX);
      const sums = await database.tx(async (tx) => {
        if (text === null) {
          const limit = LIST_SUMS_MAX + 1;
          const query = { kind: state, reason, ...conditions, limit };
          const { sold, rows, isAll } = await sumSubmissions(tx, ownerKey, query);
          return { rows, isAll, counts: { sold } };
        }
        const search = { text: text.trim(), conditions, seen: null, isOldestFirst: false, limit: FOUND_MAX };
        const { leads, next } = await searchOwn(tx, ownerKey, search);
        const isAll = next === null && leads.length < FOUND_MAX;
        return { rows: leads.length, isAll, counts: { sold: leads.filter(isSold).length } };
      });
      return reply.send(listSums({ ...sums, currency: currency() }));
    },
  );
  scope.get(
    '/api/supplier/submissions/:leadId',
    { schema: { params: Type.Object({ leadId: Type.String() }), response: { 200: SubmissionSchema } } },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const { mapping, config } = supplierOf(ownerKey);
      const leadId = uuidOf('lead', request.params.leadId);
      const submission =
        leadId === null
          ? null
          : await database.tx((tx) => readSubmission(tx, ownerKey, { leadId, mapping }), { snapshot: true });
      if (submission === null) return sendProblem(request, reply, { status: 404, code: 'not_found' });
      return reply.send({
        ...submissionView(submission),
        isMapped: !mapping.isEmpty,
        callbackEvents: config.callback === null ? null : [...config.callback.events],
      });
    },
  );
}

type Conditions = Pick<LeadFilter, 'from' | 'to' | 'usState' | 'source'>;

/** Days, source and US state. Throws a 400 that lists every error of the query. */
function conditionsOf(
  { query, validationError }: { readonly query: SubmissionFilters; readonly validationError?: Error | undefined },
  { timeZone }: Pick<SupplierConfig, 'timeZone'>,
): Conditions {
  const { filter } = readDeliveryFilter(query, { invalid: validationError, timeZone });
  const { usState, source = null } = query;
  return { from: filter.from, to: filter.until, usState: usState?.toUpperCase() ?? null, source };
}

type OwnSearch = {
  readonly text: string;
  readonly conditions: Conditions;
  /** The last submission of the page before; null for the first page. */
  readonly seen: Uuid | null;
  readonly isOldestFirst: boolean;
  readonly limit: number;
};

/** By id, else by phone number or its end, by email address, or by words of a name, among the supplier's own leads alone; part of them per request. */
async function searchOwn(
  tx: Tx,
  supplierKey: string,
  { text, conditions, seen, isOldestFirst, limit }: OwnSearch,
): Promise<{ readonly leads: readonly ListedSubmission[]; readonly next: LeadId | null }> {
  const byId = seen === null ? await findSubmissions(tx, supplierKey, { search: text, limit }) : [];
  const reading = readSearch(text);
  const query = byId.length === 0 && reading.ok ? personQuery(reading.parsed, text) : null;
  const filter = { supplierKey, verticalKey: null, states: null, statuses: null, ...conditions };
  if (query === null) {
    const ids = byId.map(({ leadId }) => leadId);
    const leads = await readLeadsByIds(tx, ids, filter);
    return { leads: isOldestFirst ? leads.toReversed() : leads, next: null };
  }
  return isOldestFirst
    ? findOldestLeadsByContact(tx, { query, filter, after: seen, limit })
    : findLeadsByContact(tx, { query, filter, before: seen, limit });
}

/** Null if the text is neither a number, an address nor words. */
function personQuery(parsed: ParsedSearch, text: string): ContactQuery | null {
  if (parsed.kind !== 'name') return contactQuery(parsed);
  const words = nameWords(text);
  return words.length === 0 ? null : { kind: 'name', words };
}

function listedView({ leadId, externalId, isTest, publicStatus, reason, score, receivedAt }: ListedSubmission) {
  return {
    leadId: typeId('lead', leadId),
    externalId,
    receivedAt: receivedAt.toISOString(),
    test: isTest,
    status: publicStatus,
    statusMeaning: describeStatus(publicStatus, isTest),
    score,
    reasons: describeReasons(reason),
  };
}

function submissionView(submission: StoredSubmission) {
  const { reading, lacking, callbacks } = submission;
  return {
    ...listedView(submission),
    decidedAt: submission.decidedAt?.toISOString() ?? null,
    erasedAt: submission.erasedAt?.toISOString() ?? null,
    body: submission.rawBody,
    bodyBytes: submission.rawBodyBytes,
    reading,
    response: keptResponse(submission),
    ...(submission.publicStatus === 'No Buyer' && lacking.length === 0 ? { reasons: [describeCompleteUnsold()] } : {}),
    lacking: [...lacking],
    callbacks: callbacks.map(callbackView),
  };
}

function callbackView({ messageId, queuedAt, triedAt, ...callback }: LoggedCallback) {
  return {
    callbackId: typeId('event', messageId),
    ...callback,
    queuedAt: queuedAt.toISOString(),
    triedAt: triedAt?.toISOString() ?? null,
  };
}
