// A component that is loaded when it is first shown. If loading fails, it shows an error in its place and recovers when the service is back,
// so that the browser's error page never replaces the application.
import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';

import { probe, noteNoResponse, whenBack } from './connection.ts';
import { RequestError } from './request.ts';
import { Failure, Loading } from './states.tsx';

type Part<Props> = ((props: Props) => ReactNode) & {
  /** Resolves when the part is loaded or could not be loaded; never rejects. */
  readonly preload: () => Promise<void>;
  /** Rejects if the part could not be loaded. */
  readonly load: () => Promise<void>;
};

/** `what` is shown during loading: `Loading the chart`. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>, what?: string): Part<Props> {
  let loaded: ComponentType<Props> | null = null;
  let pending: Promise<void> | null = null;
  const fetchNow = async (): Promise<void> => {
    if (loaded !== null) return;
    await loadFailedStyles();
    loaded = await load();
  };
  // One at a time: the bundler takes a stylesheet that is on its way for loaded.
  const fetchPart = (): Promise<void> => {
    pending ??= fetchNow().finally(() => {
      pending = null;
    });
    return pending;
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
          noteNoResponse();
        },
      );
    }, []);
    const retry = useCallback(async (): Promise<void> => {
      try {
        await fetchPart();
        setFailed(false);
      } catch {
        // The service responds but not with this part: the pages were rebuilt, or the browser cached the failed import.
        if (await probe()) reloadOnce();
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

  return Object.assign(LazyPart, { load: fetchPart, preload: () => fetchPart().catch(() => undefined) });
}

/** Stylesheets of parts that could not be loaded. */
const failedStyles = new Set<HTMLLinkElement>();

// Errors of elements do not bubble.
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target);
  },
  { capture: true },
);

/**
 * The bundler requests the stylesheet of a part once. If that fails the part does not load, and the next time it loads without its looks.
 * Rejects if a stylesheet fails again.
 */
async function loadFailedStyles(): Promise<void> {
  const failed = [...failedStyles];
  failedStyles.clear();
  await Promise.all(failed.map(loadAgain));
}

function loadAgain(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const again = document.createElement('link');
    again.rel = 'stylesheet';
    again.href = link.href;
    again.addEventListener('load', () => resolve());
    again.addEventListener('error', () => reject(new Error(`${link.href} did not load`)));
    link.replaceWith(again);
  });
}

const NOT_LOADED = new RequestError(0, {
  code: 'unreachable',
  detail: 'The service did not respond. The page loads automatically when it does.',
});

const RELOADED = 'lm-reloaded-at';
const RELOAD_AT_MOST_EVERY_MS = 60_000;

/** At most once a minute, so that no page reloads forever. */
export function reloadOnce(): void {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) < RELOAD_AT_MOST_EVERY_MS) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
}
