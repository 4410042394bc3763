// The users of a partner or supplier, in the portal and at the console.
import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { NewUser, Users as StoredUsers } from '../../../src/scopes/users.schema.ts';
import type { SentLink } from '../../../src/users/invitation.schema.ts';
import { notify } from '../notify.tsx';
import { type Right, RoleFields, rolesText, type UserKind } from './role-fields.tsx';
import type { UsersApi } from './users-api.ts';
import { Users } from './users.tsx';

export type AccountUsersApi = {
  /** Whose users they are: suppliers have fewer roles. */
  readonly kind: UserKind;
  readonly key: QueryKey;
  readonly emptyNote: string;
  readonly list: (signal: AbortSignal) => Promise<StoredUsers>;
  readonly invite: (body: NewUser) => Promise<SentLink>;
  readonly resend: (invitationId: string) => Promise<SentLink>;
  readonly withdraw: (invitationId: string) => Promise<unknown>;
  readonly setRoles: (userId: string, roles: Right[]) => Promise<unknown>;
  readonly sendPasswordLink: (userId: string) => Promise<SentLink>;
  readonly resetSecondFactor: (userId: string) => Promise<unknown>;
  readonly remove: (userId: string) => Promise<unknown>;
};

export function AccountUsers({ api }: { readonly api: AccountUsersApi }): ReactNode {
  return <Users api={usersApi(api)} />;
}

function usersApi({ kind, list, invite, setRoles, remove, ...api }: AccountUsersApi): UsersApi<readonly Right[]> {
  return {
    ...api,
    word: 'user',
    inviteTitle: 'Invite a user',
    roles: {
      title: 'Permissions',
      first: [],
      text: rolesText,
      renderField: (roles, onChange) => <RoleFields kind={kind} roles={roles} onChange={onChange} />,
    },
    async list(signal) {
      const { data, invitations } = await list(signal);
      return {
        data: data.map(({ userId, roles, ...user }) => ({ ...user, id: userId, role: roles, isDisabled: false })),
        invitations: invitations.map(({ roles, ...invitation }) => ({ ...invitation, role: roles })),
      };
    },
    invite: ({ role, ...user }) => invite({ ...user, roles: [...role] }),
    setRole: (userId, role) => setRoles(userId, [...role]),
    accessAction: ({ id, name }) => ({
      label: 'Remove',
      question: `Remove ${name}?`,
      text: 'All sessions of the user end at once, and sign-in is refused. Tokens and keys of the account are not affected.',
      action: 'Remove',
      isDangerous: true,
      async perform() {
        await remove(id);
        notify(`${name} removed.`);
      },
    }),
  };
}
