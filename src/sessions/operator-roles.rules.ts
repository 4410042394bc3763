// The roles of operators and what each may do (decision 030).
import { type Permission, permissions } from '../platform/http/permission.rules.ts';

export const operatorRoles = ['admin', 'finance', 'support', 'read-only'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Persons are an administrator's alone: none of the other roles needs to know who somebody is. */
const PERMISSIONS: Readonly<Record<OperatorRole, readonly Permission[]>> = {
  admin: permissions,
  finance: ['own', 'read', 'money'],
  support: ['own', 'read', 'operate'],
  'read-only': ['own', 'read'],
};

export type OperatorAccess = { readonly role: OperatorRole; readonly hasSecondFactor: boolean };

export function permissionsOf(role: OperatorRole): readonly Permission[] {
  return PERMISSIONS[role];
}
