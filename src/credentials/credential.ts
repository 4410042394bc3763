// Credentials: kinds, ids on the wire, stored properties, and the audit log that their events go to (contract 2).

import type { OperatorScope } from './operator-scopes.rules.ts';

export type SecretOwner = {
  readonly kind: 'supplier' | 'buyer' | 'operator';
  /** `operator` for the operators, whose one secret signs the notices that they get by webhook. */
  readonly key: string;
};

export type CredentialKind = 'supplier_key' | 'buyer_token' | 'operator_token';
export const credentialKinds: readonly CredentialKind[] = ['supplier_key', 'buyer_token', 'operator_token'];

/** The kind of id on the wire: a supplier key has a key id, the other two a token id. */
export function idKindOf(kind: CredentialKind): 'key' | 'token' {
  return kind === 'supplier_key' ? 'key' : 'token';
}

export type Credential = {
  /** The TypeID, `key_…` or `tok_…`. */
  readonly id: string;
  readonly kind: CredentialKind;
  /** The supplier's or buyer's key, or the operator's name. */
  readonly owner: string;
  readonly label: string | null;
  /** What an operator's token may do; other credentials have none. */
  readonly scopes?: readonly OperatorScope[];
  readonly last4: string;
  readonly createdAt: Date;
  /** At most about a minute behind. */
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
};

type AuditOwner = { readonly buyerKey: string | null; readonly supplierKey: string | null };

/** The partner in whose audit log an event about a credential or signing secret appears; an operator's events appear in none. */
export function auditOwner(kind: CredentialKind | SecretOwner['kind'], key: string): AuditOwner {
  return {
    buyerKey: kind === 'buyer' || kind === 'buyer_token' ? key : null,
    supplierKey: kind === 'supplier' || kind === 'supplier_key' ? key : null,
  };
}
