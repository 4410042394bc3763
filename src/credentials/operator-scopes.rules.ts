// The scopes of operators' tokens, and the permissions that each of them gives (contract 10).
import type { Permission } from '../platform/http/permission.rules.ts';

export const operatorScopes = ['read', 'operate', 'configure', 'money', 'privacy'] as const;
export type OperatorScope = (typeof operatorScopes)[number];

/** No scope includes another one, so a token has what its list names and nothing else. */
const PERMISSIONS: Readonly<Record<OperatorScope, readonly Permission[]>> = {
  read: ['read'],
  operate: ['operate'],
  configure: ['configure', 'credentials'],
  money: ['money'],
  privacy: ['persons'],
};

export function permissionsOfScopes(scopes: readonly OperatorScope[]): readonly Permission[] {
  return scopes.flatMap((scope) => PERMISSIONS[scope]);
}

/** The permission that stands for the scope in the declaration of a route. */
export function permissionOfScope(scope: OperatorScope): Permission {
  return PERMISSIONS[scope][0] ?? 'own';
}

/** Null for a permission that no scope gives. */
export function scopeOfPermission(permission: Permission): OperatorScope | null {
  return operatorScopes.find((scope) => PERMISSIONS[scope].includes(permission)) ?? null;
}

/** The named scopes in their fixed order without repetitions; null if one is unknown or none is named. */
export function readScopes(names: readonly string[]): readonly OperatorScope[] | null {
  const known = operatorScopes.filter((scope) => names.includes(scope));
  return known.length === 0 || known.length !== new Set(names).size ? null : known;
}

/** A token may issue only tokens that can do no more than itself. */
export function coversScopes(own: readonly Permission[], wanted: readonly OperatorScope[]): boolean {
  return permissionsOfScopes(wanted).every((permission) => own.includes(permission));
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** The name of the program that holds a token, which is part of the author in the audit log. */
export function isTokenName(text: string): boolean {
  return NAME.test(text);
}
