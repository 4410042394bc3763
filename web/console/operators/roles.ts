// The roles of operators with what they may do.
import type { Operator } from '../../../src/console/operators.schema.ts';

export type Role = Operator['role'];

export const ROLES: Readonly<Record<Role, string>> = {
  admin: 'Full access.',
  finance: 'Manages the ledger and invoices. No access to personal data.',
  support: 'Reviews claims, sends deliveries again and enables endpoints. No access to personal data.',
  'read-only': 'Read access only. No access to personal data.',
};

export const ROLE_CHOICES = (Object.keys(ROLES) as Role[]).map((role) => ({
  value: role,
  label: `${role}: ${ROLES[role]}`,
}));

export function isRole(text: string): text is Role {
  return Object.hasOwn(ROLES, text);
}
