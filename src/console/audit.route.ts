// The whole audit trail at the operator's console (contract 6.15).
import { Type } from 'typebox';

import { typeId, uuidOf } from '../base/ids.ts';
import { instantOf } from '../base/rfc3339.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { readCursor } from '../platform/http/validation.ts';
import type { AuditRecord } from '../audit/audit-event.ts';
import { auditChoices, searchAudit } from '../audit/search-audit.ts';
import { orNull } from '../platform/http/values.schema.ts';

export type ConsoleAuditDependencies = { readonly database: Database };

const text = Type.String();
const PAGE_SIZE = 50;
/** Longer than any key, id and name. */
const Word = Type.Optional(Type.String({ maxLength: 200 }));
const Actor = Type.Enum(['operator', 'buyer', 'supplier', 'system']);

const Query = Type.Object({
  actor: Word,
  actorType: Type.Optional(Actor),
  action: Word,
  target: Word,
  partner: Word,
  supplier: Word,
  /** From ≤ time < until. */
  from: Type.Optional(Type.String({ format: 'date-time' })),
  until: Type.Optional(Type.String({ format: 'date-time' })),
  before: Type.Optional(Type.String({ maxLength: 100, description: 'The `next` of the page before.' })),
});

const EventSchema = Type.Object({
  id: text,
  at: Type.String({ format: 'date-time' }),
  actor: Type.Object({ type: Actor, name: text }),
  action: text,
  target: text,
  partner: orNull(text),
  supplier: orNull(text),
  changes: Type.Record(text, Type.Object({ from: Type.Unknown(), to: Type.Unknown() })),
  ip: orNull(text),
  requestId: orNull(text),
});

export function registerConsoleAudit(scope: App, { database }: ConsoleAuditDependencies): void {
  scope.get(
    '/api/audit-log',
    {
      config: { permission: 'read' },
      schema: {
        querystring: Query,
        response: { 200: Type.Object({ data: Type.Array(EventSchema), next: orNull(text) }) },
      },
    },
    async (request, reply) => {
      const { from, until, before, ...conditions } = request.query;
      const bound = readCursor('before', before, (id) => uuidOf('audit', id));
      const search = { conditions, from: dateOf(from), until: dateOf(until), before: bound, limit: PAGE_SIZE };
      // One statement needs no transaction around it.
      const { events, next } = await searchAudit(database, search);
      return reply.send({ data: events.map(eventView), next: next === null ? null : typeId('audit', next) });
    },
  );
  scope.get(
    '/api/audit-log/choices',
    {
      config: { permission: 'read' },
      schema: { response: { 200: Type.Object({ actions: Type.Array(text), actors: Type.Array(text) }) } },
    },
    async (_request, reply) => reply.send(await auditChoices(database)),
  );
}

function dateOf(at: string | undefined): Date | null {
  return at === undefined ? null : instantOf(at);
}

function eventView({ auditId, at, actor, action, target, buyerKey, supplierKey, ...event }: AuditRecord) {
  const { changes, ip, requestId } = event;
  return {
    id: typeId('audit', auditId),
    at: at.toISOString(),
    actor,
    action,
    target,
    partner: buyerKey,
    supplier: supplierKey,
    // As stored, `to` would come before `from`.
    changes: Object.fromEntries(Object.entries(changes).map(([field, { from, to }]) => [field, { from, to }])),
    ip,
    requestId,
  };
}
