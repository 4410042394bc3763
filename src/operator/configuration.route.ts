// Reads, replaces and patches one vertical, supplier, partner or offer of the configuration (contract 10.4).
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TProperties, Type } from 'typebox';

import { requestAuthor } from '../audit/request-author.ts';
import { isMembers, type JsonValue } from '../base/json.ts';
import { buyerForm } from '../buyers/buyer-form.rules.ts';
import { readBuyer } from '../buyers/read-buyers.ts';
import { changeByInput, readCheckedInput } from '../marketplace-file/change-input.ts';
import type { InputFault } from '../marketplace-file/read-input.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { readVerticals } from '../marketplace/stored-verticals.ts';
import { verticalForm } from '../marketplace/vertical-form.rules.ts';
import { ChangeResultSchema } from '../console/changes.schema.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { entityTag, etag, IfNoneMatch, meetsIfMatch } from '../platform/http/etag.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND, type Refusal } from '../platform/http/request-fault.ts';
import { checkAllButBody } from '../platform/http/validation.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import { offerForm } from '../routing/offer-form.rules.ts';
import { readOffers } from '../routing/stored-offers.ts';
import { readSupplier } from '../suppliers/read-suppliers.ts';
import { supplierForm } from '../suppliers/supplier-form.rules.ts';
import { type ConfiguredKind, fragmentOf, mergePatch, replacement } from './configured-entry.rules.ts';
import { OPERATOR_PATH, OPERATOR_TAG, scopeText } from './mount-console-routes.ts';

export type ConfigurationDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly allowTargets: AllowedTargets;
  /** Reloads the configuration in this process; never rejects. */
  readonly reload: () => Promise<void>;
};

type Entry = Readonly<Record<string, JsonValue>>;
type Resource = {
  readonly kind: ConfiguredKind;
  readonly path: string;
  /** The name of the key in the path, the same as in the other routes below it. */
  readonly param: 'key' | 'ownerKey';
  readonly name: string;
  readonly read: (tx: Tx, key: string) => Promise<object | null>;
};

const RESOURCES: readonly Resource[] = [
  {
    ...{ kind: 'vertical', path: 'verticals', param: 'key', name: 'Vertical' },
    async read(tx, key) {
      const vertical = (await readVerticals(tx)).get(key);
      return vertical === undefined ? null : verticalForm(vertical);
    },
  },
  {
    ...{ kind: 'supplier', path: 'suppliers', param: 'ownerKey', name: 'Supplier' },
    async read(tx, key) {
      const supplier = await readSupplier(tx, key);
      return supplier === null ? null : supplierForm(supplier);
    },
  },
  {
    ...{ kind: 'partner', path: 'partners', param: 'ownerKey', name: 'Partner' },
    async read(tx, key) {
      const buyer = await readBuyer(tx, key);
      return buyer === null ? null : buyerForm(buyer);
    },
  },
  {
    ...{ kind: 'offer', path: 'offers', param: 'key', name: 'Offer' },
    async read(tx, key) {
      const [offer] = await readOffers(tx, [key]);
      return offer === undefined ? null : { ...offerForm(offer), partner: offer.buyerKey };
    },
  },
];

const JSON_TYPE = 'application/json; charset=utf-8';
const keyText = { description: 'The key in the marketplace file.' };
const paramsOf = ({ param }: Resource) => Type.Object({ [param]: Type.String(keyText) });
const keyIn = (request: FastifyRequest, { param }: Resource): string =>
  (request.params as Readonly<Record<string, string>>)[param] ?? '';
export const DryRunQuery = Type.Object({
  dryRun: Type.Optional(
    Type.Boolean({ description: 'Only says what would change; errors are the same.', default: false }),
  ),
});
export const IfMatch = Type.Object({
  'If-Match': Type.Optional(
    Type.String({ description: 'The `ETag` of what you read: nothing is changed unless it is still the same.' }),
  ),
});
const EntrySchema = (description: string, properties: TProperties = {}) =>
  Type.Object(properties, { additionalProperties: true, description });

export function registerConfiguration(scope: App, dependencies: ConfigurationDependencies): void {
  for (const resource of RESOURCES) {
    registerRead(scope, resource, dependencies);
    registerChange(scope, resource, dependencies, 'put');
    registerChange(scope, resource, dependencies, 'patch');
  }
}

function registerRead(scope: App, resource: Resource, { database }: ConfigurationDependencies): void {
  scope.get(
    `${OPERATOR_PATH}/${resource.path}/:${resource.param}`,
    {
      onSend: etag,
      config: { permission: 'configure', responseHeaders: ['ETag'] },
      schema: {
        operationId: `get${resource.name}`,
        summary: `Read the configuration of a ${resource.kind}`,
        description: `All members as in the marketplace file (contract 7.6), with an \`ETag\`. ${scopeText('configure')}`,
        tags: [OPERATOR_TAG],
        params: paramsOf(resource),
        headers: IfNoneMatch,
        response: {
          200: EntrySchema(`The ${resource.kind} as in the marketplace file.`),
          304: { type: 'null', description: 'Nothing has changed.' },
          ...documentedProblems('scope_missing', 'not_found'),
        },
      },
      serializerCompiler: () => (text) => String(text),
    },
    async (request, reply) => {
      const key = keyIn(request, resource);
      const found = await database.tx((tx) => resource.read(tx, key), { snapshot: true });
      if (found === null) return sendProblem(request, reply, NOT_FOUND);
      return reply.header('content-type', JSON_TYPE).send(JSON.stringify(found) as never);
    },
  );
}

