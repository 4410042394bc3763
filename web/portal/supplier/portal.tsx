// The supplier's pages: menu and routes.
import {
  ArchiveIcon,
  AvatarIcon,
  BarChartIcon,
  BellIcon,
  DashboardIcon,
  FileTextIcon,
  LockClosedIcon,
  PaperPlaneIcon,
  PersonIcon,
  ReaderIcon,
} from '@radix-ui/react-icons';
import type { ReactNode } from 'react';

import { makeRouter, Routed } from '../../ui/routing.tsx';
import { useSignOut } from '../../ui/session.ts';
import { Shell } from '../../ui/shell.tsx';
import { type RightGroup, userName, useNav } from '../nav.ts';
import { usePortalSession } from '../session.ts';

const NAV: readonly RightGroup[] = [
  {
    items: [
      { to: '/supply', label: 'Overview', icon: <DashboardIcon aria-hidden="true" /> },
      { to: '/supply/submissions', label: 'Submissions', icon: <PersonIcon aria-hidden="true" /> },
    ],
  },
  {
    title: 'Money',
    items: [
      { to: '/supply/earnings', label: 'Earnings', icon: <ArchiveIcon aria-hidden="true" />, needs: 'money' },
      { to: '/supply/statements', label: 'Statements', icon: <FileTextIcon aria-hidden="true" />, needs: 'money' },
      { to: '/supply/reports', label: 'Reports', icon: <BarChartIcon aria-hidden="true" /> },
    ],
  },
  {
    title: 'Integration',
    items: [
      { to: '/supply/specification', label: 'Posting specification', icon: <ReaderIcon aria-hidden="true" /> },
      { to: '/supply/test-lead', label: 'Test lead', icon: <PaperPlaneIcon aria-hidden="true" />, needs: 'settings' },
    ],
  },
  {
    title: 'Settings',
    items: [
      { to: '/supply/notices', label: 'Notices', icon: <BellIcon aria-hidden="true" /> },
      { to: '/supply/users', label: 'Users', icon: <AvatarIcon aria-hidden="true" />, needs: 'settings' },
      { to: '/supply/keys', label: 'Access', icon: <LockClosedIcon aria-hidden="true" /> },
    ],
  },
];

function Frame(): ReactNode {
  const session = usePortalSession();
  const nav = useNav(NAV);
  return <Shell hasApi product="Supplier portal" who={userName(session)} nav={nav} onSignOut={useSignOut('portal')} />;
}

const router = makeRouter('/portal', Frame, {
  '/': [() => import('./overview/overview.tsx'), 'RedirectToOverview'],
  '/supply': [() => import('./overview/overview.tsx'), 'OverviewPage'],
  '/supply/submissions': [() => import('./submissions/submissions.tsx'), 'SubmissionsPage'],
  '/supply/submissions/$leadId': [() => import('./submissions/submission.tsx'), 'SubmissionPage'],
  '/supply/earnings': [() => import('./earnings/earnings.tsx'), 'EarningsPage'],
  '/supply/statements': [() => import('./earnings/statements.tsx'), 'StatementsPage'],
  '/supply/reports': [() => import('./reports/reports.tsx'), 'ReportsPage'],
  '/supply/specification': [() => import('./specification/specification.tsx'), 'SpecificationPage'],
  '/supply/test-lead': [() => import('./test-leads/test-lead.tsx'), 'TestLeadPage'],
  '/supply/notices': [() => import('../notices.tsx'), 'SupplierNoticesPage'],
  '/supply/users': [() => import('../users/users.tsx'), 'UsersPage'],
  '/supply/keys': [() => import('./keys.tsx'), 'KeysPage'],
});

export function SupplierPortal(): ReactNode {
  return <Routed router={router} />;
}
