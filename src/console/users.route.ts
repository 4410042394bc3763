// The users of a partner or supplier as operators manage them at the console, the first one included (contract 7.12).
import type { Static } from 'typebox';

import { requestAuthor } from '../audit/request-author.ts';
import { readBuyer } from '../buyers/read-buyers.ts';
import type { App } from '../platform/http/app.ts';
import type { principalOf } from '../platform/http/scope.ts';
import { registerUsers, type UsersDependencies } from '../scopes/users.route.ts';
import { readSupplier } from '../suppliers/read-suppliers.ts';
import type { OwnerParams } from './credentials.schema.ts';

type Request = Parameters<typeof principalOf>[0];

const PLACES = [
  { path: '/api/partners/:ownerKey/users', kind: 'buyer', read: readBuyer },
  { path: '/api/suppliers/:ownerKey/users', kind: 'supplier', read: readSupplier },
] as const;

export function registerConsoleUsers(scope: App, dependencies: UsersDependencies): void {
  for (const { path, kind, read } of PLACES) {
    const place = {
      path,
      config: { permission: 'configure' } as const,
      async accountOf(request: Request) {
        const { ownerKey } = request.params as Static<typeof OwnerParams>;
        const owner = await read(dependencies.database, ownerKey);
        return owner === null ? null : { kind, ownerKey, name: owner.name };
      },
      authorOf: requestAuthor,
      // Not the operator's name, which partners do not learn elsewhere either.
      inviterOf: () => dependencies.brand().name,
    };
    registerUsers(scope, place, dependencies);
  }
}
