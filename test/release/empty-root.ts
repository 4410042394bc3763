// Makes a root file system that holds a release archive and nothing else but the C library's files, a shell and an ordinary user.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { eventually } from '../support/eventually.ts';

/** The service's user in it. */
const USER = 1000;
const DEVICES = ['null', 'zero', 'urandom'];
/** The programs that the launcher and the embedded database call, which every system has. */
const APPLETS = ['sh', 'readlink', 'dirname', 'mkfifo', 'chmod', 'sleep'];

/** Runs in namespaces of its own: the root is read-only but for the data and /tmp, and all of it is gone with the process. */
const ENTER = `set -e
mount --bind "$0" "$0"
mount -o remount,bind,ro "$0"
mount -t proc proc "$0/proc"
mount -t tmpfs -o mode=1777 tmp "$0/tmp"
mount --bind "$0.data" "$0/data"
for device in ${DEVICES.join(' ')}; do mount --bind "/dev/$device" "$0/dev/$device"; done
exec /usr/sbin/chroot --userspec=${USER}:${USER} "$0" "$@"`;

export type EmptyRoot = {
  readonly path: string;
  /** Outside of it, so that it can be read while the root is another process's. */
  readonly data: string;
  /** The release in it, such as `/opt/leadmarket-0.1.0`. */
  readonly home: string;
};

export type Entered = {
  readonly output: () => string;
  readonly ended: Promise<{ readonly code: number | null }>;
  /** To the first process in it. */
  signal(name: NodeJS.Signals): Promise<void>;
};

/** Without a release in it; needs root, and busybox. `home` is the release's folder there. */
export function makeEmptyRoot(path: string, home: string): EmptyRoot {
  for (const folder of ['bin', 'dev', 'etc', 'opt', 'proc', 'tmp', 'data']) {
    mkdirSync(join(path, folder), { recursive: true });
  }
  writeFileSync(join(path, 'etc/passwd'), `leadmarket:x:${USER}:${USER}::/:/bin/sh\n`);
  writeFileSync(join(path, 'etc/group'), `leadmarket:x:${USER}:\n`);
  for (const device of DEVICES) writeFileSync(join(path, 'dev', device), '');
  copyFileSync('/bin/busybox', join(path, 'bin/busybox'));
  copyLibraries(path, '/bin/busybox');
  for (const applet of APPLETS) symlinkSync('busybox', join(path, 'bin', applet));
  const data = `${path}.data`;
  mkdirSync(data);
  chownSync(data, USER, USER);
  chmodSync(data, 0o700);
  return { path, data, home };
}

/** The libraries of the system that a program is linked to; those inside of the release are there already. */
export function copyLibraries(root: string, program: string): void {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  for (const [library] of stdout.matchAll(/(?<=\s)\/(?:usr\/)?lib\S*/g)) {
    const copy = join(root, library);
    if (existsSync(copy)) continue;
    mkdirSync(dirname(copy), { recursive: true });
    // Follows the links that libraries are.
    copyFileSync(library, copy);
  }
}

/** Runs `bin/leadmarket` in it with these variables and no others but a PATH with nothing but the shell's. */
export function runInside({ path, home }: EmptyRoot, argv: readonly string[], env: Record<string, string>): Entered {
  const inside = ['/bin/sh', '-c', ENTER, path, `${home}/bin/leadmarket`, ...argv];
  const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', ...inside], {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => (text += more));
  }
  const ended = new Promise<{ code: number | null }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code }));
  });
  return {
    output: () => text,
    ended,
    async signal(name) {
      const first = await eventually('a process has entered the root', () => childOf(child.pid ?? 0));
      process.kill(first, name);
    },
  };
}

function childOf(pid: number): number | null {
  const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return first === undefined || first === '' ? null : Number(first);
}

/** A 64-bit ELF file's machine: 62 for x64, 183 for arm64. */
export function machineOf(file: string): number {
  return execFileSync('head', ['--bytes=20', file]).readUInt16LE(18);
}
