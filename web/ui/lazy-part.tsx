// A component that is loaded when it is first shown. If loading fails, it shows an error in its place and recovers when the service is back or
// has it, so that the browser's error page never replaces the application.
import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';

import { countOthers, isOutdated, probe, whenBack } from './connection.ts';
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
    const [failures, setFailures] = useState(0);
    const attempt = useCallback((): void => {
      fetchPart().then(
        () => setRound((round) => round + 1),
        () => setFailures((before) => before + 1),
      );
    }, []);
    useEffect(() => {
      if (loaded === null) attempt();
    }, [attempt]);
    useEffect(() => (failures === 0 ? undefined : attemptLater(failures, attempt)), [failures, attempt]);
    if (loaded !== null) {
      const Loaded = loaded;
      return <Loaded {...props} />;
    }
    if (failures === 0) return <Loading {...(what === undefined ? {} : { what })} />;
    return <Failure error={NOT_LOADED} title="This part of the page could not be loaded" onRetry={attempt} />;
  }

  return Object.assign(LazyPart, { load: fetchPart, preload: () => fetchPart().catch(() => undefined) });
}

/** Attempts made of a part that the service does not have, before the document is loaded anew. */
const ATTEMPTS = 6;
const LONGEST_PAUSE_MS = 4000;

/**
 * Attempts again when the service is back after an outage, or after a pause if it responds without the part. That is so while it is being
 * updated, because a process has the scripts of its own release only: another process may have the part, or the page is of a release that is
 * gone. Some browsers also remember a failed import. The function returned ends it.
 */
function attemptLater(failures: number, attempt: () => void): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stopWaiting = whenBack(attempt);
  void probe().then((isResponding) => {
    if (isOver || !isResponding) return;
    if (isOutdated() || failures >= ATTEMPTS) reloadOnce();
    // Without an update the part is missing for good.
    if (failures < ATTEMPTS || countOthers() !== null) timer = setTimeout(attempt, pauseAfter(failures));
  });
  return () => {
    isOver = true;
    clearTimeout(timer);
    stopWaiting();
  };
}

/** Until the next attempt, in ms. */
export function pauseAfter(failures: number): number {
  return Math.min(500 * 2 ** failures, LONGEST_PAUSE_MS);
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

const NOT_LOADED = new RequestError(0, { detail: 'The service did not send it. The page tries again automatically.' });

const RELOADED = 'lm-reloaded';
const RELOAD_PAUSE_MS = 60_000;

/** Loads the document anew, with a pause before the next time that is twice as long each time, so that no page reloads forever. */
export function reloadOnce(): void {
  const [at = 0, times = 0] = (sessionStorage.getItem(RELOADED) ?? '').split(' ').map(Number);
  if (times > 0 && Date.now() - at < RELOAD_PAUSE_MS * 2 ** (times - 1)) return;
  sessionStorage.setItem(RELOADED, `${Date.now()} ${times + 1}`);
  location.reload();
}
