// Configuration changes from the console's forms and file editor: preview, apply, and the current marketplace file (contract 7.5).
import { Type } from 'typebox';
import { requestAuthor } from '../audit/request-author.ts';
import { regionNames } from '../base/regions.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { type HttpResponse, respondIdempotently, jsonResponse, problemResponse } from '../platform/http/idempotency.ts';
import { sendProblem } from '../platform/http/problem.ts';
import type { Refusal } from '../platform/http/request-fault.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import { standardNames } from '../suppliers/field-mapping.rules.ts';
import { transformOptions, transforms } from '../suppliers/field-transforms.rules.ts';
import { ApplySchema, CHANGE_BYTES, ChangeResultSchema, PreviewSchema } from './changes.schema.ts';
import { ChoicesSchema, FileSchema, ShownMarketplaceSchema } from './configuration.schema.ts';
import { exportContent } from '../marketplace-file/export-file.ts';
import { writeFileInWorker } from '../marketplace-file/file-worker.ts';
import { changeByInput, readCheckedInput } from '../marketplace-file/change-input.ts';
import { parseConfigInput } from '../marketplace-file/read-input.ts';
import { settingsForm } from '../marketplace/settings.ts';

export type ConsoleConfigurationDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly allowTargets: AllowedTargets;
  /** Reloads the configuration in this process; never rejects. */
  readonly reload: () => Promise<void>;
};

/** About two thousand partners with their offers; browsers edit longer texts too slowly. */
const EDITED_LENGTH_MAX = 1_000_000;

const NO_INPUT: Refusal = {
  status: 422,
  code: 'validation_failed',
  errors: [{ field: 'fragment', code: 'required', message: 'give either a fragment or a text' }],
};

export function registerConsoleConfiguration(scope: App, dependencies: ConsoleConfigurationDependencies): void {
  registerSettings(scope, dependencies);
  registerChoices(scope, dependencies);
  registerFile(scope, dependencies);
  registerPreview(scope, dependencies);
  registerApply(scope, dependencies);
}

function registerSettings(scope: App, { database }: ConsoleConfigurationDependencies): void {
  scope.get(
    '/api/marketplace',
    { config: { permission: 'read' }, schema: { response: { 200: ShownMarketplaceSchema } } },
    async (_request, reply) => {
      const { version, settings } = await readSettings(database);
      return reply.send({ version, marketplace: settingsForm(settings) });
    },
  );
}

/** The options that the forms offer. */
function registerChoices(scope: App, { database }: ConsoleConfigurationDependencies): void {
  scope.get(
    '/api/form-choices',
    { config: { permission: 'read' }, schema: { response: { 200: ChoicesSchema } } },
    async (_request, reply) => {
      const { regions } = (await readSettings(database)).settings;
      return reply.send({
        states: Object.entries(regionNames(regions)).map(([code, name]) => ({ code, name })),
        otherStates: regions === 'any',
        mappingTargets: [...standardNames],
        mappingTransforms: Object.keys(transforms),
        transformOptions: Object.fromEntries(
          Object.entries(transformOptions).map(([name, options]) => [name, [...options]]),
        ),
      });
    },
  );
}

function registerFile(scope: App, { database }: ConsoleConfigurationDependencies): void {
  const readCurrent = () => database.tx((tx) => exportContent(tx));
  scope.get(
    '/api/configuration/file',
    { config: { permission: 'configure' }, schema: { response: { 200: FileSchema } } },
    async (_request, reply) => {
      const { content, version } = await readCurrent();
      const text = await writeFileInWorker(content);
      return reply.send({ version, length: text.length, text: text.length > EDITED_LENGTH_MAX ? null : text });
    },
  );
  scope.get(
    '/api/configuration/export',
    { config: { permission: 'configure' }, schema: { response: { 200: Type.String() } } },
    async (_request, reply) => {
      const { content } = await readCurrent();
      const text = await writeFileInWorker(content);
      return reply
        .header('content-type', 'application/yaml; charset=utf-8')
        .header('content-disposition', 'attachment; filename="marketplace.yaml"')
        .serializer(String)
        .send(text);
    },
  );
}

function registerPreview(scope: App, dependencies: ConsoleConfigurationDependencies): void {
  const { database, clock } = dependencies;
  scope.post(
    '/api/configuration/preview',
    {
      config: { permission: 'configure' },
      bodyLimit: CHANGE_BYTES,
      schema: { body: PreviewSchema, response: { 200: ChangeResultSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const { version = null, prune = false } = request.body;
      const input = parseConfigInput(request.body);
      if (input === null) return sendProblem(request, reply, NO_INPUT);
      const read = await readCheckedInput(dependencies, input);
      const { actor, origin } = requestAuthor(request);
      const command = { seen: version, dryRun: true, prune: prune && 'text' in input, actor, origin };
      const result = await database.tx((tx) => changeByInput(tx, read, command, now));
      // A preview reports errors in a 200 response.
      return 'code' in result ? sendProblem(request, reply, { status: 409, code: result.code }) : reply.send(result);
    },
  );
}

function registerApply(scope: App, dependencies: ConsoleConfigurationDependencies): void {
  const { database, clock, reload } = dependencies;
  scope.post(
    '/api/configuration/apply',
    {
      config: { permission: 'configure' },
      bodyLimit: CHANGE_BYTES,
      schema: { body: ApplySchema, response: { 200: ChangeResultSchema } },
      attachValidation: true,
    },
    async (request, reply) => {
      const now = clock.now();
      const { version: seen, prune = false } = request.body;
      const input = (request.validationError ?? null) === null ? parseConfigInput(request.body) : null;
      // Queries DNS, so it runs before the transaction.
      const read = input === null ? null : await readCheckedInput(dependencies, input);
      const { actor, origin } = requestAuthor(request);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx): Promise<HttpResponse> {
          if (read === null || input === null) return problemResponse(request, reply, NO_INPUT);
          const command = { seen, dryRun: false, prune: prune && 'text' in input, actor, origin };
          const result = await changeByInput(tx, read, command, now);
          return 'code' in result
            ? problemResponse(request, reply, { status: 409, code: result.code })
            : jsonResponse(200, result);
        },
        onCommitted: reload,
      });
    },
  );
}
