// What is known of a credential once its secret has been shown (contract 2).

export type CredentialKind = 'supplier_key' | 'buyer_token' | 'operator_token';
export const credentialKinds: readonly CredentialKind[] = ['supplier_key', 'buyer_token', 'operator_token'];

/** A supplier key is a key on the wire, the other two are tokens. */
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
  readonly last4: string;
  readonly createdAt: Date;
  /** At most about a minute behind. */
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
};
