// What the list of users needs of the portal or the console.
import type { QueryKey } from '@tanstack/react-query';

import type { NewUser, Users } from '../../../src/scopes/users.schema.ts';
import type { SentLink } from '../../../src/users/invitation.schema.ts';

export type UserKind = 'buyer' | 'supplier';
export type Right = NewUser['roles'][number];

export type UsersApi = {
  /** Whose users they are: suppliers have fewer roles. */
  readonly kind: UserKind;
  /** Of the query of the list, which is read again after each change. */
  readonly key: QueryKey;
  /** Shown where there are no users yet. */
  readonly emptyNote: string;
  readonly list: (signal: AbortSignal) => Promise<Users>;
  readonly invite: (body: NewUser) => Promise<SentLink>;
  readonly resend: (invitationId: string) => Promise<SentLink>;
  readonly withdraw: (invitationId: string) => Promise<unknown>;
  readonly setRoles: (userId: string, roles: readonly Right[]) => Promise<unknown>;
  readonly sendPasswordLink: (userId: string) => Promise<SentLink>;
  readonly resetSecondFactor: (userId: string) => Promise<unknown>;
  readonly remove: (userId: string) => Promise<unknown>;
};
