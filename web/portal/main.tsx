// The portal: sign-in, then the partner's or the supplier's pages.
import { type ReactNode, Suspense, lazy } from 'react';

import { start } from '../ui/provide.tsx';
import { LiveProvider } from '../ui/live.tsx';
import { useSession } from '../ui/session.ts';
import { Failure, Loading } from '../ui/states.tsx';
import { ZoneProvider } from '../ui/zone.tsx';
import { type PortalSession, SessionContext } from './session.ts';
import { SignIn } from './sign-in.tsx';

const BuyerPortal = lazy(async () => ({ default: (await import('./buyer/portal.tsx')).BuyerPortal }));
const SupplierPortal = lazy(async () => ({ default: (await import('./supplier/portal.tsx')).SupplierPortal }));

function Portal(): ReactNode {
  const query = useSession<PortalSession>('/portal');
  if (query.data === undefined) {
    return query.isError ? (
      <Failure error={query.error} title="The portal could not be loaded" onRetry={() => void query.refetch()} />
    ) : (
      <Loading what="Loading the portal" />
    );
  }
  const { session, isDemo } = query.data;
  if (session === null) return <SignIn isDemo={isDemo} />;
  return (
    <SessionContext value={session}>
      <ZoneProvider zone={session.timeZone ?? 'UTC'}>
        <LiveProvider stream="/portal/api/stream">
          <Suspense fallback={<Loading what="Loading the portal" />}>
            {session.kind === 'buyer' ? <BuyerPortal /> : <SupplierPortal />}
          </Suspense>
        </LiveProvider>
      </ZoneProvider>
    </SessionContext>
  );
}

start(<Portal />);
