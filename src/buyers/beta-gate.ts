// Beta tools are open to the partners for whom the operator enabled them, one by one (contract 6.12).
import { routeGuard } from '../platform/http/route-guard.ts';
import type { BetaTool, Buyer } from './buyer.ts';

/** For a route's `onRequest`; refuses with 403 `beta_not_enabled` before any id, body or query is looked at. */
export function betaGate(tool: BetaTool, buyerOf: (buyerKey: string) => Pick<Buyer, 'betaTools'>) {
  return routeGuard(({ ownerKey }) =>
    buyerOf(ownerKey).betaTools.includes(tool) ? null : { status: 403, code: 'beta_not_enabled' },
  );
}
