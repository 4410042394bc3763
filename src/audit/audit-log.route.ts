// GET /api/v1/buyer/audit-log: the audit trail of a partner (contract 6.15).
import { Type } from 'typebox';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import type { routeGuard } from '../platform/http/route-guard.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { principalOf } from '../platform/http/scope.ts';
import { auditView } from './audit-view.rules.ts';
import { listAudit } from './read-audit.ts';
import { orNull } from '../platform/http/values.schema.ts';

export type AuditLogDependencies = {
  readonly database: Database;
  /** Lets in the partners for whom this tool is enabled. */
  readonly onRequest: ReturnType<typeof routeGuard>;
};

const LIMIT = 50;
const LIMIT_MAX = 200;

const example = {
  id: 'aud_01m7wyk0h2emp81qch4dvtyn6a',
  at: '2026-11-20T17:03:12.418Z',
  actor: { type: 'buyer', name: 'tok_01m7ww5brzff488f6mxkdn36hm' },
  action: 'account.updated',
  target: 'summit',
  changes: { webhookUrl: { from: null, to: 'https://crm.summit.example/leads' } },
  ip: '203.0.113.24',
  requestId: '0b7f2d1e-6c1e-4b0e-9a53-0d8a5c1f7a10',
};

const EventSchema = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ format: 'date-time', description: 'UTC.' }),
    actor: Type.Object({
      type: Type.Enum(['buyer', 'operator', 'system']),
      name: Type.String({
        description: 'For a buyer the id of the access token, for the system the name of the component.',
      }),
    }),
    action: Type.String({ description: 'The action, such as `token.issued`.' }),
    target: Type.String({ description: 'The object of the action: an id or a key.' }),
    changes: Type.Record(
      Type.String(),
      Type.Object({ from: Type.Unknown(), to: Type.Unknown() }, { description: 'The value before and after.' }),
      { description: 'The changed fields by name. Secrets never appear.' },
    ),
    ip: orNull(Type.String({ description: 'The IP address of your request.' })),
    requestId: orNull(Type.String({ description: 'The X-Request-Id of your request.' })),
  },
  { $id: 'AuditEvent', description: 'A change of your account, its offers or credentials.', examples: [example] },
);

const LogSchema = Type.Object(
  { data: Type.Array(Type.Ref('AuditEvent')) },
  { $id: 'AuditLog', description: 'Events, newest first.', examples: [{ data: [example] }] },
);

export function registerAuditLog(scope: App, { database, onRequest }: AuditLogDependencies): void {
  for (const schema of [EventSchema, LogSchema]) scope.addSchema(schema);
  scope.get(
    '/api/v1/buyer/audit-log',
    {
      onRequest,
      schema: {
        operationId: 'listAuditLog',
        summary: 'List the changes of your account',
        description:
          'Beta. Changes of configuration by the operator and by yourself, credentials issued and revoked, claims, and endpoints disabled and enabled, newest first.',
        tags: ['Buyer'],
        querystring: Type.Object({
          limit: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: LIMIT_MAX,
              default: LIMIT,
              description: 'The maximum number of events.',
            }),
          ),
        }),
        response: { 200: Type.Ref('AuditLog'), ...documentedProblems('partner_suspended', 'beta_not_enabled') },
      },
      // Needs no schema serializer: the view has exactly its members.
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => {
      const { limit = LIMIT } = request.query;
      // A single statement needs no transaction.
      const events = await listAudit(database, principalOf(request).ownerKey, limit);
      return reply.send({ data: events.map(auditView) });
    },
  );
}
