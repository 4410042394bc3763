// Starts nginx and HAProxy with the configurations of ops/ in front of given ports: on loopback, with the tests' certificate for HAProxy
// and nginx alike, and otherwise as they are shipped.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import { freePort } from '../faults/rounds/postgres.ts';
import { eventually } from '../support/eventually.ts';

const OPS = join(import.meta.dirname, '../../ops');
const TLS = join(import.meta.dirname, '../support/tls');

export type Proxy = {
  /** `https://127.0.0.1:…` */
  readonly url: string;
  /** Resolves when HAProxy uses the server with this number; at once for nginx, which checks none. */
  sees(index: number): Promise<void>;
  stop(): Promise<void>;
};

type Written = { readonly file: string; readonly port: number };

/** `ports`: of two APIs. */
export async function writeHaproxy(
  directory: string,
  ports: readonly number[],
): Promise<Written & { readonly stats: string }> {
  const port = await freePort();
  const folder = join(directory, 'haproxy');
  mkdirSync(folder, { recursive: true });
  const pem = ['receiver-cert.pem', 'receiver-key.pem'].map((name) => readFileSync(join(TLS, name), 'utf8'));
  writeFileSync(join(folder, 'both.pem'), pem.join('\n'));
  const stats = join(folder, 'stats');
  const config = withPorts(readFileSync(join(OPS, 'haproxy.cfg'), 'utf8'), ports)
    .replace('lower leads.example.com\n', 'lower 127.0.0.1\n')
    .replace('log /dev/log local0', `stats socket ${stats}`)
    .replace('bind :80\n', `bind 127.0.0.1:${await freePort()}\n`)
    .replace('bind :443 ssl crt /etc/haproxy/certs/', `bind 127.0.0.1:${port} ssl crt ${folder}/both.pem`);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, config);
  return { file, port, stats };
}

export async function startHaproxy(directory: string, ports: readonly number[]): Promise<Proxy> {
  const { file, port, stats } = await writeHaproxy(directory, ports);
  const stop = run('haproxy', ['-q', '-f', file]);
  const sees = async (index: number): Promise<void> => {
    await eventually(`HAProxy uses server ${index + 1}`, async () => {
      const text = await statisticsOf(stats).catch(() => '');
      return new RegExp(`^api,api${index + 1},(?:[^,]*,){15}UP`, 'm').test(text);
    });
  };
  for (const index of ports.keys()) await sees(index);
  return { url: `https://127.0.0.1:${port}`, sees, stop };
}

/** `ports`: of two APIs. `log`: where errors go, also while nginx reads its configuration. */
export async function writeNginx(
  directory: string,
  ports: readonly number[],
): Promise<Written & { readonly log: string }> {
  const port = await freePort();
  const folder = join(directory, 'nginx');
  mkdirSync(folder, { recursive: true });
  const server = withPorts(readFileSync(join(OPS, 'nginx.conf'), 'utf8'), ports)
    .replaceAll(/^ +listen \[::\].*\n/gm, '')
    .replaceAll('server_name leads.example.com;', 'server_name 127.0.0.1;')
    .replaceAll('listen 80', `listen 127.0.0.1:${await freePort()}`)
    .replaceAll('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replaceAll(/ssl_certificate \S+;/g, `ssl_certificate "${join(TLS, 'receiver-cert.pem')}";`)
    .replaceAll(/ssl_certificate_key \S+;/g, `ssl_certificate_key "${join(TLS, 'receiver-key.pem')}";`);
  const log = join(folder, 'error.log');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const config = `
user root;
daemon off;
pid ${folder}/nginx.pid;
error_log ${log};
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
${server}
}
`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, config);
  return { file, port, log };
}

export async function startNginx(directory: string, ports: readonly number[]): Promise<Proxy> {
  const { file, port, log } = await writeNginx(directory, ports);
  const stop = run('nginx', ['-c', file, '-e', log]);
  await eventually('nginx listens', () => isOpen(port));
  return { url: `https://127.0.0.1:${port}`, sees: () => Promise.resolve(), stop };
}

const withPorts = (config: string, ports: readonly number[]): string =>
  config.replaceAll(/127\.0\.0\.1:300([12])/g, (_, number: string) => `127.0.0.1:${ports[Number(number) - 1]}`);

function run(program: string, args: readonly string[]): () => Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}

function statisticsOf(socket: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const line = connect(socket, () => line.end('show stat\n'));
    line.setEncoding('utf8').on('data', (more: string) => (text += more));
    line.once('error', reject);
    line.once('close', () => resolve(text));
  });
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const line = connect(port, '127.0.0.1', () => resolve(true));
    line.once('error', () => resolve(false));
    line.once('connect', () => line.destroy());
  });
}
