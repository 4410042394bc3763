// The menu of the portal, without the entries that the user's roles do not open.
import type { NavGroup, NavItem } from '../ui/shell.tsx';
import { type PortalSession, type Right, usePortalSession } from './session.ts';

export type RightItem = NavItem & { readonly needs?: Right };
export type RightGroup = { readonly title?: string; readonly items: readonly RightItem[] };

export function useNav(groups: readonly RightGroup[]): readonly NavGroup[] {
  const { rights } = usePortalSession();
  return groups.map(({ items, ...group }) => ({
    ...group,
    items: items.filter(({ needs }) => needs === undefined || rights.includes(needs)),
  }));
}

/** The name in the account menu: of the user, else of the account. */
export function userName({ user, name, ownerKey }: PortalSession): string {
  return user?.name ?? (name === '' ? ownerKey : name);
}
