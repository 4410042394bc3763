// The order of the folders of `src/`, lowest first: a folder imports only from folders before it in this list.

const ORDER = [
  'base',
  'jobs',
  'platform',
  'audit',
  'marketplace',
  'credentials',
  'sessions',
  'ledger',
  'endpoints',
  'messages',
  'suppliers',
  'buyers',
  'caps',
  'invoices',
  'leads',
  'specification',
  'deliveries',
  'claims',
  'routing',
  'reports',
  'live',
  'marketplace-file',
  'privacy',
  'simulation',
  'demo',
  'contents',
  'entry',
];

/** Folders before it that a folder may not import from all the same: two slices that only meet in jobs. */
const STRANGERS: ReadonlyArray<readonly [importer: string, imported: string]> = [['routing', 'claims']];

/** The folder of a path in `src/`. Files directly in it are tables of contents of everything below them, but for `jobs.ts`. */
export function layerOf(path: string): string {
  const folder = /^src\/([^/]+)\//.exec(path)?.[1];
  return folder ?? (path === 'src/jobs.ts' ? 'jobs' : 'contents');
}

export function isKnownLayer(layer: string): boolean {
  return ORDER.includes(layer);
}

export function mayImport(importer: string, imported: string): boolean {
  if (importer === imported) return true;
  if (STRANGERS.some(([from, to]) => from === importer && to === imported)) return false;
  return ORDER.indexOf(imported) < ORDER.indexOf(importer);
}

/** Whether it owns rows and has doors; the demo only calls the slices, as a person at their doors would. */
export function isSlice(layer: string): boolean {
  return ORDER.indexOf(layer) > ORDER.indexOf('platform') && ORDER.indexOf(layer) < ORDER.indexOf('demo');
}
