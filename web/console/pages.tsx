// The operator's pages: menu and routes. All days and times are in the marketplace's time zone, so that operators in different zones see
// the same. The tooltip of a time shows it in the browser's zone.
import {
  ArchiveIcon,
  AvatarIcon,
  BarChartIcon,
  BellIcon,
  ChatBubbleIcon,
  CrossCircledIcon,
  DashboardIcon,
  ExclamationTriangleIcon,
  DownloadIcon,
  EnvelopeClosedIcon,
  FileTextIcon,
  GearIcon,
  GlobeIcon,
  GridIcon,
  HeartIcon,
  IdCardIcon,
  LayersIcon,
  Link2Icon,
  ListBulletIcon,
  LockClosedIcon,
  MagicWandIcon,
  PersonIcon,
  ReaderIcon,
  RocketIcon,
  UploadIcon,
} from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { makeRouter, Routed } from '../ui/routing.tsx';
import { useSignOut } from '../ui/session.ts';
import { type NavItem, Shell } from '../ui/shell.tsx';
import { ZoneProvider } from '../ui/zone.tsx';
import { request } from './console-api.ts';
import { SearchEverything } from './search/search-everything.tsx';
import { type Permission, useConsoleSession } from './session.ts';

type Item = NavItem & { readonly needs?: Permission };

const GROUPS: ReadonlyArray<{ readonly title?: string; readonly items: readonly Item[] }> = [
  {
    items: [
      { to: '/', label: 'Overview', icon: <DashboardIcon aria-hidden="true" /> },
      { to: '/reports', label: 'Reports', icon: <BarChartIcon aria-hidden="true" /> },
      { to: '/where-and-when', label: 'Where and when', icon: <GridIcon aria-hidden="true" /> },
    ],
  },
  {
    title: 'Work',
    items: [
      { to: '/leads', label: 'Leads', icon: <PersonIcon aria-hidden="true" /> },
      { to: '/claims', label: 'Claims', icon: <ChatBubbleIcon aria-hidden="true" /> },
      { to: '/messages', label: 'Messages', icon: <EnvelopeClosedIcon aria-hidden="true" /> },
      { to: '/jobs', label: 'Failures', icon: <ExclamationTriangleIcon aria-hidden="true" /> },
      { to: '/endpoints', label: 'Endpoints', icon: <Link2Icon aria-hidden="true" /> },
      { to: '/health', label: 'Health', icon: <HeartIcon aria-hidden="true" /> },
    ],
  },
  {
    title: 'Accounts',
    items: [
      { to: '/partners', label: 'Partners', icon: <GlobeIcon aria-hidden="true" /> },
      { to: '/suppliers', label: 'Suppliers', icon: <UploadIcon aria-hidden="true" /> },
      { to: '/lists', label: 'Lists', icon: <CrossCircledIcon aria-hidden="true" /> },
      { to: '/simulation', label: 'Dry run', icon: <MagicWandIcon aria-hidden="true" />, needs: 'configure' },
    ],
  },
  {
    title: 'Money',
    items: [
      { to: '/ledger', label: 'Ledger', icon: <ArchiveIcon aria-hidden="true" /> },
      { to: '/invoices', label: 'Invoices', icon: <FileTextIcon aria-hidden="true" /> },
      { to: '/payments', label: 'Payments', icon: <DownloadIcon aria-hidden="true" />, needs: 'money' },
      { to: '/statements', label: 'Statements', icon: <ReaderIcon aria-hidden="true" /> },
      { to: '/payouts', label: 'Payouts', icon: <RocketIcon aria-hidden="true" /> },
    ],
  },
  {
    title: 'Settings',
    items: [
      { to: '/marketplace', label: 'Marketplace', icon: <GearIcon aria-hidden="true" /> },
      { to: '/verticals', label: 'Verticals', icon: <LayersIcon aria-hidden="true" /> },
      { to: '/notices', label: 'Notices', icon: <BellIcon aria-hidden="true" /> },
      { to: '/operators', label: 'Operators', icon: <AvatarIcon aria-hidden="true" />, needs: 'operators' },
      { to: '/access', label: 'Access', icon: <LockClosedIcon aria-hidden="true" /> },
      { to: '/erasure', label: 'Personal data', icon: <IdCardIcon aria-hidden="true" />, needs: 'persons' },
      { to: '/audit-log', label: 'Audit log', icon: <ListBulletIcon aria-hidden="true" /> },
    ],
  },
];

