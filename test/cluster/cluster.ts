// Starts etcd, Patroni and HAProxy with the configuration of ops/cluster/, and stops, kills and moves them.
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import pg from 'pg';

import { eventually } from '../support/eventually.ts';
import { DATABASES, ETCDS, type Machine, run, runLogged, runOn, SERVICE } from './network.ts';

export type Cluster = {
  /** What the service connects to: all servers, or HAProxy's port for writes. */
  readonly urls: { readonly hosts: string; readonly haproxy: string };
  /** Past HAProxy, with the rights of the service. */
  urlOf(node: Machine): string;
  /** HAProxy in front of the API processes. */
  readonly origin: string;
  /** The node that takes writes, as the nodes themselves say it. */
  leader(): Promise<Machine>;
  /** Resolves when all three nodes run on one timeline, one standby is synchronous, and all members of etcd respond. */
  whole(): Promise<void>;
  startDatabase(node: Machine): void;
  /** SIGTERM to Patroni, which stops PostgreSQL, and the wait for its end. */
  stopDatabase(node: Machine): Promise<void>;
  startEtcd(member: Machine): void;
  stopEtcd(member: Machine): Promise<void>;
  /** `patronictl switchover`. */
  switchOver(): Promise<string>;
  reloadProxy(): void;
  /** Where the data of a machine are; of a database node it is a file system of its own. */
  diskOf(machine: Machine): string;
};

export const API_PORTS = [3001, 3002] as const;

const CONFIGURATION = join(import.meta.dirname, '../../ops/cluster');
const PATRONI_FILE = join(CONFIGURATION, 'patroni.yaml');
/** As in that file. */
const SCOPE = 'leadmarket';
const PROGRAMS = '/usr/lib/postgresql/15/bin';
const [API_PORT, WRITES_PORT, READS_PORT] = [3000, 5000, 5001] as const;
const DISK = '1200m';
const WHOLE_WITHIN_MS = 180_000;
const ROLE = 'leadmarket';
const ETCD_CLIENTS = ETCDS.map(({ address }) => `${address}:2379`).join();

/** `directory`: an empty file system; `logs`: a folder outside of it. */
export async function startCluster({ directory, logs }: { directory: string; logs: string }): Promise<Cluster> {
  const passwords = { superuser: secret(), replication: secret(), service: secret() };
  const databases = new Map<string, ChildProcess>();
  const etcds = new Map<string, ChildProcess>();
  const diskOf = (machine: Machine): string => join(directory, machine.name);

  const startDatabase = (node: Machine): void => {
    const env = databaseEnv(node, diskOf(node), passwords);
    databases.set(node.name, runOn(node, ['patroni', PATRONI_FILE], { logs, env }));
  };
  const startEtcd = (member: Machine): void => {
    const env = etcdEnv(member, diskOf(member));
    etcds.set(member.name, runOn(member, ['/usr/bin/etcd'], { logs, env }));
  };

  for (const member of ETCDS) makeFolder(diskOf(member));
  for (const node of DATABASES) {
    mkdirSync(diskOf(node));
    run('mount', '-t', 'tmpfs', '-o', `size=${DISK}`, 'none', diskOf(node));
    run('chown', 'postgres:postgres', diskOf(node));
  }
  ETCDS.forEach(startEtcd);
  await eventually('etcd responds', () => isEtcdWhole());
  DATABASES.forEach(startDatabase);
  const proxy = runLogged(['haproxy', '-W', '-f', join(CONFIGURATION, 'haproxy.cfg')], 'haproxy', {
    logs,
    env: proxyEnv(),
  });
  await eventually('the cluster is whole', isWhole, { withinMs: WHOLE_WITHIN_MS });
  await createServiceDatabase(await findLeader(), passwords);
  const urlOf = (hosts: string): string => `postgresql://${ROLE}:${passwords.service}@${hosts}/${ROLE}?sslmode=disable`;

  return {
    urls: {
      hosts: urlOf(DATABASES.map(({ address }) => `${address}:5432`).join()),
      haproxy: urlOf(`${SERVICE.address}:${WRITES_PORT}`),
    },
    urlOf: ({ address }) => urlOf(`${address}:5432`),
    origin: `http://${SERVICE.address}:${API_PORT}`,
    leader: findLeader,
    async whole() {
      await eventually('the cluster is whole', isWhole, { withinMs: WHOLE_WITHIN_MS });
    },
    startDatabase,
    stopDatabase: (node) => stop(databases.get(node.name)),
    startEtcd,
    stopEtcd: (member) => stop(etcds.get(member.name)),
    async switchOver() {
      const leader = await findLeader();
      const argv = ['patronictl', '-c', PATRONI_FILE, 'switchover', '--force', '--leader', leader.name, SCOPE];
      run('env', `PATRONI_ETCD3_HOSTS=${ETCD_CLIENTS}`, ...argv);
      return leader.name;
    },
    reloadProxy() {
      proxy.kill('SIGUSR2');
    },
    diskOf,
  };
}

