// The order of the folders of `src/`, lowest first: a folder imports only from folders before it in this list.

const ORDER = [
  'base',
  'jobs',
  'platform',
  'audit',
  'marketplace',
  'credentials',
  'sessions',
  'users',
  'list-views',
  'ledger',
  'endpoints',
  'notices',
  'messages',
  'suppliers',
  'buyers',
  'caps',
  'invoices',
  'leads',
  'lists',
  'specification',
  'deliveries',
  'claims',
  'statements',
  'routing',
  'reports',
  'watch',
  'live',
  'marketplace-file',
  'privacy',
  'imports',
  'simulation',
  'scopes',
  'portal',
  'console',
  'operator',
  'demo',
  'app',
  'entry',
];

/** Earlier folders that a folder may not import from even so: two slices that only meet in jobs. */
const STRANGERS: ReadonlyArray<readonly [importer: string, imported: string]> = [['routing', 'claims']];

/** The folder of a path in `src/`, which itself holds one file: `jobs.ts`. */
export function layerOf(path: string): string {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? path.slice('src/'.length, -'.ts'.length);
}

export function isKnownLayer(layer: string): boolean {
  return ORDER.includes(layer);
}

export function mayImport(importer: string, imported: string): boolean {
  if (importer === imported) return true;
  if (STRANGERS.some(([from, to]) => from === importer && to === imported)) return false;
  return ORDER.indexOf(imported) < ORDER.indexOf(importer);
}

/** The routes of the pages, and those that pages and API share. They call operations and rules of any slice. */
const SCREENS: readonly string[] = ['scopes', 'portal', 'console', 'operator'];

/** Whether it registers the routes of other folders. */
export function isComposition(layer: string): boolean {
  return SCREENS.includes(layer) || layer === 'app' || layer === 'entry';
}

/** Whether it owns tables and has entry points of its own. */
export function isSlice(layer: string): boolean {
  return ORDER.indexOf(layer) > ORDER.indexOf('platform') && ORDER.indexOf(layer) < ORDER.indexOf('scopes');
}
