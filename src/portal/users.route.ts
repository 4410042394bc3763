// The users that a partner or supplier manages in the portal (contract 7.12).
import { strict as assert } from 'node:assert';

import { partnerAuthor } from '../audit/request-author.ts';
import type { App } from '../platform/http/app.ts';
import { ownerRate } from '../platform/http/route-guard.ts';
import { principalOf } from '../platform/http/scope.ts';
import { registerUsers, type UsersDependencies } from '../scopes/users.route.ts';
import type { PartnerKind } from '../users/user.rules.ts';

export type PortalUsersDependencies = UsersDependencies & {
  /** The name of the partner or supplier. */
  readonly nameOf: (kind: PartnerKind, key: string) => string;
};

/** Twenty an hour: the mail server of the marketplace must not become a partner's. */
const LINK_RATE = { perSecond: 20 / 3600, burst: 20 };

type Request = Parameters<typeof principalOf>[0];

export function registerPortalUsers(scope: App, dependencies: PortalUsersDependencies): void {
  const place = {
    path: '/api/users',
    config: {},
    accountOf(request: Request) {
      const { ownerKey } = principalOf(request);
      const kind = kindOf(request);
      return { kind, ownerKey, name: dependencies.nameOf(kind, ownerKey) };
    },
    authorOf: (request: Request) => partnerAuthor(request, kindOf(request)),
    inviterOf: (request: Request, { name }: { readonly name: string }) => principalOf(request).user?.email ?? name,
    linkRate: ownerRate({ name: 'links by email', rateOf: () => LINK_RATE, clock: dependencies.clock }),
  };
  registerUsers(scope, place, dependencies);
}

function kindOf(request: Request): PartnerKind {
  const { session } = principalOf(request);
  assert(session !== undefined && session.kind !== 'operator', 'the route is outside the portal');
  return session.kind;
}
