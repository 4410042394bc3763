// What changes elsewhere appears here: the service tells which topics have changed, and what was asked about them is asked anew.
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

import { noteResponse, noteSilence, whenBack } from './connection.ts';

const Connected = createContext(false);

/** Whether changes appear by themselves at the moment. */
export function useIsLive(): boolean {
  return useContext(Connected);
}

// A lead a millisecond must not mean a question a millisecond.
const AT_MOST_EVERY_MS = 1000;

/**
 * Query keys begin with their topic, such as ['deliveries', …]; a change of a topic makes its queries stale. After a break in the
 * connection everything is asked anew, since nobody knows what was missed.
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
        // Nobody knows what was missed before.
        void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
      });
      source.addEventListener('error', () => {
        setConnected(false);
        noteSilence();
      });
      source.addEventListener('change', (event) => {
        for (const topic of topicsOf(event.data)) changed.add(topic);
        timer ??= setTimeout(refresh, AT_MOST_EVERY_MS);
      });
    };
    const close = (): void => {
      source?.close();
      source = undefined;
      setConnected(false);
    };
    // What nobody looks at needs no line: browsers have only a few to one host.
    const follow = (): void => {
      if (document.hidden) close();
      else if (source === undefined) open();
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    // A browser tries again after a lost connection, and never after an answer that is none, such as a proxy's.
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
