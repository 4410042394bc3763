// Routes of a setting that the operator may keep to itself are open to the partners that may change it (contract 5.9).
import { routeGuard } from '../platform/http/route-guard.ts';
import type { Buyer, EditableField } from './buyer.ts';

/** For a route's `onRequest`; refuses with 403 `setting_not_editable` before any body is looked at. */
export function editableGate(field: EditableField, buyerOf: (buyerKey: string) => Pick<Buyer, 'editableFields'>) {
  return routeGuard(({ ownerKey }) =>
    buyerOf(ownerKey).editableFields.includes(field) ? null : { status: 403, code: 'setting_not_editable' },
  );
}
