// Tests the files for containers, Kubernetes, systemd and proxies against the service: variables, ports, paths, roles and limits.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

import { readSource } from '../support/tidy/source-text.ts';
import type { Json } from '../support/scope-app.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

/** Of the launcher and of Node itself. */
const OF_THE_LAUNCHER = ['NODE_COMPILE_CACHE', 'UV_THREADPOOL_SIZE', 'LEADMARKET_NODE'];
/** The longest that the service takes from SIGTERM on. */
const STOP_SECONDS = 30;

const manifests = readdirSync(join(ROOT, 'ops/kubernetes')).flatMap((file) =>
  parseAllDocuments(read(`ops/kubernetes/${file}`)).map((document): Json => document.toJS()),
);
const ofKind = (kind: string): Json[] => manifests.filter((manifest) => manifest.kind === kind);
const podOf = (workload: Json): Json => workload.spec.template.spec;
const workloads = [...ofKind('Deployment'), ...ofKind('Job')];
const compose: Json = parse(read('compose.yaml'), { merge: true });
const workers: Json = parse(read('compose.workers.yaml'), { merge: true });
const units = readdirSync(join(ROOT, 'ops/systemd')).map((file) => [file, read(`ops/systemd/${file}`)] as const);

let known: Set<string>;
beforeAll(() => {
  const { literals } = readSource('config.ts', read('src/platform/config.ts'));
  const names = literals.map(({ text }) => text).filter((text) => /^[A-Z][A-Z_]*[A-Z]$/.test(text));
  const secrets = ['DATABASE_URL', 'DATABASE_REPLICA_URL', 'SMTP_URL', 'SMS_ACCOUNT', 'SMS_TOKEN', 'SECRETS_KEY'];
  known = new Set([...names, ...secrets.map((name) => `${name}_FILE`), ...OF_THE_LAUNCHER]);
});

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => statSync(join(ROOT, path)).isFile());
}

const unknown = (names: readonly string[]): string[] => names.filter((name) => !known.has(name));
/** Deployed services that run the program of this repository. */
const composed = (file: Json): Array<[string, Json]> =>
  Object.entries(file.services as Record<string, Json>).filter(([name]) => name !== 'postgres');

describe('The deployment files', () => {
  it('set no variable that the service does not read', () => {
    const image = [...read('Dockerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
      [...line.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name),
    );
    expect(image).toContain('HOST');
    expect(unknown(image)).toEqual([]);
    for (const file of [compose, workers]) {
      for (const [, { environment = {} }] of composed(file)) expect(unknown(Object.keys(environment))).toEqual([]);
    }
    for (const { data } of ofKind('ConfigMap')) expect(unknown(Object.keys(data))).toEqual([]);
    for (const workload of workloads) {
      const names = podOf(workload).containers.flatMap(({ env }: Json) => env.map(({ name }: Json) => name));
      expect(names).toContain('DATABASE_URL');
      expect(unknown(names)).toEqual([]);
    }
    for (const [, unit] of units) {
      const names = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
        line.split(' ').map((pair) => pair.split('=')[0] ?? ''),
      );
      expect(names).toContain('DEMO');
      expect(unknown(names)).toEqual([]);
    }
  });

  it('name this version', () => {
    const named = [read('Dockerfile'), read('compose.yaml'), read('compose.workers.yaml')].flatMap((text) =>
      [...text.matchAll(/leadmarket[:-](\d+\.\d+\.\d+)/g)].map(([, one]) => one),
    );
    const images = workloads.flatMap((workload) => podOf(workload).containers.map(({ image }: Json) => image));
    expect(new Set(named)).toEqual(new Set([version]));
    expect(new Set(images)).toEqual(new Set([`leadmarket:${version}`]));
    expect(ofKind('Job')[0].metadata.name).toBe(`leadmarket-migrate-${version.replaceAll('.', '-')}`);
  });

  it('give the service the time that it takes to stop', () => {
    const seconds = [...composed(compose), ...composed(workers)]
      .map(([, { stop_grace_period: grace }]) => grace)
      .filter((grace) => grace !== undefined);
    expect(seconds.length).toBeGreaterThan(1);
    for (const grace of seconds) expect(Number.parseInt(grace, 10)).toBeGreaterThan(STOP_SECONDS);
    for (const deployment of ofKind('Deployment')) {
      expect(podOf(deployment).terminationGracePeriodSeconds).toBeGreaterThan(STOP_SECONDS);
    }
    for (const [, unit] of units) {
      expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(STOP_SECONDS);
    }
  });

  it('start roles that the service has, and commands that exist', () => {
    const roles = /ROLES: readonly Role\[\] = \[(.*)\]/.exec(read('src/entry/serve.cli.ts'))?.[1]?.match(/\w+/g);
    const started = [
      ...ofKind('Deployment').map((one) => podOf(one).containers[0].args),
      ...[...composed(compose), ...composed(workers)]
        .map(([, { command }]) => command)
        .filter((c) => c?.[0] === 'serve'),
      ...units.map(([, unit]) => /^ExecStart=\S+ (.*)$/m.exec(unit)?.[1]?.split(' ')),
    ];
    expect(started).toHaveLength(7);
    for (const [command, flag, role] of started) {
      expect(command).toBe('serve');
      if (flag !== undefined) expect([flag, roles?.includes(role)]).toEqual(['--role', true]);
    }
    expect(podOf(ofKind('Job')[0]).containers[0].args).toEqual(['migrate']);
  });
});

