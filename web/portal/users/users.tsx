// The page of the users of a partner or supplier.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';
import { AccountUsers, type AccountUsersApi } from '../../ui/users/account-users.tsx';
import type { UserKind } from '../../ui/users/role-fields.tsx';
import { ZoneNote } from '../../ui/zone.tsx';
import { request } from '../portal-api.ts';
import { usePortalSession } from '../session.ts';

export function UsersPage(): ReactNode {
  const { kind } = usePortalSession();
  return (
    <Page title="Users" description={<ZoneNote />}>
      <AccountUsers api={apiFor(kind)} />
    </Page>
  );
}

function apiFor(kind: UserKind): AccountUsersApi {
  return {
    kind,
    key: ['users'],
    emptyNote: 'Invite colleagues by email, so that they need no token.',
    list: (signal) => request('GET /portal/api/users', { signal }),
    invite: (body) => request('POST /portal/api/users/invitations', { body }),
    resend: (invitationId) =>
      request('POST /portal/api/users/invitations/:invitationId/resend', { params: { invitationId } }),
    withdraw: (invitationId) =>
      request('POST /portal/api/users/invitations/:invitationId/withdraw', { params: { invitationId } }),
    setRoles: (userId, roles) =>
      request('POST /portal/api/users/:userId/roles', { params: { userId }, body: { roles } }),
    sendPasswordLink: (userId) => request('POST /portal/api/users/:userId/send-password-link', { params: { userId } }),
    resetSecondFactor: (userId) =>
      request('POST /portal/api/users/:userId/reset-second-factor', { params: { userId } }),
    remove: (userId) => request('POST /portal/api/users/:userId/remove', { params: { userId } }),
  };
}
