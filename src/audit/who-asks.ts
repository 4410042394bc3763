// Who asked for a change at our pages or the API, and from where, as the audit trail keeps it.
import { principalOf } from '../platform/http/scope.ts';
import type { AuditAuthor, AuditOrigin } from './audit-event.ts';

/** The framework's own, which only the doors know by name. */
type Request = Parameters<typeof principalOf>[0];

/** Of a request in the console's scope: the operator, and where the request came from. */
export function authorOf(request: Request): AuditAuthor {
  return { actor: { type: 'operator', name: principalOf(request).ownerKey }, origin: originOf(request) };
}

export function originOf(request: Request): AuditOrigin {
  return { ip: request.ip, requestId: request.id };
}
