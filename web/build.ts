// Builds the pages into web/dist, unless what is there was made of the very same sources: `npm run build`, `npm ci` and the first
// start call it, several at once too. The folder is put in place by one rename, so a server never reads half of it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { putInPlace } from './put-in-place.ts';

const WEB = import.meta.dirname;
/** Another folder is for tests. */
const DIST = process.argv[2] ?? join(WEB, 'dist');
const STAMP = '.made-of';

const sources = hashOfSources();

/** The release of the pages, which the service reads too: pages compare it with that of each response. */
const noteRelease = {
  name: 'note-release',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { name: 'release', content: sources.slice(0, 16) }, injectTo: 'head' as const },
  ],
};

if (isNewest()) process.exit(0);
const started = performance.now();
// The caller may be a test, where NODE_ENV is another; the libraries' development builds are twice as large.
process.env['NODE_ENV'] = 'production';
const { build } = await import('vite');
const fresh = `${DIST}.${process.pid}`;
try {
  await build({
    configFile: join(WEB, 'vite.config.ts'),
    logLevel: 'warn',
    plugins: [noteRelease],
    build: { outDir: fresh, emptyOutDir: true },
  });
  compress(fresh);
  writeFileSync(join(fresh, STAMP), sources);
  putInPlace(fresh, DIST, isNewest);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
console.log(`Built the portal and the console in ${((performance.now() - started) / 1000).toFixed(1)} s.`);

function isNewest(): boolean {
  try {
    return readFileSync(join(DIST, STAMP), 'utf8') === sources;
  } catch {
    // Another process may be putting its own there.
    return false;
  }
}

/** Of everything that goes into the pages: the sources, the members and presets of the forms, and the exact versions of the libraries. */
function hashOfSources(): string {
  const hash = createHash('sha256');
  const others = ['package-lock.json', 'docs/marketplace-file.schema.json'].map((path) => join(WEB, '..', path));
  const files = [...others, ...filesIn(join(WEB, '..', 'examples', 'deliveries')), ...filesIn(WEB)];
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`${relative(WEB, file)}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('dist') && !name.startsWith('.') && !name.endsWith('.md'))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)]));
}

/** Once here instead of at every request. */
function compress(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !/\.(?:js|css|html|svg)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const content = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
  }
}
