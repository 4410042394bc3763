// JSON view of an audit event for its partner (contract 6.15).
import { typeId } from '../base/ids.ts';
import type { AuditChanges, AuditRecord } from './audit-event.ts';

export type AuditView = {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly type: 'buyer' | 'operator' | 'system'; readonly name: string };
  readonly action: string;
  readonly target: string;
  readonly changes: AuditChanges;
  readonly ip: string | null;
  readonly requestId: string | null;
};

/** Hides the name and origin of operators and suppliers. */
export function auditView({ auditId, at, actor, action, target, changes, ip, requestId }: AuditRecord): AuditView {
  const isOwn = actor.type === 'buyer';
  return {
    id: typeId('audit', auditId),
    at: at.toISOString(),
    actor:
      actor.type === 'buyer' || actor.type === 'system'
        ? { type: actor.type, name: actor.name }
        : { type: 'operator', name: 'operator' },
    action,
    target,
    // jsonb stores `to` before `from`.
    changes: Object.fromEntries(Object.entries(changes).map(([field, { from, to }]) => [field, { from, to }])),
    ip: isOwn ? ip : null,
    requestId: isOwn ? requestId : null,
  };
}