const COUNTS_EVERY_MS = 30_000;

/** Menu entries with how much work waits behind them. */
function useWaiting(): Readonly<Record<string, NavItem['waiting']>> {
  const { data } = useQuery({
    queryKey: ['claims', 'waiting'],
    queryFn: ({ signal }) => request('GET /console/api/waiting', { signal }),
    refetchInterval: COUNTS_EVERY_MS,
  });
  if (data === undefined) return {};
  return {
    '/claims': { count: data.claims, unit: data.claims === 1 ? 'open claim' : 'open claims' },
    '/jobs': { count: data.failures, unit: data.failures === 1 ? 'failure' : 'failures' },
  };
}

function Frame(): ReactNode {
  const { name, role, permissions, timeZone } = useConsoleSession();
  const waiting = useWaiting();
  const nav = GROUPS.map(({ items, ...group }) => ({
    ...group,
    items: items
      .filter(({ needs }) => needs === undefined || permissions.includes(needs))
      .map((item) => ({ ...item, waiting: waiting[item.to] })),
  }));
  return (
    <ZoneProvider zone={timeZone}>
      <Shell
        product="Operator console"
        who={role === 'admin' ? name : `${name} (${role})`}
        nav={nav}
        search={<SearchEverything pages={nav.flatMap(({ items }) => items)} />}
        onSignOut={useSignOut('console')}
      />
    </ZoneProvider>
  );
}

const router = makeRouter('/console', Frame, {
  '/': [() => import('./overview/overview.tsx'), 'OverviewPage'],
  '/guide': [() => import('./guide/guide.tsx'), 'GuidePage'],
  '/reports': [() => import('./reports/reports.tsx'), 'ReportsPage'],
  '/where-and-when': [() => import('./where-and-when/where-and-when.tsx'), 'WhereAndWhenPage'],
  '/health': [() => import('./health/health.tsx'), 'HealthPage'],
  '/leads': [() => import('./leads/leads.tsx'), 'LeadsPage'],
  '/leads/$leadId': [() => import('./leads/lead.tsx'), 'LeadPage'],
  '/endpoints': [() => import('./endpoints/endpoints.tsx'), 'EndpointsPage'],
  '/jobs': [() => import('./jobs/jobs.tsx'), 'JobsPage'],
  '/messages': [() => import('./messages/messages.tsx'), 'MessagesPage'],
  '/messages/replay': [() => import('./messages/replay.tsx'), 'ReplayPage'],
  '/messages/$attemptId': [() => import('./messages/message.tsx'), 'MessagePage'],
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
  '/verticals': [() => import('./verticals/verticals.tsx'), 'VerticalsPage'],
  '/verticals/new': [() => import('./verticals/vertical.tsx'), 'NewVerticalPage'],
  '/verticals/$verticalKey': [() => import('./verticals/vertical.tsx'), 'VerticalPage'],
  '/lists': [() => import('./lists/lists.tsx'), 'ListsPage'],
  '/lists/new': [() => import('./lists/new-list.tsx'), 'NewListPage'],
  '/lists/$listId': [() => import('./lists/list.tsx'), 'ListPage'],
  '/marketplace': [() => import('./configuration/marketplace.tsx'), 'MarketplacePage'],
  '/simulation': [() => import('./simulations/simulation.tsx'), 'SimulationPage'],
  '/operators': [() => import('./operators/operators.tsx'), 'OperatorsPage'],
  '/access': [() => import('./session/access.tsx'), 'AccessPage'],
});

export function Pages(): ReactNode {
  return <Routed router={router} />;
}
