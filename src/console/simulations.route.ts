// The console's simulations: start one of a change that is not in force, follow it from whatever process, cancel it, see what it came to.
import { type Static, Type } from 'typebox';

import { typeId, uuidOf } from '../base/ids.ts';
import { CHANGE_BYTES, FaultSchema, inputMembers, inputOf } from './changes.schema.ts';
import type { InputFault } from '../marketplace-file/read-input.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { answerIdempotently, jsonAnswer, problemAnswer } from '../platform/http/idempotency.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { principalOf } from '../platform/http/scope.ts';
import type { Simulation } from '../simulation/simulate-file.ts';
import {
  finishSimulation,
  listSimulations,
  readSimulation,
  readSimulationInput,
  type SimulationRow,
} from '../simulation/simulation-row.ts';
import { shownOffers, shownPartners } from '../simulation/simulation-view.rules.ts';
import type { Simulations } from '../simulation/simulations.ts';

export type ConsoleSimulationsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly simulations: Pick<Simulations, 'start'>;
};

const DAYS = { usual: 7, most: 90 };
/** The last ones, to come back to. */
const LISTED = 20;

const SimulationParams = Type.Object({ simulationId: Type.String() });
const OrNullTime = Type.Union([Type.String(), Type.Null()]);
const StateSchema = Type.Enum(['running', 'done', 'refused', 'cancelled', 'failed']);
const RowSchema = Type.Object({
  id: Type.String(),
  operator: Type.String(),
  days: Type.Integer(),
  state: StateSchema,
  /** Decisions repeated; `all` is null until they are counted. */
  progress: Type.Object({ done: Type.Integer(), all: Type.Union([Type.Integer(), Type.Null()]) }),
  createdAt: Type.String(),
  finishedAt: OrNullTime,
});
const FromToSchema = Type.Object({ from: Type.Number(), to: Type.Number() });
const TotalsSchema = Type.Object({
  routed: Type.Integer(),
  rejected: Type.Integer(),
  held: Type.Integer(),
  revenue: Type.Number(),
});
const Changes = { leads: FromToSchema, revenue: FromToSchema };
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
  unsold: Type.Array(Type.Object({ reason: Type.String(), from: Type.Integer(), to: Type.Integer() })),
});
const OneSchema = Type.Object({
  ...RowSchema.properties,
  faults: Type.Array(FaultSchema),
  result: Type.Union([ResultSchema, Type.Null()]),
});

export function registerConsoleSimulations(scope: App, dependencies: ConsoleSimulationsDependencies): void {
  registerStart(scope, dependencies);
  registerRead(scope, dependencies);
  registerInput(scope, dependencies);
  registerCancel(scope, dependencies);
}

/** A repeat under the same Idempotency-Key finds the first one under way, like everybody else: it needs no key to be harmless. */
function registerStart(scope: App, { simulations }: ConsoleSimulationsDependencies): void {
  const Wish = Type.Object(
    {
      ...inputMembers,
      version: Type.Integer({ minimum: 0 }),
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: DAYS.most, default: DAYS.usual })),
    },
    { additionalProperties: false },
  );
  scope.post(
    '/api/simulations',
    {
      config: { permission: 'configure' },
      bodyLimit: CHANGE_BYTES,
      schema: { body: Wish, response: { 202: Type.Object({ id: Type.String() }) } },
    },
    async (request, reply) => {
      const { version, days = DAYS.usual } = request.body;
      const input = inputOf(request.body);
      if (input === null) {
        const errors = [{ field: 'fragment', code: 'required', message: 'give either a fragment or a text' }];
        return sendProblem(request, reply, { status: 422, code: 'validation_failed', errors });
      }
      const operator = principalOf(request).ownerKey;
      const started = await simulations.start({ input: { ...input, version }, days, operator });
      return started.ok
        ? reply.code(202).send({ id: typeId('simulation', started.value) })
        : sendProblem(request, reply, { status: 409, code: started.code });
    },
  );
}

function registerRead(scope: App, { database, clock }: ConsoleSimulationsDependencies): void {
  scope.get(
    '/api/simulations',
    { config: { permission: 'read' }, schema: { response: { 200: Type.Object({ data: Type.Array(RowSchema) }) } } },
    async (_request, reply) => {
      const rows = await listSimulations(database, LISTED, clock.now());
      return reply.send({ data: rows.map(rowView) });
    },
  );
  scope.get(
    '/api/simulations/:simulationId',
    { config: { permission: 'read' }, schema: { params: SimulationParams, response: { 200: OneSchema } } },
    async (request, reply) => {
      const id = uuidOf('simulation', request.params.simulationId);
      const row = id === null ? null : await readSimulation(database, id, clock.now());
      if (row === null) return sendProblem(request, reply, { status: 404, code: 'not_found' });
      return reply.send({
        ...rowView(row),
        faults: row.state === 'refused' ? (row.result as InputFault[]) : [],
        result: row.state === 'done' ? resultView(row.result as StoredResult) : null,
      });
    },
  );
}

/** What was tried, for the form that it came from. */
function registerInput(scope: App, { database }: ConsoleSimulationsDependencies): void {
  const Input = Type.Object({ ...inputMembers, fragment: Type.Optional(Type.Unknown()), version: Type.Integer() });
  scope.get(
    '/api/simulations/:simulationId/input',
    { config: { permission: 'configure' }, schema: { params: SimulationParams, response: { 200: Input } } },
    async (request, reply) => {
      const id = uuidOf('simulation', request.params.simulationId);
      const row = id === null ? null : await readSimulationInput(database, id);
      return row === null ? sendProblem(request, reply, { status: 404, code: 'not_found' }) : reply.send(row.input);
    },
  );
}

function registerCancel(scope: App, { database, clock }: ConsoleSimulationsDependencies): void {
  scope.post(
    '/api/simulations/:simulationId/cancel',
    {
      config: { permission: 'configure', emptyBody: true },
      schema: { params: SimulationParams, response: { 200: Type.Unsafe<unknown>(RowSchema) } },
      attachValidation: true,
    },
    (request, reply) => {
      const now = clock.now();
      const id = uuidOf('simulation', request.params.simulationId);
      return answerIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          if (id !== null) await finishSimulation(tx, id, { state: 'cancelled', result: null }, now);
          const row = id === null ? null : await readSimulation(tx, id, now);
          return row === null
            ? problemAnswer(request, reply, { status: 404, code: 'not_found' })
            : jsonAnswer(200, rowView(row));
        },
      });
    },
  );
}

type StoredResult = Omit<Simulation, 'from' | 'to'> & { readonly from: string; readonly to: string };

function rowView(row: SimulationRow): Static<typeof RowSchema> {
  const { simulationId, operator, days, state, done, all, createdAt, finishedAt } = row;
  return {
    ...{ id: typeId('simulation', simulationId), operator, days, state },
    progress: { done, all },
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

function resultView(result: StoredResult): Static<typeof ResultSchema> {
  const { from, to, leads, differences, erased, configurationChanges, totals, unsold } = result;
  return {
    ...{ from, to, leads, differences, erased, configurationChanges, totals },
    partners: listOf(shownPartners(result)),
    offers: listOf(shownOffers(result)),
    unsold: unsold.map((row) => ({ ...row })),
  };
}

function listOf<Of>({ rows, changed, unchanged }: { rows: readonly Of[]; changed: number; unchanged: number }) {
  return { rows: [...rows], changed, unchanged };
}
