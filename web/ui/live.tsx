// Live updates: the service streams the topics that changed, and the queries of these topics are refetched.
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

import { noteResponse, noteNoResponse, whenBack } from './connection.ts';

const Connected = createContext(false);

/** Whether live updates are connected. */
export function useIsLive(): boolean {
  return useContext(Connected);
}

/** A thousand leads a second must not cause a thousand requests. */
const REFRESH_INTERVAL_MS = 1000;

/**
 * Query keys begin with their topic, such as ['deliveries', …]; a change of a topic invalidates its queries. After a reconnect all queries are
 * invalidated, because changes may have been missed.
 */
export function LiveProvider({
  stream,
  children,
}: {
  readonly stream: string;
  readonly children: ReactNode;
}): ReactNode {
  const queries = useQueryClient();
  const [isConnected, setConnected] = useState(false);
  useEffect(() => {
    const changed = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let source: EventSource | undefined;
    const refresh = (): void => {
      timer = undefined;
      for (const topic of changed) void queries.invalidateQueries({ queryKey: [topic] });
      changed.clear();
    };
    const open = (): void => {
      source = new EventSource(stream);
      source.addEventListener('open', () => {
        setConnected(true);
        noteResponse();
        // Changes may have been missed before.
        void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
      });
      source.addEventListener('error', () => {
        setConnected(false);
        noteNoResponse();
      });
      source.addEventListener('change', (event) => {
        for (const topic of topicsOf(event.data)) changed.add(topic);
        timer ??= setTimeout(refresh, REFRESH_INTERVAL_MS);
      });
    };
    const close = (): void => {
      source?.close();
      source = undefined;
      setConnected(false);
    };
    // A hidden tab closes its stream: browsers allow only a few connections per host.
    const follow = (): void => {
      if (document.hidden) close();
      else if (source === undefined) open();
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    // EventSource reconnects after a lost connection, but not after an error response such as a proxy's.
    const stopWaiting = whenBack(() => {
      if (source?.readyState !== EventSource.CLOSED) return;
      source = undefined;
      follow();
    });
    return () => {
      stopWaiting();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', follow);
      source?.close();
    };
  }, [queries, stream]);
  return <Connected value={isConnected}>{children}</Connected>;
}

function topicsOf(data: unknown): readonly string[] {
  const { topics } = JSON.parse(String(data)) as { readonly topics?: readonly string[] };
  return topics ?? [];
}
