// The open sessions of one's own account, each with a way to end it: the same at the portal and at the console.
import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { type Column, DataTable } from './data-table.tsx';
import { tell, tellFailure } from './notify.tsx';
import { read, send } from './request.ts';
import { useSignOut } from './session.ts';
import { Empty, Loaded } from './states.tsx';
import { Time } from './zone.tsx';

/** As GET …/api/sessions answers. */
type Session = {
  readonly id: string;
  /** Browser and system. */
  readonly label: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  readonly isThisSession: boolean;
};

const KEY = ['account', 'sessions'];

/** `base` is `/portal` or `/console`. */
export function OwnSessions({ base }: { readonly base: string }): ReactNode {
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => read<{ readonly data: readonly Session[] }>(`${base}/api/sessions`, signal),
  });
  const others = query.data?.data.filter(({ isThisSession }) => !isThisSession) ?? [];
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      for (const { id } of others) await end(base, id);
    },
    onSuccess: () => tell('All other sessions are ended.'),
    onError: tellFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <Loaded query={query} what="Loading sessions">
      {({ data }) => (
        <>
          <DataTable
            caption="Open sessions"
            columns={columnsFor(base)}
            rows={data}
            rowKey={({ id }) => id}
            empty={<Empty title="No open sessions" />}
          />
          {others.length > 0 && (
            <Group>
              <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
                Sign out all others
              </Button>
            </Group>
          )}
        </>
      )}
    </Loaded>
  );
}

function end(base: string, id: string): Promise<unknown> {
  return send(`${base}/api/sessions/${id}`, { method: 'DELETE' });
}

const columnsFor = (base: string): readonly Column<Session>[] => [
  {
    key: 'label',
    title: 'Browser',
    cell: ({ label, isThisSession }) => <Browser label={label} isThisSession={isThisSession} />,
  },
  { key: 'created', title: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} kind="short" /> },
  { key: 'used', title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} kind="short" /> },
  { key: 'expires', title: 'Ends at the latest', cell: ({ expiresAt }) => <Time at={expiresAt} kind="short" /> },
  { key: 'end', title: 'Action', cell: (session) => <EndButton base={base} session={session} /> },
];

function Browser({ label, isThisSession }: Pick<Session, 'label' | 'isThisSession'>): ReactNode {
  return (
    <>
      {label === '' ? 'unknown' : label}
      {isThisSession && (
        <Text component="span" display="block" size="xs" c="dimmed">
          this one
        </Text>
      )}
    </>
  );
}

function EndButton({
  base,
  session: { id, label, isThisSession },
}: {
  readonly base: string;
  readonly session: Session;
}): ReactNode {
  const queries = useQueryClient();
  const signOut = useSignOut(base);
  const { mutate, isPending } = useMutation({
    mutationFn: () => end(base, id),
    onSuccess: () => tell('The session is ended.'),
    onError: tellFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={isPending}
      onClick={() => (isThisSession ? signOut() : mutate())}
      aria-label={isThisSession ? 'Sign out here' : `Sign out ${label}`}
    >
      Sign out
    </Button>
  );
}
