// A supplier's keys, a partner's tokens and their signing secrets, as the console manages them.
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

const text = Type.String();

export const OwnerParams = Type.Object({ ownerKey: text });

const CredentialSchema = Type.Object({
  id: text,
  label: orNull(text),
  last4: text,
  createdAt: text,
  lastUsedAt: orNull(text),
  expiresAt: orNull(text),
  revokedAt: orNull(text),
});
export type Credential = Static<typeof CredentialSchema>;

export const CredentialsSchema = Type.Object({ data: Type.Array(CredentialSchema) });
export type Credentials = Static<typeof CredentialsSchema>;

export const CredentialParams = Type.Object({ credentialId: text });
export const RevokedCredentialSchema = Type.Object({ id: text, revokedAt: text });
export type RevokedCredential = Static<typeof RevokedCredentialSchema>;

export const RotatedSecretSchema = Type.Object({ previousValidUntil: orNull(text) });
export type RotatedSecret = Static<typeof RotatedSecretSchema>;
