// Entry point of the portal: sign-in, then the partner's or the supplier's pages.
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';

import { lazyPart } from '../ui/lazy-part.tsx';
import { LiveProvider } from '../ui/live.tsx';
import { start } from '../ui/start.tsx';
import { useSession, useSignIn } from '../ui/session.ts';
import { Failure, Loading } from '../ui/states.tsx';
import { ZoneProvider } from '../ui/zone.tsx';
import {
  accountOf,
  invitationSecret,
  isLastUsed,
  linkedCredential,
  notePreference,
  noteUsed,
} from './linked-credential.ts';
import { type PortalSession, SessionContext, signIn } from './session.ts';
import { request } from './portal-api.ts';

const SignIn = lazyPart(async () => (await import('./sign-in.tsx')).SignIn, 'Loading the portal');
const InvitationPage = lazyPart(async () => (await import('../ui/users/invitation.tsx')).InvitationPage, 'Loading');
const SwitchAccount = lazyPart(async () => (await import('../ui/switch-account.tsx')).SwitchAccount, 'Loading');
const BuyerPortal = lazyPart(async () => (await import('./buyer/portal.tsx')).BuyerPortal, 'Loading the portal');
const SupplierPortal = lazyPart(
  async () => (await import('./supplier/portal.tsx')).SupplierPortal,
  'Loading the portal',
);

function Portal(): ReactNode {
  const query = useSession((signal) => request('GET /portal/api/session', { signal }));
  const [given, setGiven] = useState(linkedCredential);
  const discard = useCallback(() => setGiven(null), []);
  if (query.data === undefined) {
    return query.isError ? (
      <Failure error={query.error} title="The portal could not be loaded" onRetry={() => void query.refetch()} />
    ) : (
      <Loading what="Loading the portal" />
    );
  }
  const { session, isDemo, mailsPasswordLinks = false } = query.data;
  // Also for one who is signed in: the link may be for another account.
  if (location.pathname === '/portal/invitation') {
    return <InvitationPage area="portal" secret={invitationSecret} onAccepted={() => notePreference(true)} />;
  }
  // Sign-in links work in the demo only. Elsewhere a link could sign a user in to an attacker's account.
  const linked = isDemo ? given : null;
  if (session === null) return <SignIn {...{ linked, mailsPasswordLinks }} onLinked={discard} />;
  if (linked !== null && !isLastUsed(linked)) return <Switch session={session} linked={linked} onDone={discard} />;
  return (
    <SessionContext value={session}>
      <ZoneProvider zone={session.timeZone ?? 'UTC'}>
        <LiveProvider stream="/portal/api/stream">
          {session.kind === 'buyer' ? <BuyerPortal /> : <SupplierPortal />}
        </LiveProvider>
      </ZoneProvider>
    </SessionContext>
  );
}

function Switch({
  session: { name, ownerKey },
  linked,
  onDone,
}: {
  readonly session: PortalSession;
  readonly linked: string;
  readonly onDone: () => void;
}): ReactNode {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useSignIn(signIn);
  const change = (): void =>
    mutate(
      { credential: linked },
      {
        onSuccess: () => {
          noteUsed(linked);
          // Data of the previous account must not be shown.
          queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
          onDone();
        },
      },
    );
  return (
    <SwitchAccount
      current={name === '' ? ownerKey : name}
      linked={accountOf(linked)}
      isBusy={isPending}
      error={error}
      onSwitch={change}
      onStay={onDone}
    />
  );
}

start(<Portal />);
