// The types that every door sees: the application, and what this folder adds to requests, routes and instances.
import type { CredentialId, SessionId } from '../../base/ids.ts';
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

import type { DeepReadonly } from '../../base/deep-readonly.ts';
import type { RouteHeader } from './response-headers.ts';
import type { FaultLog } from '../fault-log.ts';
import type { Permission, Reveals } from './permission.rules.ts';
import type { ProblemExtras } from './problem.ts';
import type { RateLimiter } from './rate-limit.ts';

/** With the types of bodies, queries and answers inferred from the schemas of routes. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  SchemaTypes
>;

/** Bodies and queries are what their schemas say, and so are answers, whose lists may be read-only. */
export interface SchemaTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
  readonly serializer: this['schema'] extends TSchema ? DeepReadonly<Static<this['schema']>> : unknown;
}

/** Who sent an authenticated request. */
export type Principal = {
  /** The credential's uuid; limits and idempotency keys are per credential. An operator's session has the operator's in its place. */
  readonly credentialId: CredentialId;
  /** The key of the supplier or buyer that the credential belongs to, or the operator's name. */
  readonly ownerKey: string;
  /** Of a request with a cookie; all sessions of a partner or supplier share one rate limit. */
  readonly session?: {
    readonly sessionId: SessionId;
    readonly kind: 'buyer' | 'supplier' | 'operator';
    /** Of an operator: what the role allows now. */
    readonly permissions?: readonly Permission[];
    /** The operator has no second factor and must have one: nothing but setting it up is open. */
    readonly mustEnrol?: boolean;
  };
};

export type Lifecycle = {
  /** Set once, by `announceEnd` or `beginDrain`: readiness is 503, and every response closes its connection. */
  leaving: boolean;
  /** Set once, by `beginDrain`: new requests are refused. */
  draining: boolean;
  /** Open connections, for the end of the process. */
  readonly sockets: Set<Socket>;
};

declare module 'fastify' {
  interface FastifyInstance {
    readonly lifecycle: Lifecycle;
    /** One for all scopes, so that a credential that opens two of them has one limit. */
    readonly rateLimiter: RateLimiter;
    /** For errors of the outside world that every request meets at once: one line per kind and interval. */
    readonly logOutage: FaultLog;
    readonly problemExtras: ReadonlyMap<string, ProblemExtras>;
    /** OpenAPI security schemes by name; `registerScope` adds its own. */
    readonly securitySchemes: Record<string, unknown>;
    /** The scope that routes registered here belong to; null outside of any. */
    scopeName: string | null;
  }
  interface FastifyRequest {
    /** Null outside of scopes; use `principalOf` inside. */
    principal: Principal | null;
    /** The body as it came, decoded; empty where there was none. */
    rawBody: string;
  }
  interface FastifyContextConfig {
    /** What a route of the console needs; it cannot be registered without. */
    permission?: Permission;
    /** Whether what it answers is about persons: then it is put on record who read of whom. */
    reveals?: Reveals;
    /** Further members of its answers that hold a person's name. */
    personMembers?: readonly string[];
    /** The route takes requests without a body (`request.body` is then undefined). */
    emptyBody?: boolean;
    /** The route is answered although the process is draining. */
    duringDrain?: boolean;
    /** Instead of `no-store`, for answers without personal data. */
    cacheControl?: string;
    /** Of its successful answers, for the documentation; those that all of its kind have are added. */
    responseHeaders?: readonly RouteHeader[];
    /** Name of the schema that its problem documents have; `Problem` where nothing is said. */
    problemSchema?: string;
  }
}
