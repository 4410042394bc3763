// Every route of the running application, read off its router: a test over all of them meets the new ones, too.
import type { App } from '../../src/platform/http/app.ts';

export type Route = { readonly method: string; readonly path: string };

const LINE = /^(?<indent>[│ ]*)[├└]── (?<piece>\S+)(?: \((?<methods>[A-Z, ]+)\))?$/;

/** Paths with their parameters as `:name`. HEAD is left out, which goes where GET goes. */
export function routesOf(app: App): Route[] {
  const routes: Route[] = [];
  const above: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const found = LINE.exec(line)?.groups;
    if (found === undefined) continue;
    const depth = (found['indent'] ?? '').length / 4;
    const path = (above[depth - 1] ?? '') + (found['piece'] ?? '');
    above[depth] = path;
    for (const method of found['methods']?.split(', ') ?? []) if (method !== 'HEAD') routes.push({ method, path });
  }
  return routes;
}
