// The console's dry runs of a configuration change: start, progress, cancel, result. Any process can serve them.
import { typeId, uuidOf } from '../base/ids.ts';
import { type InputFault, parseConfigInput } from '../marketplace-file/read-input.ts';
import { CHANGE_BYTES } from './changes.schema.ts';
import {
  DAYS_USUAL,
  NewSimulationSchema,
  ShownSimulationSchema,
  SimulationParams,
  type SimulationOnConsole,
  type SimulationResult,
  SimulationRowSchema,
  SimulationsSchema,
  StartedSimulationSchema,
  TriedChangeSchema,
} from './simulations.schema.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { readOffers } from '../routing/stored-offers.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { respondIdempotently, jsonResponse, problemResponse } from '../platform/http/idempotency.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { principalOf } from '../platform/http/scope.ts';
import type { Simulation } from '../simulation/simulate-file.ts';
import {
  finishSimulation,
  listSimulations,
  readSimulation,
  readSimulationInput,
} from '../simulation/simulation-row.ts';
import { shownOffers, shownPartners, shownSuppliers } from '../simulation/simulation-view.rules.ts';
import type { Simulations } from '../simulation/simulations.ts';
import type { SimulationRow } from '../simulation/simulation.ts';

export type ConsoleSimulationsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly simulations: Pick<Simulations, 'start'>;
};

/** The latest dry runs. */
const LISTED = 20;

export function registerConsoleSimulations(scope: App, dependencies: ConsoleSimulationsDependencies): void {
  registerStart(scope, dependencies);
  registerRead(scope, dependencies);
  registerInput(scope, dependencies);
  registerCancel(scope, dependencies);
}

/** Needs no Idempotency-Key: a repeated request is refused while the first dry run is in progress. */
function registerStart(scope: App, { simulations }: ConsoleSimulationsDependencies): void {
  scope.post(
    '/api/simulations',
    {
      config: { permission: 'configure' },
      bodyLimit: CHANGE_BYTES,
      schema: { body: NewSimulationSchema, response: { 202: StartedSimulationSchema } },
    },
    async (request, reply) => {
      const { version, days = DAYS_USUAL } = request.body;
      const input = parseConfigInput(request.body);
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
    { config: { permission: 'read' }, schema: { response: { 200: SimulationsSchema } } },
    async (_request, reply) => {
      const rows = await listSimulations(database, LISTED, clock.now());
      return reply.send({ data: rows.map(rowView) });
    },
  );
  scope.get(
    '/api/simulations/:simulationId',
    { config: { permission: 'read' }, schema: { params: SimulationParams, response: { 200: ShownSimulationSchema } } },
    async (request, reply) => {
      const id = uuidOf('simulation', request.params.simulationId);
      const row = id === null ? null : await readSimulation(database, id, clock.now());
      if (row === null) return sendProblem(request, reply, { status: 404, code: 'not_found' });
      return reply.send({
        ...rowView(row),
        faults: row.state === 'refused' ? (row.result as InputFault[]) : [],
        result: row.state === 'done' ? await resultView(database, row.result as StoredResult) : null,
      });
    },
  );
}

/** The simulated change, so that the form can be filled in again. */
function registerInput(scope: App, { database }: ConsoleSimulationsDependencies): void {
  scope.get(
    '/api/simulations/:simulationId/input',
    { config: { permission: 'configure' }, schema: { params: SimulationParams, response: { 200: TriedChangeSchema } } },
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
      schema: { params: SimulationParams, response: { 200: SimulationRowSchema } },
      attachValidation: true,
    },
    async (request, reply) => {
      const now = clock.now();
      const id = uuidOf('simulation', request.params.simulationId);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          if (id !== null) await finishSimulation(tx, id, { state: 'cancelled', result: null }, now);
          const row = id === null ? null : await readSimulation(tx, id, now);
          return row === null
            ? problemResponse(request, reply, { status: 404, code: 'not_found' })
            : jsonResponse(200, rowView(row));
        },
      });
    },
  );
}

/** One that an earlier release has stored has no suppliers. */
type StoredResult = Omit<Simulation, 'from' | 'to' | 'suppliers'> &
  Partial<Pick<Simulation, 'suppliers'>> & { readonly from: string; readonly to: string };

function rowView(row: SimulationRow): SimulationOnConsole {
  const { simulationId, operator, days, state, done, all, createdAt, finishedAt } = row;
  return {
    ...{ id: typeId('simulation', simulationId), operator, days, state },
    progress: { done, all },
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

async function resultView(database: Database, result: StoredResult): Promise<SimulationResult> {
  const { from, to, leads, differences, erased, configurationChanges, totals, unsold } = result;
  const [partners, offers, suppliers] = [
    shownPartners(result),
    shownOffers(result),
    shownSuppliers({ suppliers: result.suppliers ?? [] }),
  ];
  const [buyersNow, offersNow, suppliersNow] = await Promise.all([
    readBuyers(
      database,
      partners.rows.map(({ partner }) => partner),
    ),
    readOffers(
      database,
      offers.rows.map(({ offer }) => offer),
    ),
    readSuppliers(database),
  ]);
  const offerNames = new Map(offersNow.map(({ offerKey, name }) => [offerKey, name]));
  return {
    ...{ from, to, leads, differences, erased, configurationChanges, totals },
    partners: named(partners, ({ partner }) => buyersNow.get(partner)?.name ?? partner),
    offers: named(offers, ({ offer }) => offerNames.get(offer) ?? offer),
    suppliers: named(suppliers, ({ supplier }) => suppliersNow.get(supplier)?.name ?? supplier),
    unsold: unsold.map((row) => ({ ...row })),
  };
}

type Listed<Row> = { readonly rows: readonly Row[]; readonly changed: number; readonly unchanged: number };

function named<Row extends object>({ rows, changed, unchanged }: Listed<Row>, nameOf: (row: Row) => string) {
  return { rows: rows.map((row) => ({ ...row, name: nameOf(row) })), changed, unchanged };
}
