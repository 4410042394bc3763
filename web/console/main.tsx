// Entry point of the console: sign-in, then the operator's pages.
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';

import { lazyPart } from '../ui/lazy-part.tsx';
import { LiveProvider } from '../ui/live.tsx';
import { start } from '../ui/start.tsx';
import { useSession, useSignIn } from '../ui/session.ts';
import { Failure, Loading } from '../ui/states.tsx';
import { request } from './console-api.ts';
import {
  type ConsoleSession,
  DemoContext,
  invitationSecret,
  type LinkedOperator,
  linkedOperator,
  SessionContext,
  signIn,
} from './session.ts';

const SignIn = lazyPart(async () => (await import('./session/sign-in.tsx')).SignIn, 'Loading the console');
const InvitationPage = lazyPart(async () => (await import('../ui/users/invitation.tsx')).InvitationPage, 'Loading');
const SwitchAccount = lazyPart(async () => (await import('../ui/switch-account.tsx')).SwitchAccount, 'Loading');
const EnrolPage = lazyPart(async () => (await import('./session/enrol.tsx')).EnrolPage, 'Loading the console');
const Pages = lazyPart(async () => (await import('./pages.tsx')).Pages, 'Loading the console');

function Console(): ReactNode {
  const query = useSession((signal) => request('GET /console/api/session', { signal }));
  const [given, setGiven] = useState(linkedOperator);
  const discard = useCallback(() => setGiven(null), []);
  if (query.data === undefined) {
    return query.isError ? (
      <Failure error={query.error} title="The console could not be loaded" onRetry={() => void query.refetch()} />
    ) : (
      <Loading what="Loading the console" />
    );
  }
  const { session, isDemo, provider = null } = query.data;
  // Also for one who is signed in: the link may be for another account.
  if (location.pathname === '/console/invitation') return <InvitationPage area="console" secret={invitationSecret} />;
  // Sign-in links work in the demo only. Elsewhere a link could sign a user in to an attacker's account.
  const linked = isDemo ? given : null;
  if (session === null) return <SignIn provider={provider} linked={linked} onLinked={discard} />;
  if (linked !== null && linked.name !== session.ownerKey) {
    return <Switch session={session} linked={linked} onDone={discard} />;
  }
  if (session.secondFactor === 'required') return <EnrolPage name={session.name} />;
  return (
    <SessionContext value={session}>
      <DemoContext value={isDemo}>
        <LiveProvider stream="/console/api/stream">
          <Pages />
        </LiveProvider>
      </DemoContext>
    </SessionContext>
  );
}

function Switch({
  session,
  linked,
  onDone,
}: {
  readonly session: ConsoleSession;
  readonly linked: LinkedOperator;
  readonly onDone: () => void;
}): ReactNode {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useSignIn(signIn);
  const change = (): void =>
    mutate(linked, {
      onSuccess: () => {
        queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
        onDone();
      },
    });
  return (
    <SwitchAccount
      current={session.name}
      linked={`the operator ${linked.name}`}
      isBusy={isPending}
      error={error}
      onSwitch={change}
      onStay={onDone}
    />
  );
}

start(<Console />);
