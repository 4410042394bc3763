// Replays at the console: what one would send again, starting one, and progress (contract 6.4).
import { type Static, Type } from 'typebox';

import { redeliveryCauses } from '../deliveries/redelivery/redelivery-cause.rules.ts';
import { orNull } from '../platform/http/values.schema.ts';

const Text = Type.String();
const Time = Type.String({ format: 'date-time' });
const Status = Type.Enum(['Failed', 'Confirmed']);

const window = {
  partner: Type.String({ maxLength: 63 }),
  /** from ≤ delivered ≤ until. */
  from: Time,
  until: Time,
  status: Status,
};
export const ReplayWindowSchema = Type.Object(window, { additionalProperties: false });
export type ReplayWindow = Static<typeof ReplayWindowSchema>;

const Skipped = Type.Array(Type.Object({ cause: Type.Enum([...redeliveryCauses]), deliveries: Type.Integer() }));

export const ReplayPlanSchema = Type.Object({
  deliveries: Type.Integer(),
  ready: Type.Integer(),
  skipped: Skipped,
  isTooMany: Type.Boolean(),
  /** What one replay takes. */
  atMost: Type.Integer(),
});
export type ReplayPlan = Static<typeof ReplayPlanSchema>;

export const ReplaySchema = Type.Object({
  ...window,
  replayId: Text,
  partnerName: Text,
  operator: Text,
  state: Type.Enum(['running', 'done', 'stopped']),
  planned: Type.Integer(),
  queued: Type.Integer(),
  skipped: Skipped,
  createdAt: Time,
  finishedAt: orNull(Time),
});
export type Replay = Static<typeof ReplaySchema>;

export const ReplaysSchema = Type.Object({ data: Type.Array(ReplaySchema) });
export type Replays = Static<typeof ReplaysSchema>;

export const ReplayParams = Type.Object({ replayId: Text });
export const StoppedReplaySchema = Type.Object({ replayId: Text, stopped: Type.Literal(true) });
export type StoppedReplay = Static<typeof StoppedReplaySchema>;
