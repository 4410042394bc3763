// Creates the router of an application: query parameters stay text, and each page is loaded on its first visit.
import {
  type AnyRouter,
  createRootRoute,
  createRoute,
  createRouter,
  type RootRoute,
  RouterProvider,
} from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';

import { Crash } from './error-boundary.tsx';
import { parseSearch, stringifySearch } from './filters.ts';
import { lazyPart } from './lazy-part.tsx';
import { noteLeft } from './left-pages.ts';
import { Loading } from './states.tsx';
import { NoPage } from './shell.tsx';

/** The module of a page and the name of its component. */
export type PageModule = readonly [load: () => Promise<Record<string, unknown>>, name: string];

/** Paths begin with `/`, parameters with `$`. */
export function makeRouter(
  basepath: string,
  frame: () => ReactNode,
  pages: Readonly<Record<string, PageModule>>,
): AnyRouter {
  const root: RootRoute = createRootRoute({ component: frame, notFoundComponent: NoPage });
  const parts = Object.entries(pages).map(([path, [load, name]]) => ({
    path,
    // Not the router's lazy components: these reload the document if a part is missing, into the browser's error page during an outage.
    component: lazyPart(async () => partOf(await load(), name)),
  }));
  const routes = parts.map((part) => createRoute({ getParentRoute: () => root, ...part }));
  setTimeout(() => void loadAll(parts.map(({ component }) => component)), LOAD_ALL_AFTER_MS);
  const router = createRouter({
    routeTree: root.addChildren(routes),
    basepath,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingComponent: Loading,
    defaultErrorComponent: Crash,
  });
  router.subscribe('onBeforeNavigate', ({ pathChanged, fromLocation }) => {
    if (!pathChanged || fromLocation === undefined) return;
    hasNavigated = true;
    noteLeft(fromLocation);
  });
  return router;
}

/** When the first page has come, and the user reads it. */
const LOAD_ALL_AFTER_MS = 4000;

/**
 * One after the other, so that every page can still be opened while the service cannot be reached. Ends with the first that fails: a browser may
 * remember a failed import, and a page that was never opened would not load when the service is back.
 */
async function loadAll(parts: ReadonlyArray<{ readonly load: () => Promise<void> }>): Promise<void> {
  try {
    for (const { load } of parts) await load();
  } catch {
    // Each page loads its part itself when it is opened.
  }
}

let hasNavigated = false;

/** True once after each navigation to another path. */
export function consumeNavigation(): boolean {
  const navigated = hasNavigated;
  hasNavigated = false;
  return navigated;
}

function partOf(module: Record<string, unknown>, name: string): ComponentType {
  return module[name] as ComponentType;
}

export function Routed({ router }: { readonly router: AnyRouter }): ReactNode {
  return <RouterProvider router={router} />;
}