describe('The paths in the deployment files', () => {
  const named = ['Dockerfile', 'compose.yaml', 'compose.workers.yaml', ...filesOf('ops')].flatMap((file) =>
    // Without patterns of the shell.
    [...read(file).matchAll(/\/opt\/leadmarket\/([\w./-]*\w)(?=[\s"',\]])/g)].map(([, path = '']) => ({ file, path })),
  );

  it('under /opt/leadmarket are files of a release', () => {
    const parts = /^const PARTS = \[(.*)\];$/m.exec(read('ops/release/release.ts'))?.[1] ?? '';
    expect(named.length).toBeGreaterThan(8);
    for (const { file, path } of named) {
      expect(existsSync(join(ROOT, path)), `${file} names ${path}`).toBe(true);
      const [folder = ''] = path.split('/', 1);
      expect(parts.includes(`'${folder}`), `${path} is in the release`).toBe(true);
    }
  });

  it('of programs are executable', () => {
    const programs = named.filter(({ path }) => path.startsWith('bin/') || path.endsWith('.sh'));
    expect(programs.length).toBeGreaterThan(3);
    for (const { path } of programs) expect(statSync(join(ROOT, path)).mode & 0o111, path).toBe(0o111);
  });

  it('of the image are copied from the archive that the release makes', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY --from=(\w+) (?:--\S+ )?(\S+) /gm)];
    expect(copied).toHaveLength(3);
    for (const [, stage, path = ''] of copied) {
      expect(read('Dockerfile')).toContain(` AS ${stage}\n`);
      // Made in that stage: by mv or mkdir.
      expect(/^RUN (.*)$/m.exec(read('Dockerfile'))?.[1]).toMatch(new RegExp(` ${path}(?: |$)`));
    }
    expect(read('Dockerfile')).toContain(`ARCHIVE=dist/leadmarket-${version}-linux-x64.tar.gz`);
    expect(read('ops/release/release.ts')).toContain('`leadmarket-${version}-linux-${arch}`');
  });
});

describe('The Kubernetes manifests', () => {
  it('probe paths and ports that the image has', () => {
    const routes = [...read('src/platform/http/health.route.ts').matchAll(/app\.get\('(\S+)'/g)].map(
      ([, path]) => path,
    );
    const exposed = /^EXPOSE (.*)$/m.exec(read('Dockerfile'))?.[1]?.split(' ').map(Number);
    for (const deployment of ofKind('Deployment')) {
      const [container] = podOf(deployment).containers;
      const ports = new Map(container.ports.map(({ name, containerPort }: Json) => [name, containerPort]));
      for (const port of ports.values()) expect(exposed).toContain(port);
      for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
        expect(routes).toContain(probe.httpGet.path);
        expect(ports.has(probe.httpGet.port)).toBe(true);
      }
    }
    expect(ofKind('ConfigMap')[0].data.STATUS_HOST).toBe('0.0.0.0');
  });

  it('select the pods that they mean, and keep one of each role', () => {
    const labels = ofKind('Deployment').map((one) => one.spec.template.metadata.labels);
    expect(labels).toEqual(ofKind('Deployment').map((one) => one.spec.selector.matchLabels));
    expect(ofKind('PodDisruptionBudget').map((one) => one.spec.selector.matchLabels)).toEqual(labels);
    for (const { spec } of ofKind('PodDisruptionBudget')) expect(spec.minAvailable).toBe(1);
    for (const { spec } of ofKind('Deployment')) expect(spec.replicas).toBeGreaterThan(1);
    expect(labels).toContainEqual(ofKind('Service')[0].spec.selector);
  });

  it('run as an ordinary user with a read-only root, and contain no secret', () => {
    const user = /^USER (\d+):(\d+)$/m.exec(read('Dockerfile'));
    for (const pod of workloads.map(podOf)) {
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user?.[1]) });
      for (const { securityContext, env } of pod.containers) {
        expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
        expect(env.filter(({ value }: Json) => value !== undefined)).toEqual([]);
      }
    }
    expect(ofKind('Secret')).toEqual([]);
  });
});

