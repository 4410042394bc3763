// The console's endpoints: the targets of leads, callbacks and notices with their health, and re-enabling one (contract 4.12).
import { requestAuthor } from '../audit/request-author.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { respondIdempotently, jsonResponse, problemResponse } from '../platform/http/idempotency.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { readCursor } from '../platform/http/validation.ts';
import {
  type EndpointPosition,
  type ListedEndpoint,
  listEndpoints,
  OUTAGE_DAYS,
} from '../deliveries/sending/list-endpoints.ts';
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
        after: readCursor('after', after, parsePosition),
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

function endpointView({ rank: _rank, ...endpoint }: ListedEndpoint): Endpoint {
  return {
    ...endpoint,
    since: endpoint.since?.toISOString() ?? null,
    nextProbeAt: endpoint.nextProbeAt?.toISOString() ?? null,
    lastFailedAt: endpoint.lastFailedAt?.toISOString() ?? null,
  };
}

function cursorOf({ rank, ownerKind, ownerKey, channel }: EndpointPosition): string {
  return `${rank}.${ownerKind}.${ownerKey}.${channel}`;
}

const RANKS = [0, 1, 2] as const;

/** Splits `rank.ownerKind.ownerKey.channel`; keys contain no dots. */
function parsePosition(text: string): EndpointPosition | null {
  const [first, ownerKind, ownerKey, channel, ...rest] = text.split('.');
  const rank = RANKS.find((one) => String(one) === first);
  if (rank === undefined || ownerKey === undefined || channel === undefined || rest.length > 0) return null;
  return ownerKind === 'buyer' || ownerKind === 'supplier' ? { rank, ownerKind, ownerKey, channel } : null;
}
