// The saved views of the console's reports: list, save, rename, delete (contract 12.2).
import type { FastifyRequest } from 'fastify';

import { typeId, uuidOf } from '../base/ids.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { principalOf } from '../platform/http/scope.ts';
import { deleteReportView, findReportViews, renameReportView, saveReportView } from '../reports/report-views.ts';
import type { ReportView } from '../reports/report-view.ts';
import {
  NewReportViewSchema,
  type ReportView as View,
  ReportViewNameSchema,
  ReportViewParams,
  ReportViewSchema,
  ReportViewsSchema,
} from './report-views.schema.ts';

type ReportViewsDependencies = { readonly database: Database; readonly clock: Clock };

/** Any operator may keep views. Needs no Idempotency-Key: a repeated request is refused, because the name is taken. */
export function registerReportViews(scope: App, { database, clock }: ReportViewsDependencies): void {
  scope.get(
    '/api/report-views',
    { config: { permission: 'read' }, schema: { response: { 200: ReportViewsSchema } } },
    async (request, reply) => {
      const editor = editorOf(request);
      const views = await findReportViews(database, editor.operator);
      return reply.send({ data: views.map((view) => viewOf(view, editor)) });
    },
  );
  scope.post(
    '/api/report-views',
    { config: { permission: 'own' }, schema: { body: NewReportViewSchema, response: { 201: ReportViewSchema } } },
    async (request, reply) => {
      const editor = editorOf(request);
      const { name, question, isShared } = request.body;
      const view = { author: editor.operator, name, question, isShared };
      const saved = await database.tx((tx) => saveReportView(tx, view, clock.now()));
      return saved.ok
        ? reply.code(201).send(viewOf(saved.value, editor))
        : sendProblem(request, reply, { status: 409, code: 'view_name_taken' });
    },
  );
  registerChanges(scope, { database, clock });
}

function registerChanges(scope: App, { database, clock }: ReportViewsDependencies): void {
  const path = '/api/report-views/:viewId';
  scope.put(
    path,
    {
      config: { permission: 'own' },
      schema: { params: ReportViewParams, body: ReportViewNameSchema, response: { 200: ReportViewSchema } },
    },
    async (request, reply) => {
      const viewId = uuidOf('view', request.params.viewId);
      if (viewId === null) return sendProblem(request, reply, NOT_FOUND);
      const editor = editorOf(request);
      const change = { ...editor, viewId, name: request.body.name };
      const renamed = await database.tx((tx) => renameReportView(tx, change, clock.now()));
      if (renamed.ok) return reply.send(viewOf(renamed.value, editor));
      return sendProblem(
        request,
        reply,
        renamed.code === 'not_found' ? NOT_FOUND : { status: 409, code: 'view_name_taken' },
      );
    },
  );
  scope.delete(
    path,
    { config: { permission: 'own' }, schema: { params: ReportViewParams } },
    async (request, reply) => {
      const viewId = uuidOf('view', request.params.viewId);
      if (viewId === null) return sendProblem(request, reply, NOT_FOUND);
      const deleted = await database.tx((tx) => deleteReportView(tx, { ...editorOf(request), viewId }));
      return deleted.ok ? reply.code(204).send() : sendProblem(request, reply, NOT_FOUND);
    },
  );
}

type Editor = { readonly operator: string; readonly mayChangeAll: boolean };

function editorOf(request: FastifyRequest): Editor {
  const { ownerKey, permissions = [] } = principalOf(request);
  return { operator: ownerKey, mayChangeAll: permissions.includes('configure') };
}

function viewOf({ viewId, author, name, question, isShared }: ReportView, { operator, mayChangeAll }: Editor): View {
  const mayChange = author === operator || mayChangeAll;
  return { id: typeId('view', viewId), name, question, isShared, author, mayChange };
}
