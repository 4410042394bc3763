// A part of the application that is loaded when it is first shown. Where that fails it says so in its place and comes back by itself:
// the browser's own page for a failed navigation never takes over.
import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';

import { lookAgain, noteSilence, whenBack } from './connection.ts';
import { RequestError } from './request.ts';
import { Failure, Loading } from './states.tsx';

type Part<Props> = ((props: Props) => ReactNode) & {
  /** Ends when the part is there or could not be loaded; never fails. */
  readonly preload: () => Promise<void>;
};

/** `what` names the part while it loads: `Loading the chart`. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>, what?: string): Part<Props> {
  let loaded: ComponentType<Props> | null = null;
  const fetchPart = async (): Promise<void> => {
    loaded ??= await load();
  };

  function LazyPart(props: Props): ReactNode {
    const [, setRound] = useState(0);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded !== null) return;
      fetchPart().then(
        () => setRound((round) => round + 1),
        () => {
          setFailed(true);
          noteSilence();
        },
      );
    }, []);
    const retry = useCallback(async (): Promise<void> => {
      try {
        await fetchPart();
        setFailed(false);
      } catch {
        // Reachable, and without this part: the pages were built anew, or this browser remembers the failure.
        if (await lookAgain()) reloadOnce();
      }
    }, []);
    useEffect(() => (hasFailed ? whenBack(() => void retry()) : undefined), [retry, hasFailed]);
    if (loaded !== null) {
      const Loaded = loaded;
      return <Loaded {...props} />;
    }
    if (!hasFailed) return <Loading {...(what === undefined ? {} : { what })} />;
    return (
      <Failure error={NOT_LOADED} title="This part of the page could not be loaded" onRetry={() => void retry()} />
    );
  }

  return Object.assign(LazyPart, { preload: () => fetchPart().catch(() => undefined) });
}

const NOT_LOADED = new RequestError(0, {
  code: 'unreachable',
  detail: 'The service did not answer. The page loads by itself as soon as it does.',
});

const RELOADED = 'lm-reloaded-at';
const RELOAD_AT_MOST_EVERY_MS = 60_000;

function reloadOnce(): void {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) < RELOAD_AT_MOST_EVERY_MS) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
}
