// The console's audit log: search over the whole audit trail, and the values to filter by (contract 6.15).
import { typeId, uuidOf } from '../base/ids.ts';
import { instantOf } from '../base/rfc3339.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { readCursor } from '../platform/http/validation.ts';
import type { AuditRecord } from '../audit/audit-event.ts';
import { readAuditChoices, searchAudit } from '../audit/read-audit.ts';
import { AuditChoicesSchema, type AuditLogEvent, AuditLogSchema, AuditQuerySchema } from './audit.schema.ts';

export type ConsoleAuditDependencies = { readonly database: Database };

const PAGE_SIZE = 50;

export function registerConsoleAudit(scope: App, { database }: ConsoleAuditDependencies): void {
  scope.get(
    '/api/audit-log',
    {
      config: { permission: 'read' },
      schema: {
        querystring: AuditQuerySchema,
        response: { 200: AuditLogSchema },
      },
    },
    async (request, reply) => {
      const { from, until, before, ...conditions } = request.query;
      const bound = readCursor('before', before, (id) => uuidOf('audit', id));
      const search = { conditions, from: dateOf(from), until: dateOf(until), before: bound, limit: PAGE_SIZE };
      // A single statement needs no explicit transaction.
      const { events, next } = await searchAudit(database, search);
      return reply.send({ data: events.map(eventView), next: next === null ? null : typeId('audit', next) });
    },
  );
  scope.get(
    '/api/audit-log/choices',
    {
      config: { permission: 'read' },
      schema: { response: { 200: AuditChoicesSchema } },
    },
    async (_request, reply) => reply.send(await readAuditChoices(database)),
  );
}

function dateOf(at: string | undefined): Date | null {
  return at === undefined ? null : instantOf(at);
}

function eventView({
  auditId,
  at,
  actor,
  action,
  target,
  buyerKey,
  supplierKey,
  ...event
}: AuditRecord): AuditLogEvent {
  const { changes, ip, requestId } = event;
  return {
    id: typeId('audit', auditId),
    at: at.toISOString(),
    actor,
    action,
    target,
    partner: buyerKey,
    supplier: supplierKey,
    // jsonb stores `to` before `from`.
    changes: Object.fromEntries(Object.entries(changes).map(([field, { from, to }]) => [field, { from, to }])),
    ip,
    requestId,
  };
}
