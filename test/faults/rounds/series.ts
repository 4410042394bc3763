// Runs the rounds of one fault: load, the fault, recovery, and the comparison of all results.
import { setTimeout as sleep } from 'node:timers/promises';

import { sized } from '../../../bench/support/size.ts';
import { chance } from '../../support/chance.ts';
import { countOpen, findContradictions, measureRecovery, type Recovery } from './check.ts';
import { type Endpoints, startEndpoints } from './endpoints.ts';
import type { Fault } from './faults.ts';
import { openSuppliers, type Suppliers } from './load.ts';
import { marketYaml } from './market.ts';
import { openOnDisk, openProcesses, type Stage } from './stage.ts';
import { type Postgres, SERVICE_ROLE } from './postgres.ts';

export type SeriesOptions = {
  readonly directory: string;
  readonly postgres: Postgres;
  readonly rounds: number;
  /** Leads. */
  readonly perSecond: number;
  readonly seed: number;
  readonly goals: Goals;
  readonly progress: (message: string) => void;
};

export type Goals = {
  /** Seconds, for leads that the fault does not delay. */
  readonly others: number;
  /** Seconds, for leads that it delays. */
  readonly own: number;
  /** A result that takes this many times longer is a failure; one that only exceeds the goal is late. */
  readonly room: number;
};

export type Round = {
  readonly hit: string;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  readonly unasked: number;
  /** Not in a final state at the time limit. */
  readonly open: number;
  readonly wrongResponses: number;
  /** Requests that repeated a lead under its webhook-id. */
  readonly sentAgain: number;
  readonly recovery: Recovery;
  /** All broken promises, in words. */
  readonly failures: readonly string[];
  /** Results beyond the goal, but within the allowance for a busy machine. */
  readonly late: readonly string[];
};

export type Series = {
  readonly fault: Fault;
  readonly rounds: readonly Round[];
  readonly responses: ReadonlyMap<string, number>;
  /** Why the fault had no effect; null if it had one. */
  readonly skipped: string | null;
};

const WARM_UP_MS = sized(4000, 1000);
const AFTERWARDS_MS = sized(6000, 1500);
/** From the end of the load until every lead has its final state. Leads that take longer are reported as open. */
const SETTLE_WITHIN_MS = 120_000;
/** Of a whole round, plus the duration of its fault: the end of all waiting. */
const ROUND_WITHIN_MS = 8 * 60_000;
/** The capped offer gets six of ten leads that compete for it, and these are half of seven in eight. */
const CAPPED_SHARE = 0.6 * 0.5 * (7 / 8);

/** Never rejects: an error is a failed round. */
export async function runSeries(fault: Fault, options: SeriesOptions): Promise<Series> {
  try {
    return await setUpAndRun(fault, options);
  } catch (error) {
    const round = brokenOff(error);
    options.progress(`${fault.name}: ${inWords(round)}`);
    return { fault, rounds: [round], responses: new Map(), skipped: null };
  }
}

async function setUpAndRun(fault: Fault, options: SeriesOptions): Promise<Series> {
  const { directory, postgres, rounds, perSecond } = options;
  const endpoints = await startEndpoints();
  try {
    const seconds = (WARM_UP_MS + AFTERWARDS_MS) / 1000 + fault.seconds;
    const cap = Math.max(1, Math.floor(perSecond * seconds * CAPPED_SHARE));
    const plan = { yaml: marketYaml(endpoints.origin, rounds, cap), webhookOrigin: endpoints.origin };
    const stage =
      fault.stage === 'disk'
        ? await openOnDisk(directory, plan)
        : await openProcesses(postgres, `faults_${fault.name.replaceAll('-', '_')}`, plan);
    if (stage === null) {
      return { fault, rounds: [], responses: new Map(), skipped: 'this user may not mount a file system' };
    }
    try {
      return await runRounds(fault, { ...options, stage, endpoints, cap });
    } finally {
      await stage.close();
    }
  } finally {
    await endpoints.close();
  }
}

type RoundSetup = SeriesOptions & { readonly stage: Stage; readonly endpoints: Endpoints; readonly cap: number };

async function runRounds(fault: Fault, roundSetup: RoundSetup): Promise<Series> {
  const { stage, rounds, perSecond, progress } = roundSetup;
  const urls = stage.market.members.map(({ url }) => url).filter((url) => url !== '');
  const suppliers = openSuppliers({ urls, keys: stage.keys, perSecond });
  const done: Round[] = [];
  try {
    for (let index = 0; index < rounds; index += 1) {
      const round = await within(ROUND_WITHIN_MS, runRound(fault, index, { ...roundSetup, suppliers })).catch(
        brokenOff,
      );
      done.push(round);
      progress(`${fault.name} ${index + 1}/${rounds} (${round.hit}): ${inWords(round)}`);
      if (round.hit === BROKEN_OFF) return { fault, rounds: done, responses: suppliers.responses, skipped: null };
    }
    const broken = await stopInstance(stage);
    const last = done.at(-1);
    if (broken.length > 0 && last !== undefined) {
      done[done.length - 1] = { ...last, failures: [...last.failures, ...broken] };
      progress(broken.join('; '));
    }
  } finally {
    await suppliers.close();
  }
  return { fault, rounds: done, responses: suppliers.responses, skipped: null };
}

