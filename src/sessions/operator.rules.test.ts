import { describe, expect, it } from 'vitest';

import { permissions } from '../platform/http/permission.rules.ts';
import { type OperatorRole, operatorRoles, permissionsOf } from './operator.rules.ts';

describe('The roles of operators', () => {
  it('are exactly four', () => {
    expect(operatorRoles).toEqual(['admin', 'finance', 'support', 'read-only']);
  });

  it.each<[OperatorRole, string]>([
    ['admin', permissions.join()],
    ['finance', 'own,read,money'],
    ['support', 'own,read,operate'],
    ['read-only', 'own,read'],
  ])('include %s with the permissions %s', (role, allowed) => {
    expect(permissionsOf(role).join()).toBe(allowed);
  });
});
