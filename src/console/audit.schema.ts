// Queries and responses of the console's audit log (contract 6.15).
import { type Static, Type } from 'typebox';

import { JsonValueSchema, orNull } from '../platform/http/values.schema.ts';

const text = Type.String();
const time = Type.String({ format: 'date-time' });
/** Longer than any key, id or name. */
const Word = Type.Optional(Type.String({ maxLength: 200 }));
const Actor = Type.Enum(['operator', 'buyer', 'supplier', 'system']);

export const AuditQuerySchema = Type.Object({
  actor: Word,
  actorType: Type.Optional(Actor),
  action: Word,
  target: Word,
  partner: Word,
  supplier: Word,
  /** From ≤ time < until. */
  from: Type.Optional(time),
  until: Type.Optional(time),
  before: Type.Optional(Type.String({ maxLength: 100, description: 'The `next` of the previous page.' })),
});
export type AuditQuery = Static<typeof AuditQuerySchema>;

const EventSchema = Type.Object({
  id: text,
  at: time,
  actor: Type.Object({ type: Actor, name: text }),
  action: text,
  target: text,
  partner: orNull(text),
  supplier: orNull(text),
  changes: Type.Record(text, Type.Object({ from: JsonValueSchema, to: JsonValueSchema })),
  ip: orNull(text),
  requestId: orNull(text),
});
export type AuditLogEvent = Static<typeof EventSchema>;

export const AuditLogSchema = Type.Object({ data: Type.Array(EventSchema), next: orNull(text) });
export type AuditLog = Static<typeof AuditLogSchema>;

export const AuditChoicesSchema = Type.Object({ actions: Type.Array(text), actors: Type.Array(text) });
export type AuditChoices = Static<typeof AuditChoicesSchema>;
