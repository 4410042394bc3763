// Operators and their invitations as the console manages them (contract 7.12).
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';
import { operatorRoles } from '../sessions/operator.rules.ts';

const text = Type.String();
const time = Type.String({ format: 'date-time' });
const Role = Type.Enum([...operatorRoles]);
const email = Type.String({ format: 'email', maxLength: 254 });

const OperatorSchema = Type.Object({
  name: text,
  email: orNull(text),
  role: Role,
  hasSecondFactor: Type.Boolean(),
  createdAt: time,
  disabledAt: orNull(time),
  lastUsedAt: orNull(time),
  openSessions: Type.Integer(),
  /** Whether it is the operator who asks. */
  isYou: Type.Boolean(),
});
export type Operator = Static<typeof OperatorSchema>;

const InvitationSchema = Type.Object({
  invitationId: text,
  name: text,
  email: text,
  role: Role,
  invitedBy: text,
  createdAt: time,
  expiresAt: time,
});

export const OperatorsSchema = Type.Object({
  data: Type.Array(OperatorSchema),
  invitations: Type.Array(InvitationSchema),
});
export type Operators = Static<typeof OperatorsSchema>;

export const NewOperatorBody = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z0-9][a-z0-9._-]{0,62}$',
    }),
    email,
    role: Role,
  },
  { additionalProperties: false },
);
export type NewOperator = Static<typeof NewOperatorBody>;

export const OperatorParams = Type.Object({ name: text });
export const InvitationParams = Type.Object({ invitationId: text });

export const OperatorRoleBody = Type.Object({ role: Role }, { additionalProperties: false });
export type NewOperatorRole = Static<typeof OperatorRoleBody>;
export const OperatorEmailBody = Type.Object({ email }, { additionalProperties: false });
export type NewOperatorEmail = Static<typeof OperatorEmailBody>;
