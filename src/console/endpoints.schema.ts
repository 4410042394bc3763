// Endpoints in the operator's console: target, health, and the number of queued messages (contract 4.12).
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

const text = Type.String();
const TimeOrNull = orNull(Type.String({ format: 'date-time' }));

export const EndpointsQuerySchema = Type.Object({
  only: Type.Optional(Type.Enum(['failing'])),
  search: Type.Optional(Type.String({ maxLength: 200 })),
  after: Type.Optional(Type.String({ maxLength: 200 })),
});
export type EndpointsQuery = Static<typeof EndpointsQuerySchema>;

const EndpointSchema = Type.Object({
  ownerKind: Type.Enum(['buyer', 'supplier']),
  ownerKey: text,
  name: text,
  ownerStatus: text,
  channel: text,
  isPrimary: Type.Boolean(),
  target: text,
  state: Type.Enum(['well', 'unsteady', 'failing', 'disabled']),
  /** Consecutive failures. */
  failures: Type.Integer(),
  since: TimeOrNull,
  nextProbeAt: TimeOrNull,
  lastError: orNull(text),
  lastFailedAt: TimeOrNull,
  waiting: Type.Integer(),
  waitingIsMore: Type.Boolean(),
  outages: Type.Integer(),
  outageSeconds: Type.Integer(),
  hours: Type.Array(Type.Integer({ minimum: 0, maximum: 3600 }), {
    description: 'Seconds of downtime in each of the last 24 hours, oldest first.',
  }),
});
export type Endpoint = Static<typeof EndpointSchema>;

export const EndpointsSchema = Type.Object({
  data: Type.Array(EndpointSchema),
  next: orNull(text),
  outageDays: Type.Integer(),
});
export type Endpoints = Static<typeof EndpointsSchema>;

export const EndpointParams = Type.Object({ ownerKind: text, ownerKey: text, channel: text });

export const RevivedSchema = Type.Object({ result: Type.Enum(['enabled', 'asked', 'asked_when_due', 'was_well']) });
export type Revived = Static<typeof RevivedSchema>;
