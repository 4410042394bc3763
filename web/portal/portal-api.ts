// The endpoints that the portal asks, each with what it takes and responds with.
import type { OPERATIONS, Ops } from '../../sdk/typescript/client.ts';
import type { ClaimsQuery, PortalClaim, PortalClaims } from '../../src/portal/buyer/claims.schema.ts';
import { createApi } from '../ui/api.ts';

export const { request } = createApi<OwnEndpoints & PublicEndpoints>();

/** Those that only the portal has. */
type OwnEndpoints = {
  'GET /portal/api/buyer/claims': { query: ClaimsQuery; response: PortalClaims };
  'GET /portal/api/buyer/claims/:claimId': { response: PortalClaim };
};

/** Those of the public API, which the portal has a second time: all but the intake of leads. */
type PublicEndpoints = {
  [Id in Exclude<keyof Ops, 'submitLead'> as NameOf<(typeof OPERATIONS)[Id]>]: {
    response: Ops[Id]['result'];
  } & (Ops[Id]['args'] extends { body: infer Body } ? { body: Body } : unknown) &
    (Ops[Id]['args'] extends { query?: infer Query } ? { query: NonNullable<Query> } : unknown);
};

type NameOf<Operation extends { readonly method: string; readonly path: string }> =
  `${Operation['method']} /portal${WithColons<Operation['path']>}`;

/** `/leads/{id}` as `/leads/:id` */
type WithColons<Path extends string> = Path extends `${infer Before}{${infer Name}}${infer After}`
  ? `${Before}:${Name}${WithColons<After>}`
  : Path;
