// What our pages are told of a session (decision 022).
import { Type } from 'typebox';

import { permissions } from '../platform/http/permission.rules.ts';
import { operatorRoles } from './operator-roles.rules.ts';
import type { OpenSession } from './session-keeper.ts';

export const SessionSchema = Type.Object({
  id: Type.String({ description: 'Of the session, as in the list of sessions.' }),
  kind: Type.Enum(['buyer', 'supplier', 'operator']),
  ownerKey: Type.String(),
  name: Type.String(),
  status: Type.Optional(Type.String()),
  timeZone: Type.Optional(Type.String()),
  betaTools: Type.Optional(Type.Array(Type.String())),
  currency: Type.String(),
  role: Type.Optional(Type.Enum([...operatorRoles])),
  /** What the role allows; a page hides the rest. */
  permissions: Type.Optional(Type.Array(Type.Enum([...permissions]))),
  /** `required`: until it is set up, nothing else is open. */
  secondFactor: Type.Optional(Type.Enum(['set', 'none', 'required'])),
});

export const SessionAnswer = Type.Object({
  session: Type.Union([SessionSchema, Type.Null()]),
  isDemo: Type.Boolean(),
});

export type OperatorSessionFacts = Pick<OpenSession, 'kind' | 'ownerKey' | 'sessionId' | 'operator'>;
