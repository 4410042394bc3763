// The faults of the cluster test: what is killed, frozen, cut off, moved or filled up, and how long until it is put right.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Market } from '../faults/rounds/instance.ts';
import type { Cluster } from './cluster.ts';
import { cutOff, DATABASES, ETCDS, killAll, type Machine, reconnect, SERVICE, signalAll } from './network.ts';

export type Setting = { readonly cluster: Cluster; readonly market: Market; readonly round: number };

export type Fault = {
  readonly name: string;
  /** One line for the table. */
  readonly title: string;
  /** Seconds that writes may be away, in the median and in the worst round; null where the fault itself decides it. */
  readonly goal: { readonly median: number; readonly worst: number } | null;
  /** Resolves when everything that was killed or cut is there again; returns what was hit, and broken promises. */
  readonly run: (setting: Setting) => Promise<{ readonly hit: string; readonly broken?: readonly string[] }>;
};

const LOSS = { median: 10, worst: 30 };
/** Connections to a leader that has gone silent are given up after 20 s where no proxy closes them. */
const SILENT_LOSS = { median: 30, worst: 30 };
/** Longer than the leader's key lives, and than a promotion takes. */
const OUTAGE_MS = 20_000;
/** Longer than the service waits for a response, so that writes have to come back while the leader is still silent. */
const SILENCE_MS = 40_000;
const SHORT_MS = 12_000;
const STOP_WITHIN_MS = 30_000;

const othersThan = (node: Machine): readonly Machine[] => DATABASES.filter(({ name }) => name !== node.name);

type Partition = Pick<Fault, 'name' | 'title' | 'goal'> & {
  readonly ms: number;
  readonly from: (leader: Machine) => readonly Machine[];
};

/** Cuts the leader off from others for a while. */
function partition({ ms, from, ...fault }: Partition): Fault {
  return {
    ...fault,
    async run({ cluster }) {
      const leader = await cluster.leader();
      cutOff(leader, from(leader));
      try {
        await sleep(ms);
      } finally {
        reconnect(leader);
      }
      return { hit: leader.name };
    },
  };
}

export const faults: readonly Fault[] = [
  {
    name: 'kill',
    title: 'SIGKILL of the leader: Patroni and PostgreSQL, back after 12 s',
    goal: LOSS,
    async run({ cluster }) {
      const leader = await cluster.leader();
      await killAll(leader);
      await sleep(SHORT_MS);
      cluster.startDatabase(leader);
      return { hit: leader.name };
    },
  },
  {
    name: 'freeze',
    title: 'SIGSTOP of the leader for 40 s: Patroni and PostgreSQL',
    goal: SILENT_LOSS,
    async run({ cluster }) {
      const leader = await cluster.leader();
      signalAll(leader, 'SIGSTOP');
      try {
        await sleep(SILENCE_MS);
      } finally {
        signalAll(leader, 'SIGCONT');
      }
      return { hit: leader.name };
    },
  },
  partition({
    name: 'no-etcd',
    title: 'The leader is cut off from etcd for 20 s',
    goal: null,
    ms: OUTAGE_MS,
    from: () => ETCDS,
  }),
  partition({
    name: 'no-standby',
    title: 'The leader is cut off from both standbys for 20 s',
    goal: null,
    ms: OUTAGE_MS,
    from: othersThan,
  }),
  partition({
    name: 'no-service',
    title: 'The leader is cut off from the service and HAProxy for 20 s',
    goal: null,
    ms: OUTAGE_MS,
    from: () => [SERVICE],
  }),
  partition({
    name: 'alone',
    title: 'The leader is cut off from everything for 40 s',
    goal: SILENT_LOSS,
    ms: SILENCE_MS,
    from: (leader) => [...othersThan(leader), ...ETCDS, SERVICE],
  }),
  {
    name: 'etcd',
    title: 'SIGKILL of one etcd member, back after 12 s',
    goal: null,
    async run({ cluster, round }) {
      const member = ETCDS[round % ETCDS.length] as Machine;
      await killAll(member);
      await sleep(SHORT_MS);
      cluster.startEtcd(member);
      return { hit: member.name };
    },
  },
  {
    name: 'etcd-all',
    title: 'SIGKILL of all etcd members, back after 20 s',
    goal: null,
    async run({ cluster }) {
      await Promise.all(ETCDS.map(killAll));
      await sleep(OUTAGE_MS);
      ETCDS.forEach(cluster.startEtcd);
      return { hit: 'etcd' };
    },
  },
  {
    name: 'etcd-lost',
    title: 'All etcd members lose their data, and begin anew after 12 s',
    goal: null,
    async run({ cluster }) {
      await Promise.all(ETCDS.map(killAll));
      for (const member of ETCDS) rmSync(join(cluster.diskOf(member), 'data'), { recursive: true });
      await sleep(SHORT_MS);
      ETCDS.forEach(cluster.startEtcd);
      return { hit: 'etcd' };
    },
  },
  {
    name: 'switchover',
    title: '`patronictl switchover`',
    goal: LOSS,
    async run({ cluster }) {
      return { hit: await cluster.switchOver() };
    },
  },
  {
    name: 'rolling',
    title: 'Rolling restart: API, workers, etcd, HAProxy, standbys, and the leader after a switchover',
    goal: LOSS,
    run: restartAll,
  },
  {
    name: 'disk',
    title: 'The disk of the leader is full for 20 s',
    goal: null,
    async run({ cluster }) {
      const leader = await cluster.leader();
      const filler = join(cluster.diskOf(leader), 'filler');
      const until = Date.now() + OUTAGE_MS;
      // Repeatedly, as the server frees space when it ends.
      while (Date.now() < until) {
        fill(filler);
        await sleep(500);
      }
      rmSync(filler);
      return { hit: leader.name };
    },
  },
];

/** Writes until the file system is full. */
function fill(file: string): void {
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M', 'oflag=append', 'conv=notrunc'], { stdio: 'ignore' });
  } catch (error) {
    // dd ends with 1 when nothing more fits.
    if (!(error instanceof Error && 'status' in error && error.status === 1)) throw error;
  }
}

async function restartAll({ cluster, market }: Setting): ReturnType<Fault['run']> {
  const broken: string[] = [];
  for (const member of market.members) {
    const { code, signal, ms } = await member.stop(STOP_WITHIN_MS);
    if (code !== 0)
      broken.push(`${member.name} ended ${(ms / 1000).toFixed(1)} s after SIGTERM with ${code ?? signal}`);
    await member.start();
  }
  for (const etcd of ETCDS) {
    await cluster.stopEtcd(etcd);
    cluster.startEtcd(etcd);
    await cluster.whole();
  }
  cluster.reloadProxy();
  const first = await cluster.leader();
  for (const node of othersThan(first)) {
    await restart(cluster, node);
  }
  await cluster.switchOver();
  await cluster.whole();
  await restart(cluster, first);
  return { hit: 'everything', broken };
}

async function restart(cluster: Cluster, node: Machine): Promise<void> {
  await cluster.stopDatabase(node);
  cluster.startDatabase(node);
  await cluster.whole();
}
