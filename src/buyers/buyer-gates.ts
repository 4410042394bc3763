// Route hooks that admit only partners with a beta tool, or with a setting that they may edit (contract 5.9, 6.12).
import { routeGuard } from '../platform/http/route-guard.ts';
import type { BetaTool, Buyer, EditableField } from './buyer.ts';

/** For a route's `onRequest`; rejects with 403 `beta_not_enabled` before ids, body or query are validated. */
export function betaGate(tool: BetaTool, buyerOf: (buyerKey: string) => Pick<Buyer, 'betaTools'>) {
  return routeGuard(({ ownerKey }) =>
    buyerOf(ownerKey).betaTools.includes(tool) ? null : { status: 403, code: 'beta_not_enabled' },
  );
}

/** For a route's `onRequest`; rejects with 403 `setting_not_editable` before the body is validated. */
export function editableGate(field: EditableField, buyerOf: (buyerKey: string) => Pick<Buyer, 'editableFields'>) {
  return routeGuard(({ ownerKey }) =>
    buyerOf(ownerKey).editableFields.includes(field) ? null : { status: 403, code: 'setting_not_editable' },
  );
}
