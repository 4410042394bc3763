// The author and origin of a change by HTTP, for the audit trail.
import { typeId } from '../base/ids.ts';
import { principalOf } from '../platform/http/scope.ts';
import type { AuditAuthor, AuditOrigin } from './audit-event.ts';

/** The request type of the HTTP framework. */
type Request = Parameters<typeof principalOf>[0];

/** For requests in the scope of the console: the operator and the origin. */
export function requestAuthor(request: Request): AuditAuthor {
  return { actor: { type: 'operator', name: principalOf(request).ownerKey }, origin: requestOrigin(request) };
}

export function requestOrigin(request: Request): AuditOrigin {
  return { ip: request.ip, requestId: request.id };
}

/** For requests in the scopes of partners and suppliers: the user who is signed in, by address, else `otherwise`, by default the owner's key. */
export function partnerAuthor(
  request: Request,
  type: 'buyer' | 'supplier',
  otherwise = principalOf(request).ownerKey,
): AuditAuthor {
  return { actor: { type, name: principalOf(request).user?.email ?? otherwise }, origin: requestOrigin(request) };
}

/** For requests of a partner: the user who is signed in, by address, else the access token, by id. */
export function buyerAuthor(request: Request): AuditAuthor {
  return partnerAuthor(request, 'buyer', typeId('token', principalOf(request).credentialId));
}
