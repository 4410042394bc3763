// Operators' names, password lengths, roles and permissions (decisions 022 and 030).
import { type Permission, permissions } from '../platform/http/permission.rules.ts';

export const operatorRoles = ['admin', 'finance', 'support', 'read-only'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Only administrators may read personal data; no other role needs it. */
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

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

export function isOperatorName(text: string): boolean {
  return NAME.test(text);
}

export const PASSWORD_MIN = 12;
/** Longer than any typed password; bounds the work of hashing. */
export const PASSWORD_MAX = 200;
