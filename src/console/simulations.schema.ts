// Dry runs of a configuration change: the request, the list, and the result.
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';
import { FaultSchema, inputMembers } from './changes.schema.ts';

export const DAYS_USUAL = 7;
const DAYS_MAX = 90;

export const NewSimulationSchema = Type.Object(
  {
    ...inputMembers,
    version: Type.Integer({ minimum: 0 }),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: DAYS_MAX, default: DAYS_USUAL })),
  },
  { additionalProperties: false },
);
export type NewSimulation = Static<typeof NewSimulationSchema>;
export const StartedSimulationSchema = Type.Object({ id: Type.String() });
export type StartedSimulation = Static<typeof StartedSimulationSchema>;

/** The simulated change, so that the form can be filled in again. */
export const TriedChangeSchema = Type.Object({ ...inputMembers, version: Type.Integer() });
export type TriedInput = Static<typeof TriedChangeSchema>;

export const SimulationParams = Type.Object({ simulationId: Type.String() });
const StateSchema = Type.Enum(['running', 'done', 'refused', 'cancelled', 'failed']);
export const SimulationRowSchema = Type.Object({
  id: Type.String(),
  operator: Type.String(),
  days: Type.Integer(),
  state: StateSchema,
  /** Replayed decisions; `all` is null until they are counted. */
  progress: Type.Object({ done: Type.Integer(), all: orNull(Type.Integer()) }),
  createdAt: Type.String(),
  finishedAt: orNull(Type.String()),
});
export type SimulationOnConsole = Static<typeof SimulationRowSchema>;
export const SimulationsSchema = Type.Object({ data: Type.Array(SimulationRowSchema) });
export type Simulations = Static<typeof SimulationsSchema>;

const FromToSchema = Type.Object({ from: Type.Number(), to: Type.Number() });
export type FromTo = Static<typeof FromToSchema>;
const TotalsSchema = Type.Object({
  routed: Type.Integer(),
  rejected: Type.Integer(),
  held: Type.Integer(),
  revenue: Type.Number(),
  // Missing in results that an earlier release has stored.
  cost: Type.Optional(Type.Number()),
  margin: Type.Optional(Type.Number()),
});
const Changes = {
  /** As it is now; the key of what does not exist yet. */
  name: Type.String(),
  leads: FromToSchema,
  revenue: FromToSchema,
  cost: Type.Optional(FromToSchema),
  margin: Type.Optional(FromToSchema),
};
const Counts = { changed: Type.Integer(), unchanged: Type.Integer() };
const ResultSchema = Type.Object({
  from: Type.String(),
  to: Type.String(),
  leads: Type.Integer(),
  differences: Type.Integer(),
  erased: Type.Integer(),
  configurationChanges: Type.Integer(),
  totals: Type.Object({ history: TotalsSchema, simulated: TotalsSchema }),
  partners: Type.Object({ ...Counts, rows: Type.Array(Type.Object({ partner: Type.String(), ...Changes })) }),
  offers: Type.Object({
    ...Counts,
    rows: Type.Array(Type.Object({ offer: Type.String(), partner: Type.String(), ...Changes })),
  }),
  suppliers: Type.Object({ ...Counts, rows: Type.Array(Type.Object({ supplier: Type.String(), ...Changes })) }),
  unsold: Type.Array(Type.Object({ reason: Type.String(), from: Type.Integer(), to: Type.Integer() })),
});
export type SimulationResult = Static<typeof ResultSchema>;

export const ShownSimulationSchema = Type.Object({
  ...SimulationRowSchema.properties,
  faults: Type.Array(FaultSchema),
  result: orNull(ResultSchema),
});
export type ShownSimulation = Static<typeof ShownSimulationSchema>;
