// The list of the user's own sessions with buttons to end them, for portal and console.
import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { OwnSessions as OwnSessionList } from '../../src/sessions/own-sessions.schema.ts';
import { type Column, DataTable } from './data-table.tsx';
import { createApi } from './api.ts';
import { notify, notifyFailure } from './notify.tsx';
import { type Area, useSignOut } from './session.ts';
import { Empty, Loaded } from './states.tsx';
import { Time } from './zone.tsx';

type Session = OwnSessionList['data'][number];

const { request } = createApi<{
  'GET /:area/api/sessions': { response: OwnSessionList };
  'DELETE /:area/api/sessions/:id': object;
}>();

const KEY = ['account', 'sessions'];

export function OwnSessions({ area }: { readonly area: Area }): ReactNode {
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => request('GET /:area/api/sessions', { params: { area }, signal }),
  });
  const others = query.data?.data.filter(({ isThisSession }) => !isThisSession) ?? [];
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      for (const { id } of others) await end(area, id);
    },
    onSuccess: () => notify('All other sessions ended.'),
    onError: notifyFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <Loaded query={query} what="Loading sessions">
      {({ data }) => (
        <>
          <DataTable
            caption="Open sessions"
            columns={columnsFor(area)}
            rows={data}
            rowKey={({ id }) => id}
            empty={<Empty title="No open sessions" />}
          />
          {others.length > 0 && (
            <Group>
              <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
                Sign out all other sessions
              </Button>
            </Group>
          )}
        </>
      )}
    </Loaded>
  );
}

function end(area: Area, id: string): Promise<unknown> {
  return request('DELETE /:area/api/sessions/:id', { params: { area, id } });
}

const columnsFor = (area: Area): readonly Column<Session>[] => [
  {
    key: 'label',
    title: 'Browser',
    cell: (session) => <Browser session={session} />,
  },
  { key: 'created', title: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} kind="short" /> },
  { key: 'used', title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} kind="short" /> },
  { key: 'expires', title: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} kind="short" /> },
  { key: 'end', title: 'Action', cell: (session) => <EndButton area={area} session={session} /> },
];

function Browser({ session: { label, userEmail, isThisSession } }: { readonly session: Session }): ReactNode {
  return (
    <>
      {label === '' ? 'Unknown' : label}
      {userEmail !== null && (
        <Text component="span" display="block" size="xs" c="dimmed">
          {userEmail}
        </Text>
      )}
      {isThisSession && (
        <Text component="span" display="block" size="xs" c="dimmed">
          this browser
        </Text>
      )}
    </>
  );
}

function EndButton({
  area,
  session: { id, label, isThisSession },
}: {
  readonly area: Area;
  readonly session: Session;
}): ReactNode {
  const queries = useQueryClient();
  const signOut = useSignOut(area);
  const { mutate, isPending } = useMutation({
    mutationFn: () => end(area, id),
    onSuccess: () => notify('Session ended.'),
    onError: notifyFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={isPending}
      onClick={() => (isThisSession ? signOut() : mutate())}
      aria-label={isThisSession ? 'Sign out of this browser' : `Sign out ${label}`}
    >
      Sign out
    </Button>
  );
}