describe('The compose files', () => {
  it('run the service the same way in every container', () => {
    const of = ({ image, restart, read_only, tmpfs, cap_drop, security_opt, init, mem_limit, environment }: Json) => ({
      ...{ image, restart, read_only, tmpfs, cap_drop, security_opt, init, mem_limit, environment },
    });
    expect(of(workers.services.worker)).toEqual(of(compose.services.leadmarket));
    expect(of(compose.services.backup)).toEqual(of(compose.services.leadmarket));
    expect(compose.services.leadmarket.read_only).toBe(true);
  });

  it('take secrets from files, and publish the API on loopback only', () => {
    expect(Object.keys(compose.secrets)).toEqual(['database_url', 'postgres_password']);
    expect(compose.services.leadmarket.ports).toEqual(['127.0.0.1:3000:3000']);
  });
});

describe('The proxies’ configurations', () => {
  const CHANGE_BYTES = Number(
    /CHANGE_BYTES = ([\d_]+)/.exec(read('src/console/changes.schema.ts'))?.[1]?.replaceAll('_', ''),
  );
  const KEEP_ALIVE =
    Number(/KEEP_ALIVE_MS = ([\d_]+)/.exec(read('src/platform/http/node-server.ts'))?.[1]?.replaceAll('_', '')) / 1000;
  const STALL =
    Number(/stallMs: ([\d_]+)/.exec(read('src/platform/http/node-server.ts'))?.[1]?.replaceAll('_', '')) / 1000;
  const number = (file: string, pattern: RegExp): number => Number(pattern.exec(read(file))?.[1]);

  it('let the largest body through', () => {
    expect(number('ops/haproxy.cfg', /body_size gt (\d+)/)).toBeGreaterThan(CHANGE_BYTES);
    expect(number('ops/nginx.conf', /client_max_body_size (\d+)k/) * 1024).toBeGreaterThan(CHANGE_BYTES);
  });

  it('wait longer than the service does, and keep idle connections shorter', () => {
    for (const pattern of [/timeout server (\d+)s/, /timeout client (\d+)s/]) {
      expect(number('ops/haproxy.cfg', pattern)).toBeGreaterThan(STALL);
    }
    expect(number('ops/nginx.conf', /proxy_read_timeout (\d+)s/)).toBeGreaterThan(STALL);
    expect(number('ops/haproxy.cfg', /timeout http-keep-alive (\d+)s/)).toBeLessThan(KEEP_ALIVE);
    expect(number('ops/nginx.conf', /^ {2}keepalive_timeout (\d+)s/m)).toBeLessThan(KEEP_ALIVE);
  });

  it('ask the other servers for a script that one of another release does not have, and for nothing else', () => {
    const assets = /location \/assets\/ \{[^}]*\}/.exec(read('ops/nginx.conf'))?.[0] ?? '';
    expect(assets).toContain('proxy_next_upstream error timeout http_404;');
    expect(read('ops/nginx.conf').split('http_404')).toHaveLength(2);
    const scripts = /^backend scripts\n[^]*$/m.exec(read('ops/haproxy.cfg'))?.[0] ?? '';
    expect(scripts).toContain('retry-on conn-failure response-timeout 404\n');
    expect(read('ops/haproxy.cfg').match(/^ +retry-on .*404/gm)).toHaveLength(1);
  });
});
