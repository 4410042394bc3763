import { expect, test } from 'vitest';

import { permissions } from '../platform/http/permission.rules.ts';
import { type OperatorRole, operatorRoles, permissionsOf } from './operator-roles.rules.ts';

test('The roles are four', () => {
  expect(operatorRoles).toEqual(['admin', 'finance', 'support', 'read-only']);
});

test.each<[OperatorRole, string]>([
  ['admin', permissions.join()],
  ['finance', 'own,read,money'],
  ['support', 'own,read,operate'],
  ['read-only', 'own,read'],
])('The role %s may do %s', (role, allowed) => {
  expect(permissionsOf(role).join()).toBe(allowed);
});
