import { expect, it } from 'vitest';

import { permissions } from '../platform/http/permission.rules.ts';
import { type OperatorRole, operatorRoles, permissionsOf } from './operator.rules.ts';

it('operators have one of four roles', () => {
  expect(operatorRoles).toEqual(['admin', 'finance', 'support', 'read-only']);
});

it.each<[OperatorRole, string]>([
  ['admin', permissions.join()],
  ['finance', 'own,read,money'],
  ['support', 'own,read,operate'],
  ['read-only', 'own,read'],
])('the role %s has the permissions %s', (role, allowed) => {
  expect(permissionsOf(role).join()).toBe(allowed);
});