function registerChange(
  scope: App,
  resource: Resource,
  dependencies: ConfigurationDependencies,
  method: 'put' | 'patch',
): void {
  const isPut = method === 'put';
  scope[method](
    `${OPERATOR_PATH}/${resource.path}/:${resource.param}`,
    {
      config: { permission: 'configure', responseHeaders: ['ETag'] },
      schema: {
        operationId: `${isPut ? 'replace' : 'update'}${resource.name}`,
        summary: `${isPut ? 'Replace' : 'Change'} the configuration of a ${resource.kind}`,
        description: `${
          isPut
            ? 'Creates it, or replaces it whole: members that are left out get their defaults.'
            : 'A merge patch (RFC 7396): members that are left out stay, null sets the default.'
        } Checked as a marketplace file is. Returns what has changed. ${scopeText('configure')}`,
        tags: [OPERATOR_TAG],
        params: paramsOf(resource),
        querystring: DryRunQuery,
        headers: IfMatch,
        body: EntrySchema(`Members of a ${resource.kind} as in the marketplace file (contract 7.6).`),
        response: {
          200: { ...ChangeResultSchema, description: 'What has changed, or would.' },
          ...documentedProblems(
            ...(['scope_missing', 'precondition_failed', 'validation_failed', 'configuration_changed'] as const),
            ...(isPut ? [] : (['not_found'] as const)),
          ),
        },
      },
      validatorCompiler: checkAllButBody,
    },
    async (request, reply) => {
      const key = keyIn(request, resource);
      const { dryRun = false } = request.query;
      return changeResource(request, reply, { resource, dependencies, key, dryRun, isPut });
    },
  );
}

type Change = {
  readonly resource: Resource;
  readonly dependencies: ConfigurationDependencies;
  readonly key: string;
  readonly dryRun: boolean;
  readonly isPut: boolean;
};

const CHANGED: Refusal = { status: 412, code: 'precondition_failed' };

async function changeResource(
  request: FastifyRequest,
  reply: FastifyReply,
  { resource, dependencies, key, dryRun, isPut }: Change,
): Promise<FastifyReply> {
  const { database, clock, reload } = dependencies;
  const { 'if-match': ifMatch } = request.raw.headers;
  const now = clock.now();
  const { version, current } = await database.tx(
    async (tx) => ({
      version: (await readSettings(tx)).version,
      current: (await resource.read(tx, key)) as Entry | null,
    }),
    { snapshot: true },
  );
  if (current === null && !isPut) return sendProblem(request, reply, NOT_FOUND);
  const tag = current === null ? null : entityTag(JSON.stringify(current));
  if (ifMatch !== undefined && (tag === null || !meetsIfMatch(ifMatch, tag)))
    return sendProblem(request, reply, CHANGED);
  const body = isMembers(request.body) ? (request.body as Entry) : {};
  if ((body['key'] ?? key) !== key)
    return sendProblem(request, reply, faultsRefusal([faultAt('key', 'must be the key of the path, or be left out')]));
  const { settings: _settings, ...form } = plain(current ?? {});
  const entry = isPut ? replacement(resource.kind, current, body) : mergePatch(form, body);
  const owner = resource.kind === 'offer' ? { partner: entry['partner'] ?? current?.['partner'] ?? null } : {};
  const fragment = fragmentOf(resource.kind, { ...entry, ...owner, key });
  if (fragment === null)
    return sendProblem(request, reply, faultsRefusal([faultAt('partner', 'must name the partner of a new offer')]));
  const read = await readCheckedInput(dependencies, { fragment, isNew: false });
  // The version is older than the reading, so a change in between is noticed.
  const command = { seen: version, dryRun, prune: false, ...requestAuthor(request) };
  const { result, after } = await database.tx(async (tx) => {
    const changed = await changeByInput(tx, read, command, now);
    return { result: changed, after: await resource.read(tx, key) };
  });
  if ('code' in result)
    return sendProblem(request, reply, ifMatch === undefined ? { status: 409, code: result.code } : CHANGED);
  if (result.faults.length > 0) return sendProblem(request, reply, faultsRefusal(result.faults));
  if (!dryRun) await reload();
  if (after !== null) reply.header('etag', entityTag(JSON.stringify(after)));
  return reply.send(result);
}

/** As JSON, so without members that are undefined. */
function plain(form: object): Entry {
  return JSON.parse(JSON.stringify(form)) as Entry;
}

function faultAt(path: string, message: string): InputFault {
  return { path, message, line: null, column: null };
}

/** Errors with their paths, and for a text with the line, as the command line prints them. */
export function faultsRefusal(faults: readonly InputFault[]): Refusal {
  const errors = faults.slice(0, 100).map(({ path, message, line, column }) => ({
    field: path,
    code: 'invalid_format',
    message: line === null ? message : `line ${line}, column ${column ?? 1}: ${message}`,
  }));
  return { status: 422, code: 'validation_failed', errors };
}