async function runRound(
  fault: Fault,
  index: number,
  roundSetup: RoundSetup & { suppliers: Suppliers },
): Promise<Round> {
  const { stage, endpoints, suppliers, cap, seed, goals } = roundSetup;
  const { market } = stage;
  const before = {
    offered: suppliers.offered.length,
    wrong: suppliers.wrong.length,
    unasked: market.unasked.length,
    sentAgain: countAgain(endpoints),
  };
  const load = suppliers.begin(index);
  await sleep(WARM_UP_MS);
  const setting = { market, admin: stage.admin, disk: stage.disk, round: index, chance: chance(seed * 1000 + index) };
  const faultRun = await fault.run(setting);
  await sleep(AFTERWARDS_MS);
  await load.stop(SETTLE_WITHIN_MS / 2);
  const open = await settle(stage, suppliers);
  await market.whole();
  // With dead connections still holding locks, the next round would show this one's failure.
  for (const line of market.lines) line.clearDead();
  if (open > 0) await endSessions(stage);
  const sources = { database: stage.database, suppliers, endpoints };
  const { lost, doubled, contradictions } = await findContradictions(sources, { round: index, leads: cap });
  const recovery = measureRecovery(sources, index, faultRun);
  const unasked = market.unasked.slice(before.unasked);
  const wrong = suppliers.wrong.slice(before.wrong);
  const slow = [
    ...lateness('leads offered afterwards', recovery.others, goals.others),
    ...lateness('leads under way', recovery.own, goals.own),
  ];
  return {
    hit: faultRun.hit,
    acknowledged: suppliers.offered.slice(before.offered).filter(({ acknowledgedAt }) => acknowledgedAt !== null)
      .length,
    lost,
    doubled,
    unasked: unasked.length,
    open,
    wrongResponses: wrong.length,
    sentAgain: countAgain(endpoints) - before.sentAgain,
    recovery,
    failures: [
      ...contradictions,
      ...(open > 0 ? [`${open} leads or sendings open ${SETTLE_WITHIN_MS / 1000} s after the load`] : []),
      ...unasked,
      ...wrong.slice(0, 3),
      ...(faultRun.broken ?? []),
      ...slow.filter(({ times }) => times > goals.room).map(({ words }) => words),
    ],
    late: slow.filter(({ times }) => times <= goals.room).map(({ words }) => words),
  };
}

const BROKEN_OFF = 'broken off';

/** An aborted round has no result for its leads, and is a failure of the series. */
function brokenOff(error: unknown): Round {
  const why = error instanceof Error ? error.message : String(error);
  const nothing = { acknowledged: 0, lost: 0, doubled: 0, unasked: 0, open: 0, wrongResponses: 0, sentAgain: 0 };
  const recovery = { writes: null, others: null, own: null };
  return { ...nothing, recovery, hit: BROKEN_OFF, failures: [`the round broke off: ${why}`], late: [] };
}

type Lateness = { readonly times: number; readonly words: string };

function lateness(what: string, ms: number | null, seconds: number): Lateness[] {
  if (ms === null || ms <= seconds * 1000) return [];
  return [{ times: ms / (seconds * 1000), words: `${what} took ${(ms / 1000).toFixed(1)} s, more than ${seconds} s` }];
}

const countAgain = ({ sold }: Endpoints): number =>
  [...sold.values()].reduce((sum, { requests, partner }) => sum + (partner === 'shaky' ? 0 : requests - 1), 0);

/** Returns the leads and deliveries that are still open at the end. */
async function settle({ database }: Stage, { offered }: Suppliers): Promise<number> {
  const deadline = Date.now() + SETTLE_WITHIN_MS;
  for (;;) {
    const open = await countOpen(database, offered);
    if (open === 0 || Date.now() > deadline) return open;
    await sleep(250);
  }
}

async function endSessions({ admin, database }: Stage): Promise<void> {
  await admin?.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1 AND application_name LIKE 'leadmarket %'`,
    [SERVICE_ROLE],
  );
  const deadline = Date.now() + SETTLE_WITHIN_MS / 2;
  while (Date.now() < deadline && (await countOpen(database, [])) > 0) await sleep(250);
}

async function stopInstance({ market }: Stage): Promise<string[]> {
  const endings = await Promise.all(market.members.map((member) => member.stop()));
  return endings.flatMap(({ code, signal, ms }, index) =>
    code === 0
      ? []
      : [`${market.members[index]?.name} ended ${(ms / 1000).toFixed(1)} s after SIGTERM with ${code ?? signal}`],
  );
}

function inWords({ acknowledged, recovery, failures, late }: Round): string {
  const { writes, others, own } = recovery;
  const seconds = (ms: number | null): string => (ms === null ? '–' : `${(ms / 1000).toFixed(1)} s`);
  const verdict =
    failures.length > 0 ? `FAILS: ${failures.join('; ')}` : late.length > 0 ? `late: ${late.join('; ')}` : 'holds';
  return `${acknowledged} acknowledged, writes ${seconds(writes)}, others ${seconds(others)}, own ${seconds(own)}: ${verdict}`;
}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the round took longer than ${ms / 60_000} minutes`)), ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
