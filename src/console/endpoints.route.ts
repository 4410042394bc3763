// The console's endpoints: the targets of leads, callbacks and notices with their health, and re-enabling one (contract 4.12).
import { requestAuthor } from '../audit/request-author.ts';
import type { EndpointKey } from '../endpoints/breaker.rules.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { respondIdempotently, jsonResponse, problemResponse } from '../platform/http/idempotency.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { readCursor } from '../platform/http/validation.ts';
import { listEndpoints, OUTAGE_DAYS, type ListedEndpoint } from '../deliveries/sending/list-endpoints.ts';
import { type RevivalResult, reviveEndpoint } from '../deliveries/sending/switch-endpoints.ts';
import {
  type Endpoint,
  EndpointParams,
  EndpointsQuerySchema,
  EndpointsSchema,
  type Revived,
  RevivedSchema,
} from './endpoints.schema.ts';

export type ConsoleEndpointsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  /** Called when messages may be sent. */
  readonly onQueued: () => void;
  /** Reloads the configuration. */
  readonly refresh: () => Promise<unknown>;
};

const PAGE = 100;

export function registerConsoleEndpoints(scope: App, dependencies: ConsoleEndpointsDependencies): void {
  registerList(scope, dependencies);
  registerRevival(scope, dependencies);
}

function registerList(scope: App, { database, clock }: ConsoleEndpointsDependencies): void {
  scope.get(
    '/api/endpoints',
    {
      config: { permission: 'read' },
      schema: {
        querystring: EndpointsQuerySchema,
        response: { 200: EndpointsSchema },
      },
    },
    async (request, reply) => {
      const { only, search, after } = request.query;
      const query = {
        onlyUnhealthy: only === 'failing',
        search: search?.trim() ?? null,
        after: readCursor('after', after, parseEndpointKey),
        limit: PAGE,
      };
      const endpoints = await listEndpoints(database, query, clock.now());
      const last = endpoints.length === PAGE ? endpoints.at(-1) : undefined;
      return reply.send({
        data: endpoints.map(endpointView),
        next: last === undefined ? null : cursorOf(last),
        outageDays: OUTAGE_DAYS,
      });
    },
  );
}

function registerRevival(scope: App, { database, clock, onQueued, refresh }: ConsoleEndpointsDependencies): void {
  scope.post(
    '/api/endpoints/:ownerKind/:ownerKey/:channel/enable',
    {
      config: { permission: 'operate', emptyBody: true },
      attachValidation: true,
      schema: {
        params: EndpointParams,
        response: { 200: RevivedSchema },
      },
    },
    async (request, reply) => {
      const now = clock.now();
      const { ownerKind, ownerKey, channel } = request.params;
      const { actor, origin } = requestAuthor(request);
      let result: RevivalResult = 'was_well';
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const notFound = () => problemResponse(request, reply, NOT_FOUND);
          if (ownerKind !== 'buyer' && ownerKind !== 'supplier') return notFound();
          const outcome = await reviveEndpoint(tx, { endpoint: { ownerKind, ownerKey, channel }, actor, origin }, now);
          if (!outcome.ok) return notFound();
          result = outcome.value;
          return jsonResponse(200, { result } satisfies Revived);
        },
        onCommitted() {
          if (result === 'was_well') return;
          onQueued();
          // If the reload fails here, this process notices the change within a second, like the others.
          void refresh().catch((error: unknown) =>
            request.log.warn(
              { err: error },
              'configuration reload failed after re-enabling an endpoint; retried automatically',
            ),
          );
        },
      });
    },
  );
}

function endpointView(endpoint: ListedEndpoint): Endpoint {
  return {
    ...endpoint,
    since: endpoint.since?.toISOString() ?? null,
    nextProbeAt: endpoint.nextProbeAt?.toISOString() ?? null,
    lastFailedAt: endpoint.lastFailedAt?.toISOString() ?? null,
  };
}

function cursorOf({ ownerKind, ownerKey, channel }: EndpointKey): string {
  return `${ownerKind}.${ownerKey}.${channel}`;
}

/** Splits `ownerKind.ownerKey.channel`; keys contain no dots. */
function parseEndpointKey(text: string): EndpointKey | null {
  const [ownerKind, ownerKey, channel, ...rest] = text.split('.');
  const isWhole = ownerKey !== undefined && channel !== undefined && rest.length === 0;
  return isWhole && (ownerKind === 'buyer' || ownerKind === 'supplier') ? { ownerKind, ownerKey, channel } : null;
}
