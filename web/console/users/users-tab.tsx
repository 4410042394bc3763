// The users of a partner or supplier on its page at the console.
import type { ReactNode } from 'react';

import { AccountUsers, type AccountUsersApi } from '../../ui/users/account-users.tsx';
import { Allowed } from '../allowed.tsx';
import { type Owner, request } from '../console-api.ts';

export function UsersTab({ owner }: { readonly owner: Owner }): ReactNode {
  return (
    <Allowed to="configure" otherwise="manage users">
      <AccountUsers api={apiFor(owner)} />
    </Allowed>
  );
}

function apiFor(owner: Owner): AccountUsersApi {
  const path = `/console/api/${owner.kind}/:ownerKey/users` as const;
  const params = { ownerKey: owner.key };
  return {
    kind: owner.kind === 'partners' ? 'buyer' : 'supplier',
    key: ['configuration', 'users', owner],
    emptyNote: 'Invite the first one by email; users with the permission Settings can invite the others.',
    list: (signal) => request(`GET ${path}`, { params, signal }),
    invite: (body) => request(`POST ${path}/invitations`, { params, body }),
    resend: (invitationId) =>
      request(`POST ${path}/invitations/:invitationId/resend`, { params: { ...params, invitationId } }),
    withdraw: (invitationId) =>
      request(`POST ${path}/invitations/:invitationId/withdraw`, { params: { ...params, invitationId } }),
    setRoles: (userId, roles) =>
      request(`POST ${path}/:userId/roles`, { params: { ...params, userId }, body: { roles } }),
    sendPasswordLink: (userId) => request(`POST ${path}/:userId/send-password-link`, { params: { ...params, userId } }),
    resetSecondFactor: (userId) =>
      request(`POST ${path}/:userId/reset-second-factor`, { params: { ...params, userId } }),
    remove: (userId) => request(`POST ${path}/:userId/remove`, { params: { ...params, userId } }),
  };
}
