// Runs the rounds of the cluster test: steady load through HAProxy, a fault, recovery, and the comparison of all results.
import { setTimeout as sleep } from 'node:timers/promises';

import { openDatabase } from '../../src/platform/database/database.ts';
import { countOpen, findContradictions } from '../faults/rounds/check.ts';
import type { Endpoints } from '../faults/rounds/endpoints.ts';
import type { Market } from '../faults/rounds/instance.ts';
import type { Suppliers } from '../faults/rounds/load.ts';
import { eventually } from '../support/eventually.ts';
import type { Cluster } from './cluster.ts';
import type { Fault } from './faults.ts';

export type Round = {
  readonly hit: string;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  readonly wrongResponses: number;
  /** 503 with Retry-After, and requests without a response. */
  readonly unavailable: number;
  readonly unanswered: number;
  /** Requests that repeated a lead under its webhook-id. */
  readonly sentAgain: number;
  /** Milliseconds: the longest time without a response 202, from the fault on. */
  readonly withoutWrites: number;
  /** All broken promises, in words. */
  readonly failures: readonly string[];
};

export type RoundSetup = {
  readonly cluster: Cluster;
  readonly market: Market;
  readonly suppliers: Suppliers;
  readonly endpoints: Endpoints;
  /** Leads that the capped offer of a round takes. */
  readonly cap: number;
};

const WARM_UP_MS = 3000;
const AFTERWARDS_MS = 3000;
/** From the end of the load until every lead has its final state: the longest lease, and some. */
const SETTLE_WITHIN_MS = 120_000;

export async function runRound(fault: Fault, index: number, roundSetup: RoundSetup): Promise<Round> {
  const { cluster, market, suppliers, endpoints, cap } = roundSetup;
  const before = {
    offered: suppliers.offered.length,
    accepted: suppliers.accepted.length,
    wrong: suppliers.wrong.length,
    unasked: market.unasked.length,
    sentAgain: countAgain(endpoints),
    unavailable: suppliers.responses.get('503') ?? 0,
    unanswered: suppliers.responses.get('no answer') ?? 0,
  };
  const load = suppliers.begin(index);
  await sleep(WARM_UP_MS);
  const beganAt = Date.now();
  const { hit, broken = [] } = await fault.run({ cluster, market, round: index });
  await cluster.whole();
  const wholeAt = Date.now();
  await eventually('a submission is accepted', () => suppliers.accepted.some(({ sentAt }) => sentAt > wholeAt), {
    withinMs: SETTLE_WITHIN_MS,
  });
  await sleep(AFTERWARDS_MS);
  const endedAt = Date.now();
  await load.stop(SETTLE_WITHIN_MS / 2);
  await market.whole();
  const { open, findings } = await compareAll(roundSetup, index, cap);
  const wrong = suppliers.wrong.slice(before.wrong);
  return {
    hit,
    acknowledged: suppliers.offered.slice(before.offered).filter(({ leadId }) => leadId !== null).length,
    lost: findings.lost,
    doubled: findings.doubled,
    wrongResponses: wrong.length,
    unavailable: (suppliers.responses.get('503') ?? 0) - before.unavailable,
    unanswered: (suppliers.responses.get('no answer') ?? 0) - before.unanswered,
    sentAgain: countAgain(endpoints) - before.sentAgain,
    withoutWrites: longestPause(
      suppliers.accepted.slice(before.accepted).map(({ at }) => at),
      { from: beganAt, to: endedAt },
    ),
    failures: [
      ...findings.contradictions,
      ...(open > 0 ? [`${open} leads or sendings open ${SETTLE_WITHIN_MS / 1000} s after the load`] : []),
      ...market.unasked.slice(before.unasked),
      ...wrong.slice(0, 3),
      ...broken,
    ],
  };
}

/** With a connection of its own, because the one of the round before may lead to a server that has gone. */
async function compareAll({ cluster, suppliers, endpoints }: RoundSetup, round: number, leads: number) {
  const database = openDatabase({
    connection: { connectionString: cluster.urlOf(await cluster.leader()) },
    connections: 2,
    onIdleError: (error) => console.error(`the check's connection: ${error.message}`),
  });
  try {
    const deadline = Date.now() + SETTLE_WITHIN_MS;
    let open = await countOpen(database, suppliers.offered);
    while (open > 0 && Date.now() < deadline) {
      await sleep(500);
      open = await countOpen(database, suppliers.offered);
    }
    return { open, findings: await findContradictions({ database, suppliers, endpoints }, { round, leads }) };
  } finally {
    await database.close();
  }
}

function longestPause(times: readonly number[], { from, to }: { readonly from: number; readonly to: number }): number {
  const within = times.filter((at) => at >= from && at <= to).toSorted((one, other) => one - other);
  const marks = [from, ...within, to];
  return Math.max(...marks.slice(1).map((at, index) => at - (marks[index] ?? at)));
}

const countAgain = ({ sold }: Endpoints): number =>
  [...sold.values()].reduce((sum, { requests }) => sum + requests - 1, 0);