const secret = (): string => randomBytes(12).toString('hex');

function makeFolder(path: string): void {
  mkdirSync(path, { mode: 0o700 });
  run('chown', 'postgres:postgres', path);
}

type Passwords = { readonly superuser: string; readonly replication: string; readonly service: string };

/** The names of ops/cluster/patroni.env.example. */
export function databaseEnv({ name, address }: Machine, disk: string, passwords: Passwords): Record<string, string> {
  return {
    PATRONI_NAME: name,
    PATRONI_RESTAPI_LISTEN: `${address}:8008`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:8008`,
    PATRONI_ETCD3_HOSTS: ETCD_CLIENTS,
    PATRONI_POSTGRESQL_LISTEN: '0.0.0.0:5432',
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${address}:5432`,
    PATRONI_POSTGRESQL_DATA_DIR: join(disk, 'data'),
    PATRONI_POSTGRESQL_BIN_DIR: PROGRAMS,
    PATRONI_POSTGRESQL_PGPASS: join(disk, 'pgpass'),
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: passwords.replication,
  };
}

export function etcdEnv({ name, address }: Machine, directory: string): Record<string, string> {
  const shared = readFileSync(join(CONFIGURATION, 'etcd.env'), 'utf8').matchAll(/^(ETCD_\w+)=(.*)$/gm);
  return {
    ...Object.fromEntries([...shared].map(([, key = '', value = '']) => [key, value])),
    ETCD_NAME: name,
    ETCD_DATA_DIR: join(directory, 'data'),
    ETCD_LISTEN_PEER_URLS: `http://${address}:2380`,
    ETCD_INITIAL_ADVERTISE_PEER_URLS: `http://${address}:2380`,
    ETCD_LISTEN_CLIENT_URLS: `http://${address}:2379`,
    ETCD_ADVERTISE_CLIENT_URLS: `http://${address}:2379`,
    ETCD_INITIAL_CLUSTER: ETCDS.map((other) => `${other.name}=http://${other.address}:2380`).join(),
  };
}

export function proxyEnv(): Record<string, string> {
  const [first, second] = API_PORTS.map((port) => `127.0.0.1:${port}`);
  return {
    API_BIND: `${SERVICE.address}:${API_PORT}`,
    WRITES_BIND: `${SERVICE.address}:${WRITES_PORT}`,
    READS_BIND: `${SERVICE.address}:${READS_PORT}`,
    API1: first ?? '',
    API2: second ?? '',
    ...Object.fromEntries(DATABASES.map(({ address }, index) => [`DB${index + 1}`, address])),
    STATUS: CONFIGURATION,
  };
}

async function createServiceDatabase({ address }: Machine, passwords: Passwords): Promise<void> {
  const admin = new pg.Client({
    host: address,
    user: 'postgres',
    password: passwords.superuser,
    database: 'postgres',
    ssl: false,
  });
  await admin.connect();
  // Below max_connections, so that the operator can connect while commits wait for a standby.
  await admin.query(`CREATE ROLE ${ROLE} LOGIN CREATEROLE CONNECTION LIMIT 180 PASSWORD '${passwords.service}'`);
  await admin.query(`CREATE DATABASE ${ROLE} OWNER ${ROLE}`);
  await admin.end();
}

type Member = { readonly name: string; readonly role: string; readonly state: string; readonly timeline?: number };

async function findLeader(): Promise<Machine> {
  return eventually('a node is the leader', async () => {
    const statuses = await Promise.all(DATABASES.map(({ address }) => get(`http://${address}:8008/primary`)));
    return DATABASES.find((_, index) => statuses[index] !== null) ?? null;
  });
}

async function isWhole(): Promise<boolean> {
  const [etcd, ...views] = await Promise.all([
    isEtcdWhole(),
    ...DATABASES.map(({ address }) => get(`http://${address}:8008/cluster`)),
  ]);
  return etcd && views.every((view) => view !== null && membersAreWhole(view as { members?: Member[] }));
}

function membersAreWhole({ members = [] }: { members?: Member[] }): boolean {
  const count = (role: string): number => members.filter((member) => member.role === role).length;
  return (
    members.length === DATABASES.length &&
    members.every(({ state }) => state === 'running' || state === 'streaming') &&
    new Set(members.map(({ timeline }) => timeline)).size === 1 &&
    count('leader') === 1 &&
    count('sync_standby') === 1
  );
}

async function isEtcdWhole(): Promise<boolean> {
  const views = await Promise.all(ETCDS.map(({ address }) => get(`http://${address}:2379/health`)));
  return views.every((view) => (view as { health?: string } | null)?.health === 'true');
}

/** The JSON of a response 200, else null. */
async function get(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    const json: unknown = await response.json();
    return response.ok ? json : null;
  } catch {
    return null;
  }
}

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  await ended;
}
