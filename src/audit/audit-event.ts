// What an audit event says: who changed what from which value to which (contract 6.15).
import type { AuditId } from '../base/ids.ts';
import type { JsonValue } from '../base/json-value.ts';

export type AuditActor = {
  readonly type: 'buyer' | 'operator' | 'system' | 'supplier';
  readonly name: string;
};

/** Where a change came in by HTTP; both null for the command line and for the service's own doing. */
export type AuditOrigin = { readonly ip: string | null; readonly requestId: string | null };

export type AuditAuthor = { readonly actor: AuditActor; readonly origin: AuditOrigin };

export type AuditChanges = { readonly [field: string]: { readonly from: JsonValue; readonly to: JsonValue } };

export type AuditEvent = AuditOrigin & {
  readonly at: Date;
  readonly actor: AuditActor;
  /** The partner that may see it; null for what concerns the operator alone. */
  readonly buyerKey: string | null;
  readonly supplierKey: string | null;
  /** A dotted verb such as `token.issued`. */
  readonly action: string;
  /** What was changed: a wire id or a key. */
  readonly target: string;
  readonly changes: AuditChanges;
};

export type AuditRecord = AuditEvent & { readonly auditId: AuditId };

/** Whoever may run the command may do anything; the machine's user names are nobody else's business. */
export const commandLineActor: AuditActor = { type: 'operator', name: 'command line' };
export const noOrigin: AuditOrigin = { ip: null, requestId: null };

export type AuditedChange = {
  readonly at: Date;
  readonly actor: AuditActor;
  readonly action: string;
  readonly target: string;
  readonly changes: AuditChanges;
};
