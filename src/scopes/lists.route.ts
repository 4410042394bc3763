// The routes of lists that console, operator's API and portal share: read, check values, remove, and load (contract 15.1).
import { listForm, loadForm } from '../lists/list-view.rules.ts';
import type { List } from '../lists/list.ts';
import { findValue, listLists, readLoads } from '../lists/read-lists.ts';
import { type CreateRefusal, removeList, removeValues } from '../lists/save-lists.ts';
import type { App } from '../platform/http/app.ts';
import { type HttpResponse, jsonResponse, problemResponse } from '../platform/http/idempotency.ts';
import { PAGE_SIZE } from '../platform/http/list.schema.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND, type Refusal } from '../platform/http/request-fault.ts';
import {
  ERRORS_SHOWN,
  findList,
  type ListRoutes,
  malformed,
  malformedError,
  NO_CONFIGS,
  notAllowed,
  onList,
} from './list-exchange.ts';
import { registerListLoads } from './list-loads.route.ts';
import {
  CheckedValueSchema,
  CheckValueBody,
  ListPageSchema,
  ListParams,
  ListsQuery,
  RemovedListSchema,
  RemovedValuesSchema,
  RemoveValuesBody,
  ShownListSchema,
} from './lists.schema.ts';

const LOADS_SHOWN = 20;

export function registerListRoutes(scope: App, routes: ListRoutes): void {
  registerReads(scope, routes);
  registerCheck(scope, routes);
  registerRemovals(scope, routes);
  registerListLoads(scope, routes);
}

function registerReads(scope: App, { path, reads, database, ownerOf, configs = NO_CONFIGS }: ListRoutes): void {
  const config = configs.read;
  scope.get(
    path,
    { config, schema: { querystring: ListsQuery, response: { 200: ListPageSchema } } },
    async (request, reply) => {
      const { search = null, page = 1, pageSize = PAGE_SIZE } = request.query;
      const query = { owner: ownerOf(request), search, page, pageSize };
      const { total, lists } = await reads.tx((tx) => listLists(tx, query), { snapshot: true });
      return reply.send({ data: lists.map(listForm), page, pageSize, total });
    },
  );
  scope.get(
    `${path}/:listId`,
    { config, schema: { params: ListParams, response: { 200: ShownListSchema } } },
    async (request, reply) => {
      const owner = ownerOf(request);
      const shown = await database.tx(async (tx) => {
        const list = await findList(tx, request.params.listId, owner);
        return list === null ? null : { list, loads: await readLoads(tx, list.listId, LOADS_SHOWN) };
      });
      if (shown === null) return sendProblem(request, reply, NOT_FOUND);
      return reply.send({ ...listForm(shown.list), loads: shown.loads.map(loadForm) });
    },
  );
}

function registerCheck(scope: App, { path, database, clock, ownerOf, configs = NO_CONFIGS }: ListRoutes): void {
  scope.post(
    `${path}/:listId/check`,
    {
      config: configs.check,
      schema: { params: ListParams, body: CheckValueBody, response: { 200: CheckedValueSchema } },
    },
    async (request, reply) => {
      const owner = ownerOf(request);
      const found = await database.tx(async (tx) => {
        const list = await findList(tx, request.params.listId, owner);
        return list === null ? undefined : findValue(tx, list, request.body.value, clock.now());
      });
      if (found === undefined) return sendProblem(request, reply, NOT_FOUND);
      if (found === null) return sendProblem(request, reply, malformed('value', 'does not fit the kind of the list'));
      return reply.send({ listed: found.isListed, expires: found.expiresAt?.toISOString() ?? null });
    },
  );
}

function registerRemovals(scope: App, routes: ListRoutes): void {
  const { path, clock, authorOf, configs = NO_CONFIGS } = routes;
  scope.post(
    `${path}/:listId/remove`,
    {
      config: { ...configs.change, emptyBody: true },
      attachValidation: true,
      schema: { params: ListParams, response: { 200: RemovedListSchema } },
    },
    async (request, reply) =>
      onList(routes, { request, reply }, async (tx, list) => {
        const removed = await removeList(tx, { list, author: authorOf(request) }, clock.now());
        return jsonResponse(200, { removed });
      }),
  );
  scope.post(
    `${path}/:listId/remove-values`,
    {
      config: configs.change,
      attachValidation: true,
      schema: { params: ListParams, body: RemoveValuesBody, response: { 200: RemovedValuesSchema } },
    },
    async (request, reply) =>
      onList(routes, { request, reply }, async (tx, list) => {
        const { values } = request.body;
        const { removed, invalid: wrong } = await removeValues(
          tx,
          { list, values, author: authorOf(request) },
          clock.now(),
        );
        if (wrong.length === 0) return jsonResponse(200, { removed });
        const errors = wrong
          .slice(0, ERRORS_SHOWN)
          .map((index) => malformedError(`values[${index}]`, 'does not fit the kind of the list'));
        return problemResponse(request, reply, { status: 422, code: 'validation_failed', errors });
      }),
  );
}

const FIELDS: Readonly<Record<Exclude<CreateRefusal, 'list_key_taken' | 'too_many_lists'>, string>> = {
  list_use_unfit: 'use',
  list_names_nobody: 'partners',
  unknown_partner: 'partners',
  unknown_offer: 'offers',
};

export function createRefusal(code: CreateRefusal, detail = ''): Refusal {
  if (code === 'list_key_taken' || code === 'too_many_lists') return { status: 409, code, detail };
  return notAllowed(FIELDS[code], detail);
}

export function createdResponse(list: List): HttpResponse {
  return jsonResponse(201, listForm(list));
}
