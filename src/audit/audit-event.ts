// Types of audit events: who changed what, from which value to which (contract 6.15).
import type { AuditId } from '../base/ids.ts';
import type { JsonValue } from '../base/json.ts';

export type AuditActor = {
  readonly type: 'buyer' | 'operator' | 'system' | 'supplier';
  readonly name: string;
};

/** Origin of a change by HTTP; null for the command line and the service itself. */
export type AuditOrigin = { readonly ip: string | null; readonly requestId: string | null };

export type AuditAuthor = { readonly actor: AuditActor; readonly origin: AuditOrigin };

export type AuditChanges = { readonly [field: string]: { readonly from: JsonValue; readonly to: JsonValue } };

export type AuditEvent = AuditOrigin & {
  readonly at: Date;
  readonly actor: AuditActor;
  /** The partner that may see the event; null for operators only. */
  readonly buyerKey: string | null;
  readonly supplierKey: string | null;
  /** A dotted verb such as `token.issued`. */
  readonly action: string;
  /** The id or key of the changed object. */
  readonly target: string;
  readonly changes: AuditChanges;
};

export type AuditRecord = AuditEvent & { readonly auditId: AuditId };

/** One actor for all users of the machine: their names are not disclosed, and each of them can do everything. */
export const commandLineActor: AuditActor = { type: 'operator', name: 'command line' };
export const noOrigin: AuditOrigin = { ip: null, requestId: null };

export type AuditedChange = {
  readonly at: Date;
  readonly actor: AuditActor;
  readonly action: string;
  readonly target: string;
  readonly changes: AuditChanges;
};
