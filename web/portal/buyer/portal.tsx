// The partner's pages: menu and routes.
import {
  AvatarIcon,
  BarChartIcon,
  BellIcon,
  ChatBubbleIcon,
  CrossCircledIcon,
  DashboardIcon,
  EnvelopeClosedIcon,
  FileTextIcon,
  GearIcon,
  ListBulletIcon,
  LockClosedIcon,
} from '@radix-ui/react-icons';
import type { ReactNode } from 'react';

import { makeRouter, Routed } from '../../ui/routing.tsx';
import { useSignOut } from '../../ui/session.ts';
import { Shell } from '../../ui/shell.tsx';
import { type RightItem, userName, useNav } from '../nav.ts';
import { usePortalSession } from '../session.ts';

const WORK: { readonly items: readonly RightItem[] } = {
  items: [
    { to: '/', label: 'Overview', icon: <DashboardIcon aria-hidden="true" /> },
    { to: '/deliveries', label: 'Deliveries', icon: <EnvelopeClosedIcon aria-hidden="true" /> },
    { to: '/claims', label: 'Claims', icon: <ChatBubbleIcon aria-hidden="true" /> },
  ],
};
const MONEY: { readonly title: string; readonly items: readonly RightItem[] } = {
  title: 'Money',
  items: [
    { to: '/billing', label: 'Billing', icon: <FileTextIcon aria-hidden="true" />, needs: 'money' },
    { to: '/reports', label: 'Reports', icon: <BarChartIcon aria-hidden="true" /> },
  ],
};
const SETTINGS: readonly RightItem[] = [
  { to: '/settings', label: 'Settings', icon: <GearIcon aria-hidden="true" />, needs: 'settings' },
  { to: '/lists', label: 'Exclusion lists', icon: <CrossCircledIcon aria-hidden="true" /> },
  { to: '/notices', label: 'Notices', icon: <BellIcon aria-hidden="true" /> },
  { to: '/users', label: 'Users', icon: <AvatarIcon aria-hidden="true" />, needs: 'settings' },
  { to: '/tokens', label: 'Access', icon: <LockClosedIcon aria-hidden="true" /> },
];
const AUDIT_LOG: RightItem = {
  ...{ to: '/audit-log', label: 'Audit log', icon: <ListBulletIcon aria-hidden="true" /> },
  needs: 'settings',
};

function Frame(): ReactNode {
  const session = usePortalSession();
  const { betaTools } = session;
  const settings = betaTools?.includes('audit-log') === true ? [...SETTINGS, AUDIT_LOG] : SETTINGS;
  const nav = useNav([WORK, MONEY, { title: 'Settings', items: settings }]);
  return <Shell hasApi product="Partner portal" who={userName(session)} nav={nav} onSignOut={useSignOut('portal')} />;
}

const router = makeRouter('/portal', Frame, {
  '/': [() => import('./overview/overview.tsx'), 'OverviewPage'],
  '/deliveries': [() => import('./deliveries/deliveries.tsx'), 'DeliveriesPage'],
  '/deliveries/$deliveryId': [() => import('./deliveries/delivery.tsx'), 'DeliveryPage'],
  '/claims': [() => import('./claims/claims.tsx'), 'ClaimsPage'],
  '/claims/$claimId': [() => import('./claims/claim.tsx'), 'ClaimPage'],
  '/billing': [() => import('./billing/billing.tsx'), 'BillingPage'],
  '/reports': [() => import('./reports/reports.tsx'), 'ReportsPage'],
  '/notices': [() => import('../notices.tsx'), 'PartnerNoticesPage'],
  '/lists': [() => import('./lists/lists.tsx'), 'ListsPage'],
  '/lists/$listId': [() => import('./lists/list.tsx'), 'ListPage'],
  '/settings': [() => import('./settings/settings.tsx'), 'SettingsPage'],
  '/settings/webhook-format': [() => import('./settings/webhook-format.tsx'), 'WebhookFormatPage'],
  '/settings/sheets': [() => import('./sheets-setup/sheets-setup.tsx'), 'SheetsSetupPage'],
  '/users': [() => import('../users/users.tsx'), 'UsersPage'],
  '/tokens': [() => import('./tokens.tsx'), 'TokensPage'],
  '/audit-log': [() => import('./audit/audit-log.tsx'), 'AuditLogPage'],
});

export function BuyerPortal(): ReactNode {
  return <Routed router={router} />;
}
