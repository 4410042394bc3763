// The users of a partner or supplier and their invitations, as they manage them in the portal, and operators at the console (contract 7.12).
import { type Static, Type } from 'typebox';

import { userRoles } from '../platform/http/permission.rules.ts';
import { orNull } from '../platform/http/values.schema.ts';

const text = Type.String();
const time = Type.String({ format: 'date-time' });
const Roles = Type.Array(Type.Enum([...userRoles]));
const RolesInput = Type.Array(Type.Enum([...userRoles]), { maxItems: userRoles.length });

const UserSchema = Type.Object({
  userId: text,
  email: text,
  name: text,
  roles: Roles,
  hasSecondFactor: Type.Boolean(),
  createdAt: time,
  lastUsedAt: orNull(time),
  /** Whether it is the user who asks. */
  isYou: Type.Boolean(),
});

const InvitationSchema = Type.Object({
  invitationId: text,
  email: text,
  name: text,
  roles: Roles,
  invitedBy: text,
  createdAt: time,
  expiresAt: time,
});

export const UsersSchema = Type.Object({ data: Type.Array(UserSchema), invitations: Type.Array(InvitationSchema) });
export type Users = Static<typeof UsersSchema>;

export const NewUserBody = Type.Object(
  {
    email: Type.String({ format: 'email', maxLength: 254 }),
    name: Type.String({ minLength: 1, maxLength: 100, pattern: String.raw`^[^\p{Cc}]*\S[^\p{Cc}]*$` }),
    /** `view` is part of every list. */
    roles: RolesInput,
  },
  { additionalProperties: false },
);
export type NewUser = Static<typeof NewUserBody>;

export const UserRolesBody = Type.Object({ roles: RolesInput }, { additionalProperties: false });
export type NewUserRoles = Static<typeof UserRolesBody>;

export const UserParams = Type.Object({ userId: text });
export const UserInvitationParams = Type.Object({ invitationId: text });
