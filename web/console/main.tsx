// The console: sign-in, then the operator's pages.
import { type ReactNode, Suspense, lazy } from 'react';

import { start } from '../ui/provide.tsx';
import { LiveProvider } from '../ui/live.tsx';
import { useSession } from '../ui/session.ts';
import { Failure, Loading } from '../ui/states.tsx';
import { type ConsoleSession, SessionContext } from './session.ts';
import { SignIn } from './sign-in.tsx';

const Pages = lazy(async () => ({ default: (await import('./pages.tsx')).Pages }));

function Console(): ReactNode {
  const query = useSession<ConsoleSession>('/console');
  if (query.data === undefined) {
    return query.isError ? (
      <Failure error={query.error} title="The console could not be loaded" onRetry={() => void query.refetch()} />
    ) : (
      <Loading what="Loading the console" />
    );
  }
  const { session, isDemo } = query.data;
  if (session === null) return <SignIn isDemo={isDemo} />;
  return (
    <SessionContext value={session}>
      <LiveProvider stream="/console/api/stream">
        <Suspense fallback={<Loading what="Loading the console" />}>
          <Pages />
        </Suspense>
      </LiveProvider>
    </SessionContext>
  );
}

start(<Console />);
