import { describe, expect, it } from 'vitest';

import { permissions } from '../platform/http/permission.rules.ts';
import {
  coversScopes,
  operatorScopes,
  permissionOfScope,
  permissionsOfScopes,
  readScopes,
  scopeOfPermission,
} from './operator-scopes.rules.ts';

describe('The scopes of a token', () => {
  it.each([
    [
      ['money', 'read'],
      ['read', 'money'],
    ],
    [['read', 'read'], ['read']],
    [['read', 'all'], null],
    [['READ'], null],
    [[], null],
  ])('are read from %j as %j', (names, scopes) => {
    expect(readScopes(names)).toEqual(scopes);
  });

  it('give together every permission except those over operators and their own sessions, and none of them twice', () => {
    const onlyForPeople: readonly string[] = ['own', 'operators'];
    expect(permissionsOfScopes(operatorScopes).toSorted()).toEqual(
      permissions.filter((permission) => !onlyForPeople.includes(permission)).toSorted(),
    );
  });

  it.each(operatorScopes)('are found by the permission of %s', (scope) => {
    expect(scopeOfPermission(permissionOfScope(scope))).toBe(scope);
  });

  it.each(['own', 'operators'] as const)('never give the permission %s', (permission) => {
    expect(scopeOfPermission(permission)).toBeNull();
  });

  it.each(operatorScopes)('%s cover themselves and no others', (scope) => {
    const own = permissionsOfScopes([scope]);
    expect(operatorScopes.filter((other) => coversScopes(own, [other]))).toEqual([scope]);
  });
});
