// Routes of the portal and the console on the caller's own saved views of lists: list, save, rename, delete (contract 7.13).
import { strict as assert } from 'node:assert';
import type { FastifyRequest } from 'fastify';

import { typeId, uuidOf } from '../base/ids.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND, type Refusal } from '../platform/http/request-fault.ts';
import { principalOf } from '../platform/http/scope.ts';
import type { ListView, ViewHolder } from './list-view.ts';
import { deleteListView, findListViews, renameListView, saveListView } from './list-views.ts';
import {
  ListViewNameSchema,
  ListViewParams,
  ListViewSchema,
  ListViewsSchema,
  type ListView as View,
  NewListViewSchema,
} from './list-views.schema.ts';

type ListViewsDependencies = { readonly database: Database; readonly clock: Clock };

const SEARCH_REFUSED = {
  ...{ status: 422, code: 'validation_failed' },
  errors: [
    {
      ...{ field: 'query', code: 'not_allowed_value' },
      message: 'must not have `search`: it may be about a person, and erasure does not look here',
    },
  ],
} as const satisfies Refusal;

function hasSearch(query: string): boolean {
  return new URLSearchParams(query).has('search');
}

/** Needs no Idempotency-Key: a repeated request is refused, because the name is taken, or saves the same again. */
export function registerListViews(scope: App, { database, clock }: ListViewsDependencies): void {
  scope.get(
    '/api/list-views',
    { config: { permission: 'own' }, schema: { response: { 200: ListViewsSchema } } },
    async (request, reply) => reply.send({ data: (await findListViews(database, holderOf(request))).map(viewOf) }),
  );
  scope.post(
    '/api/list-views',
    { config: { permission: 'own' }, schema: { body: NewListViewSchema, response: { 201: ListViewSchema } } },
    async (request, reply) => {
      if (hasSearch(request.body.query)) return sendProblem(request, reply, SEARCH_REFUSED);
      const saved = await database.tx((tx) => saveListView(tx, holderOf(request), request.body, clock.now()));
      return saved.ok
        ? reply.code(201).send(viewOf(saved.value))
        : sendProblem(request, reply, { status: 409, code: saved.code });
    },
  );
  registerChanges(scope, { database, clock });
}

function registerChanges(scope: App, { database, clock }: ListViewsDependencies): void {
  const path = '/api/list-views/:viewId';
  scope.put(
    path,
    {
      config: { permission: 'own' },
      schema: { params: ListViewParams, body: ListViewNameSchema, response: { 200: ListViewSchema } },
    },
    async (request, reply) => {
      const viewId = uuidOf('listView', request.params.viewId);
      if (viewId === null) return sendProblem(request, reply, NOT_FOUND);
      const change = { viewId, name: request.body.name };
      const renamed = await database.tx((tx) => renameListView(tx, holderOf(request), change, clock.now()));
      if (renamed.ok) return reply.send(viewOf(renamed.value));
      return sendProblem(
        request,
        reply,
        renamed.code === 'not_found' ? NOT_FOUND : { status: 409, code: renamed.code },
      );
    },
  );
  scope.delete(path, { config: { permission: 'own' }, schema: { params: ListViewParams } }, async (request, reply) => {
    const viewId = uuidOf('listView', request.params.viewId);
    if (viewId === null) return sendProblem(request, reply, NOT_FOUND);
    const deleted = await database.tx((tx) => deleteListView(tx, holderOf(request), viewId));
    return deleted.ok ? reply.code(204).send() : sendProblem(request, reply, NOT_FOUND);
  });
}

/** An operator and a user have views of their own; all who sign in with tokens or keys of an account share those of the account. */
function holderOf(request: FastifyRequest): ViewHolder {
  const { ownerKey, credentialId, session, user } = principalOf(request);
  assert(session !== undefined, 'the route is outside a scope with sessions');
  if (user !== undefined) return { holderKind: 'user', holder: user.userId };
  return session.kind === 'operator'
    ? { holderKind: 'operator', holder: credentialId }
    : { holderKind: session.kind, holder: ownerKey };
}

function viewOf({ viewId, list, name, query, hiddenColumns }: ListView): View {
  return { id: typeId('listView', viewId), list, name, query, hiddenColumns: [...hiddenColumns] };
}
