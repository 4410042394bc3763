// Whose audit trail an event about a credential or a signing secret belongs to: the operator's own are seen by no partner.
import type { CredentialKind } from './credential.ts';
import type { SecretOwner } from './signing-secret.ts';

type AuditOwner = { readonly buyerKey: string | null; readonly supplierKey: string | null };

export function auditOwner(kind: CredentialKind | SecretOwner['kind'], key: string): AuditOwner {
  return {
    buyerKey: kind === 'buyer' || kind === 'buyer_token' ? key : null,
    supplierKey: kind === 'supplier' || kind === 'supplier_key' ? key : null,
  };
}
