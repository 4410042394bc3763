// The operator's pages: menu and routes. All days and times are UTC, like the daily figures, so that operators in different zones see the
// same. The tooltip of a time shows it in the browser's zone.
import {
  ActivityLogIcon,
  ArchiveIcon,
  BarChartIcon,
  BellIcon,
  ChatBubbleIcon,
  ExclamationTriangleIcon,
  DownloadIcon,
  FileTextIcon,
  GearIcon,
  GlobeIcon,
  HeartIcon,
  Link2Icon,
  ListBulletIcon,
  MagicWandIcon,
  PersonIcon,
  ReaderIcon,
  RocketIcon,
  TableIcon,
  TrashIcon,
  UploadIcon,
} from '@radix-ui/react-icons';
import type { ReactNode } from 'react';

import { makeRouter, Routed } from '../ui/routing.tsx';
import { useSignOut } from '../ui/session.ts';
import { type NavItem, Shell } from '../ui/shell.tsx';
import { ZoneProvider } from '../ui/zone.tsx';
import { type Permission, useConsoleSession } from './session.ts';

const NAV = [
  { to: '/', label: 'Overview', icon: <BarChartIcon aria-hidden="true" /> },
  { to: '/reports', label: 'Reports', icon: <TableIcon aria-hidden="true" /> },
  { to: '/leads', label: 'Leads', icon: <PersonIcon aria-hidden="true" /> },
  { to: '/claims', label: 'Claims', icon: <ChatBubbleIcon aria-hidden="true" /> },
  { to: '/partners', label: 'Partners', icon: <GlobeIcon aria-hidden="true" /> },
  { to: '/suppliers', label: 'Suppliers', icon: <UploadIcon aria-hidden="true" /> },
  { to: '/endpoints', label: 'Endpoints', icon: <Link2Icon aria-hidden="true" /> },
  { to: '/health', label: 'Health', icon: <HeartIcon aria-hidden="true" /> },
  { to: '/jobs', label: 'Dead letters', icon: <ExclamationTriangleIcon aria-hidden="true" /> },
  { to: '/simulation', label: 'Dry run', icon: <MagicWandIcon aria-hidden="true" />, needs: 'configure' },
  { to: '/ledger', label: 'Ledger', icon: <ArchiveIcon aria-hidden="true" /> },
  { to: '/invoices', label: 'Invoices', icon: <FileTextIcon aria-hidden="true" /> },
  { to: '/statements', label: 'Statements', icon: <ReaderIcon aria-hidden="true" /> },
  { to: '/payouts', label: 'Payouts', icon: <RocketIcon aria-hidden="true" /> },
  { to: '/payments', label: 'Payments', icon: <DownloadIcon aria-hidden="true" />, needs: 'money' },
  { to: '/marketplace', label: 'Marketplace', icon: <GearIcon aria-hidden="true" /> },
  { to: '/notices', label: 'Notices', icon: <BellIcon aria-hidden="true" /> },
  { to: '/audit-log', label: 'Audit log', icon: <ListBulletIcon aria-hidden="true" /> },
  { to: '/erasure', label: 'Personal data', icon: <TrashIcon aria-hidden="true" />, needs: 'persons' },
  { to: '/access', label: 'Access', icon: <ActivityLogIcon aria-hidden="true" /> },
] as const satisfies ReadonlyArray<NavItem & { readonly needs?: Permission }>;

function Frame(): ReactNode {
  const { name, role, permissions } = useConsoleSession();
  const nav = NAV.filter((item) => !('needs' in item) || permissions.includes(item.needs));
  return (
    <ZoneProvider zone="UTC">
      <Shell
        product="Operator console"
        who={role === 'admin' ? name : `${name} (${role})`}
        nav={nav}
        onSignOut={useSignOut('console')}
      />
    </ZoneProvider>
  );
}

const router = makeRouter('/console', Frame, {
  '/': [() => import('./overview/overview.tsx'), 'OverviewPage'],
  '/reports': [() => import('./reports/reports.tsx'), 'ReportsPage'],
  '/health': [() => import('./health/health.tsx'), 'HealthPage'],
  '/leads': [() => import('./leads/leads.tsx'), 'LeadsPage'],
  '/leads/$leadId': [() => import('./leads/lead.tsx'), 'LeadPage'],
  '/endpoints': [() => import('./endpoints/endpoints.tsx'), 'EndpointsPage'],
  '/jobs': [() => import('./jobs/jobs.tsx'), 'JobsPage'],
  '/claims': [() => import('./claims/claims.tsx'), 'ClaimsPage'],
  '/claims/$claimId': [() => import('./claims/claim.tsx'), 'ClaimPage'],
  '/ledger': [() => import('./ledger/ledger.tsx'), 'LedgerPage'],
  '/invoices': [() => import('./invoices/invoices.tsx'), 'InvoicesPage'],
  '/statements': [() => import('./statements/statements.tsx'), 'StatementsPage'],
  '/payouts': [() => import('./statements/payouts.tsx'), 'PayoutsPage'],
  '/payments': [() => import('./payments/payments.tsx'), 'PaymentsPage'],
  '/notices': [() => import('./notices/notices.tsx'), 'NoticesPage'],
  '/audit-log': [() => import('./audit/audit-log.tsx'), 'AuditLogPage'],
  '/erasure': [() => import('./erasure/erasure.tsx'), 'ErasurePage'],
  '/suppliers': [() => import('./suppliers/suppliers.tsx'), 'SuppliersPage'],
  '/suppliers/new': [() => import('./suppliers/supplier.tsx'), 'NewSupplierPage'],
  '/suppliers/$supplierKey': [() => import('./suppliers/supplier.tsx'), 'SupplierPage'],
  '/partners': [() => import('./partners/partners.tsx'), 'PartnersPage'],
  '/partners/new': [() => import('./partners/partner.tsx'), 'NewPartnerPage'],
  '/partners/$partnerKey': [() => import('./partners/partner.tsx'), 'PartnerPage'],
  '/partners/$partnerKey/offers/new': [() => import('./offers/offer.tsx'), 'NewOfferPage'],
  '/partners/$partnerKey/offers/$offerKey': [() => import('./offers/offer.tsx'), 'OfferPage'],
  '/marketplace': [() => import('./configuration/marketplace.tsx'), 'MarketplacePage'],
  '/simulation': [() => import('./simulations/simulation.tsx'), 'SimulationPage'],
  '/access': [() => import('./session/access.tsx'), 'AccessPage'],
});

export function Pages(): ReactNode {
  return <Routed router={router} />;
}
