// GET and PUT /api/v1/operator/marketplace-file: the whole configuration as YAML or JSON (contract 7.5, 10.4).
import { Type } from 'typebox';

import { requestAuthor } from '../audit/request-author.ts';
import { ChangeResultSchema } from '../console/changes.schema.ts';
import { exportContent } from '../marketplace-file/export-file.ts';
import { changeByInput, readCheckedInput } from '../marketplace-file/change-input.ts';
import { writeFileInWorker } from '../marketplace-file/file-worker.ts';
import { lockConfigVersion } from '../marketplace/config-version.ts';
import type { App } from '../platform/http/app.ts';
import { meetsIfMatch } from '../platform/http/etag.ts';
import { hasMoreValues } from '../platform/http/json-body.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { checkAllButBody } from '../platform/http/validation.ts';
import { type ConfigurationDependencies, DryRunQuery, faultsRefusal, IfMatch } from './configuration.route.ts';
import { OPERATOR_PATH, OPERATOR_TAG, scopeText } from './mount-console-routes.ts';

const PATH = `${OPERATOR_PATH}/marketplace-file`;
const YAML = 'application/yaml';
/** As large as the file of the command line and the console may be. */
const FILE_BYTES = 5_000_000;

const versionTag = (version: number): string => `"${version}"`;

export function registerMarketplaceFile(scope: App, dependencies: ConfigurationDependencies): void {
  void scope.register((inner, _options, done) => {
    const routes = inner as App;
    // The text as it is: the marketplace file has a parser, bounds and error positions of its own.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser(['application/json', YAML], { parseAs: 'buffer' }, (_request, body, parsed) => {
      try {
        parsed(null, new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer));
      } catch {
        parsed(null, '\uFFFD');
      }
    });
    registerRead(routes, dependencies);
    registerReplace(routes, dependencies);
    done();
  });
}

function registerRead(routes: App, { database }: ConfigurationDependencies): void {
  routes.get(
    PATH,
    {
      config: { permission: 'configure', responseHeaders: ['ETag'] },
      schema: {
        operationId: 'getMarketplaceFile',
        summary: 'Read the marketplace file',
        description: `The whole configuration as YAML, or as JSON if \`Accept\` is \`application/json\`. Its \`ETag\` is the version. ${scopeText('configure')}`,
        tags: [OPERATOR_TAG],
        response: {
          200: {
            description: 'The marketplace file.',
            content: {
              [YAML]: { schema: Type.String() },
              'application/json': { schema: Type.Object({}, { additionalProperties: true }) },
            },
          },
          ...documentedProblems('scope_missing'),
        },
      },
      serializerCompiler: () => (text) => String(text),
    },
    async (request, reply) => {
      const { content, version } = await database.tx((tx) => exportContent(tx));
      const asJson = isJson(request.raw.headers.accept);
      const text = asJson ? JSON.stringify(content) : await writeFileInWorker(content);
      return reply
        .header('etag', versionTag(version))
        .header('vary', 'Accept')
        .header('content-type', `${asJson ? 'application/json' : YAML}; charset=utf-8`)
        .send(text);
    },
  );
}

function registerReplace(routes: App, dependencies: ConfigurationDependencies): void {
  const { database, clock, reload } = dependencies;
  routes.put(
    PATH,
    {
      bodyLimit: FILE_BYTES,
      config: { permission: 'configure', responseHeaders: ['ETag'], yamlBody: true },
      schema: {
        operationId: 'applyMarketplaceFile',
        summary: 'Apply a marketplace file',
        description: `All or nothing, as \`leadmarket apply\`: YAML or JSON. What the file does not name stays. With \`If-Match\` nothing is changed unless the version is still the same. Returns what has changed. ${scopeText('configure')}`,
        tags: [OPERATOR_TAG],
        querystring: DryRunQuery,
        headers: IfMatch,
        body: {
          content: {
            [YAML]: { schema: Type.String() },
            'application/json': { schema: Type.Object({}, { additionalProperties: true }) },
          },
        },
        response: {
          200: { ...ChangeResultSchema, description: 'What has changed, or would.' },
          ...documentedProblems('scope_missing', 'precondition_failed', 'validation_failed'),
        },
      },
      validatorCompiler: checkAllButBody,
    },
    async (request, reply) => {
      const now = clock.now();
      const { dryRun = false } = request.query;
      const ifMatch = request.raw.headers['if-match'];
      const text = String(request.body);
      if (isJson(request.raw.headers['content-type']) && !mayBeJson(text))
        return sendProblem(request, reply, { status: 400, code: 'invalid_json' });
      const read = await readCheckedInput(dependencies, { text });
      const command = { seen: null, dryRun, prune: false, ...requestAuthor(request) };
      const result = await database.tx(async (tx) => {
        const version = await lockConfigVersion(tx);
        return meetsIfMatch(ifMatch, versionTag(version)) ? changeByInput(tx, read, command, now) : null;
      });
      if (result === null || 'code' in result)
        return sendProblem(request, reply, { status: 412, code: 'precondition_failed' });
      if (result.faults.length > 0) return sendProblem(request, reply, faultsRefusal(result.faults));
      if (!dryRun) await reload();
      return reply.header('etag', versionTag(result.version)).send(result);
    },
  );
}

const isJson = (type = ''): boolean => /^application\/json\b/i.test(type);

/** A larger one is only read as YAML, in its own thread: JSON is YAML, and parsing it here would hold others up. */
const CHECKED_VALUES = 50_000;

function mayBeJson(text: string): boolean {
  if (hasMoreValues(Buffer.from(text), CHECKED_VALUES)) return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
