// Types of the HTTP application, and the members that this folder adds to requests, routes and instances.
import type { CredentialId, SessionId, UserId } from '../../base/ids.ts';
import type { Socket } from 'node:net';

import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { Static, TSchema } from 'typebox';

import type { DeepReadonly } from '../../base/json.ts';
import type { RouteHeader } from './response-headers.ts';
import type { FaultLog } from '../fault-log.ts';
import type { RequestTrace } from '../tracing/tracing.ts';
import type { Permission, PortalRight, Reveals } from './permission.rules.ts';
import type { ProblemExtras } from './problem.ts';
import type { RateLimiter } from './rate-limit.ts';

/** The types of bodies, queries and responses are inferred from the schemas of routes. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  SchemaTypes
>;

/** Bodies, queries and responses have the types of their schemas; lists in responses may be read-only. */
export interface SchemaTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
  readonly serializer: this['schema'] extends TSchema ? DeepReadonly<Static<this['schema']>> : unknown;
}

/** The sender of an authenticated request. */
export type Principal = {
  /** The credential's uuid, for limits and idempotency keys. In an operator's or user's session it is the uuid of that. */
  readonly credentialId: CredentialId;
  /** The key of the supplier or buyer that the credential belongs to, or the operator's name. */
  readonly ownerKey: string;
  /** What an operator or an operator's token may do now. */
  readonly permissions?: readonly Permission[];
  /** Of a partner's or supplier's user: who it is and what the roles allow now. Without it the request may do all that its owner may. */
  readonly user?: { readonly userId: UserId; readonly email: string; readonly rights: readonly PortalRight[] };
  /** Set for requests with a session cookie; all sessions of a partner or supplier share one rate limit. */
  readonly session?: {
    readonly sessionId: SessionId;
    readonly kind: 'buyer' | 'supplier' | 'operator';
    /** The operator lacks a required second factor and can only set one up. */
    readonly mustEnrol?: boolean;
  };
};

export type Lifecycle = {
  /** Set once, by `announceEnd` or `beginDrain`: readiness is 503, and every response closes its connection. */
  leaving: boolean;
  /** Set once, by `beginDrain`: new requests are rejected. */
  draining: boolean;
  /** Open connections, for the end of the process. */
  readonly sockets: Set<Socket>;
};

declare module 'fastify' {
  interface FastifyInstance {
    readonly lifecycle: Lifecycle;
    /** Shared by all scopes, so that a credential with two scopes has one limit. */
    readonly rateLimiter: RateLimiter;
    /** Whether pages may be used under the Host of a request. */
    readonly isOwnHost: (host: string) => boolean;
    /** Logs outages, which many requests meet at once: one line per kind and interval. */
    readonly logOutage: FaultLog;
    readonly problemExtras: ReadonlyMap<string, ProblemExtras>;
    /** OpenAPI security schemes by name; `registerScope` adds its own. */
    readonly securitySchemes: Record<string, unknown>;
    /** The scope of routes registered here; null outside scopes. */
    scopeName: string | null;
  }
  interface FastifyRequest {
    /** Null outside of scopes; use `principalOf` inside. */
    principal: Principal | null;
    /** The body's text as sent; empty without a body. */
    rawBody: string;
    /** Null where no traces are exported. */
    trace: RequestTrace | null;
  }
  interface FastifyContextConfig {
    /** The permission that a console route requires; registration fails without it. */
    permission?: Permission;
    /** What a user of the portal must be allowed to do; the portal's scopes set it from their table. */
    right?: PortalRight;
    /** Set when the response has personal data: reads are then recorded in the audit log. */
    reveals?: Reveals;
    /** Further members of its responses that hold a person's name. */
    personMembers?: readonly string[];
    /** The route takes requests without a body (`request.body` is then undefined). */
    emptyBody?: boolean;
    /** The route takes YAML as well as JSON. */
    yamlBody?: boolean;
    /** The route takes bytes as `application/octet-stream` and nothing else. */
    binaryBody?: boolean;
    /** The route is served while the process drains. */
    duringDrain?: boolean;
    /** Replaces `no-store` for responses without personal data. */
    cacheControl?: string;
    /** Headers of its successful responses, for the documentation; common headers are added. */
    responseHeaders?: readonly RouteHeader[];
    /** The schema of its problem documents; `Problem` by default. */
    problemSchema?: string;
  }
}

/** Called once per response. */
export type Observe = (status: number, elapsedMs: number) => void;

export type HttpMeter = {
  /** Called once per route at registration; `template` is the route as declared, never a URL. */
  forRoute(method: string, template: string): Observe;
};
