// Messages to suppliers' endpoints that fail in every way (contract 4.10, 5.8).
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { typeId } from '../../src/base/ids.ts';
import { rotateSigningSecret } from '../../src/credentials/signing-secrets.ts';
import { DAY_MS } from '../../src/base/time.ts';
import { beginMessages, dueQueues, takeOverMessages } from '../../src/messages/begin-messages.ts';
import { expireOverdueMessages } from '../../src/messages/message-queue.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { registerJobsCommands } from '../../src/routing/jobs.cli.ts';
import { type Captured, captureCommand, contextOf } from '../support/captured-command.ts';
import { eventually } from '../support/eventually.ts';
import type { ReceivedRequest, Reply } from '../support/receiver.ts';
import {
  closeAll,
  expectRepetition,
  idOf,
  inTurn,
  type MessageMarket,
  news,
  openMarket,
  receive,
  SECOND,
  suppliersYaml,
} from './message-market.ts';

afterEach(closeAll);

const verify = (secret: string, { body, headers }: ReceivedRequest): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);
const jobs = ({ database, clock }: MessageMarket, ...argv: string[]): Promise<Captured> =>
  captureCommand(['jobs', ...argv, '--json'], (program, out) =>
    registerJobsCommands(program.command('jobs'), contextOf(database, clock, out)),
  );

/** Takes up what is due, as a worker does that dies before it has sent anything. */
async function dieHolding(market: MessageMarket): Promise<number> {
  const { database, clock } = market;
  return database.tx(async (tx) => {
    const queues = (await dueQueues(tx, 30, clock.now())).map((queue) => ({ ...queue, jobs: 8 }));
    const claim = { queues, leaseMs: 40 * SECOND, probeSeconds: 30 };
    return (await beginMessages(tx, claim, clock.now())).length;
  });
}

describe('A message to a supplier', () => {
  it('is signed with the supplier’s secret, and has type, time and data', async () => {
    const receiver = await receive();
    const market = await openMarket({
      yaml: suppliersYaml({ acme: `${receiver.origin}/told?token=7`, other: null }),
      receivers: [receiver],
    });
    market.start();
    const occurredAt = market.clock.now();
    await market.notify(news('acme', 17));
    await market.onceEmpty();
    const [request, ...others] = receiver.requests;
    if (request === undefined || others.length > 0) throw new Error('it is not one request');
    expect(request).toMatchObject({ method: 'POST', path: '/told?token=7' });
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^evt_/),
    });
    const { current } = await market.secretsOf('supplier', 'acme');
    expect(verify(current, request)).toEqual({
      type: 'lead.routed',
      timestamp: occurredAt.toISOString(),
      data: { lead_id: 'lead_17', external_id: 'x-17', status: 'Lead Sale', reason: null },
    });
    const foreign = await market.secretsOf('supplier', 'other');
    expect(() => verify(foreign.current, request)).toThrow('No matching signature');
    expect([market.faults, await market.dead()]).toEqual([[], []]);
  });

  it('carries two signatures while the secret is being replaced, and one afterwards', async () => {
    const receiver = await receive();
    const market = await openMarket({ yaml: suppliersYaml({ acme: receiver.origin }), receivers: [receiver] });
    const old = (await market.secretsOf('supplier', 'acme')).current;
    const rotation = { owner: { kind: 'supplier', key: 'acme' }, actor: commandLineActor } as const;
    await market.database.tx((tx) => rotateSigningSecret(tx, rotation, market.clock.now()));
    market.start();
    await market.notify(news('acme'));
    await market.onceEmpty();
    const { current } = await market.secretsOf('supplier', 'acme');
    const [during] = receiver.requests as [ReceivedRequest];
    expect(String(during.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect(verify(old, during)).toEqual(verify(current, during));
    market.pass(25 * 3600 * SECOND);
    await market.notify(news('acme'));
    await market.onceEmpty();
    expect(String(receiver.requests[1]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  it('is retried with the same id and body and a new timestamp', async () => {
    const receiver = await receive(inTurn({ status: 500 }, 'reset', { status: 302 }, { status: 204 }));
    const market = await openMarket({
      yaml: suppliersYaml({ acme: receiver.origin }),
      receivers: [receiver],
      settings: { retrySeconds: [0, 30, 30, 30] },
    });
    market.start();
    await market.notify(news('acme'));
    for (const [attempts, error] of [
      [1, 'HTTP 500'],
      [2, expect.any(String)],
      [3, 'HTTP 302'],
    ] as const) {
      const [message] = await market.onceAtRest(1, attempts);
      expect(message).toMatchObject({ steps: attempts, lastError: error });
      const wait = (message?.dueAt.getTime() ?? 0) - market.clock.now().getTime();
      expect(wait).toBeGreaterThanOrEqual(24 * SECOND);
      expect(wait).toBeLessThanOrEqual(36 * SECOND);
      market.pass(40 * SECOND);
    }
    await market.onceEmpty();
    expectRepetition(receiver.requests, 4);
    const { current } = await market.secretsOf('supplier', 'acme');
    for (const request of receiver.requests) expect(() => verify(current, request)).not.toThrow();
    const times = receiver.requests.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 40, 80, 120]);
    expect(await market.dead()).toEqual([]);
  });

  it('waits as long as Retry-After says', async () => {
    const receiver = await receive(inTurn({ status: 429, headers: { 'retry-after': '120' } }, { status: 200 }));
    const market = await openMarket({ yaml: suppliersYaml({ acme: receiver.origin }), receivers: [receiver] });
    market.start();
    await market.notify(news('acme'));
    const [message] = await market.onceAtRest(1, 1);
    expect(message?.dueAt).toEqual(new Date(market.clock.now().getTime() + 120 * SECOND));
    market.pass(120 * SECOND);
    await market.onceEmpty();
    expectRepetition(receiver.requests, 2);
  });

  it('is dropped once the supplier has no callback', async () => {
    const receiver = await receive();
    const market = await openMarket({
      yaml: suppliersYaml({ acme: receiver.origin, other: receiver.origin }),
      receivers: [receiver],
    });
    await market.notify(news('acme', 1), news('other', 2));
    await market.apply(suppliersYaml({ acme: null, other: receiver.origin }));
    market.start();
    await market.onceEmpty();
    expect(receiver.requests.map(({ body }) => body.includes('lead_2'))).toEqual([true]);
    expect([market.faults, await market.dead()]).toEqual([[], []]);
  });

  it('goes to the address that is current when it is sent', async () => {
    const receiver = await receive(({ path }) => ({ status: path === '/old' ? 500 : 200 }));
    const market = await openMarket({
      yaml: suppliersYaml({ acme: `${receiver.origin}/old` }),
      receivers: [receiver],
    });
    market.start();
    await market.notify(news('acme'));
    await market.onceAtRest(1, 1);
    await market.apply(suppliersYaml({ acme: `${receiver.origin}/new` }));
    market.pass(60 * SECOND);
    await market.onceEmpty();
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/old', '/new']);
    expectRepetition(receiver.requests, 2);
  });

  it('is sent by only one of two messengers', async () => {
    const receiver = await receive();
    const market = await openMarket({ yaml: suppliersYaml({ acme: receiver.origin }), receivers: [receiver] });
    for (let count = 0; count < 2; count += 1) market.start();
    await market.notify(...Array.from({ length: 200 }, (_, serial) => news('acme', serial)));
    await market.onceEmpty();
    expect(receiver.requests).toHaveLength(200);
    expect(new Set(receiver.requests.map(idOf)).size).toBe(200);
  });
});

describe('A message that its supplier does not accept', () => {
  it('is not retried after a 410, and becomes a dead letter', async () => {
    const receiver = await receive(() => ({ status: 410 }));
    const market = await openMarket({ yaml: suppliersYaml({ acme: receiver.origin }), receivers: [receiver] });
    market.start();
    await market.notify(news('acme'));
    await market.onceEmpty();
    expect(await market.dead()).toMatchObject([{ name: 'send-message', attempts: 1, error: 'HTTP 410' }]);
    expect(receiver.requests).toHaveLength(1);
    // That is for the endpoints of partners, whose leads would go there.
    expect(market.gone).toEqual([]);
  });

  it('is sent three times if it is rejected, even if the schedule allows more', async () => {
    const receiver = await receive(() => ({ status: 404 }));
    const market = await openMarket({
      yaml: suppliersYaml({ acme: receiver.origin }),
      receivers: [receiver],
      settings: { retrySeconds: [0, 0, 0, 0, 0, 0] },
    });
    market.start();
    await market.notify(news('acme'));
    await market.onceEmpty();
    expect(await market.dead()).toMatchObject([{ attempts: 3, error: 'HTTP 404' }]);
    expectRepetition(receiver.requests, 3);
  });

  it('becomes a dead letter when the schedule is used up, and the operator can requeue it', async () => {
    let isUp = false;
    const receiver = await receive(() => ({ status: isUp ? 200 : 503 }));
    const market = await openMarket({
      yaml: suppliersYaml({ acme: receiver.origin }),
      receivers: [receiver],
      settings: { retrySeconds: [0, 0, 0] },
    });
    market.start();
    await market.notify(news('acme'));
    await market.onceEmpty();
    const [dead] = await market.dead();
    expect(dead).toMatchObject({ attempts: 3, error: 'HTTP 503' });
    expectRepetition(receiver.requests, 3);

    const jobId = idOf(receiver.requests[0]);
    expect(typeId('event', dead?.jobId ?? '')).toBe(jobId);
    const listed = await jobs(market, 'list');
    expect(listed.json).toMatchObject({
      data: [{ jobId, name: 'send-message', subject: 'lead.routed to acme', attempts: 3, error: 'HTTP 503' }],
    });
    isUp = true;
    const retried = await jobs(market, 'retry', jobId);
    expect([retried.exitCode, retried.json]).toEqual([0, { jobId, retried: true }]);
    market.pass(0);
    await market.onceEmpty();
    expectRepetition(receiver.requests, 4);
    expect(await market.dead()).toEqual([]);
    expect((await jobs(market, 'retry', jobId)).exitCode).toBe(1);
  });

  it('starts its schedule again when it is requeued', async () => {
    const receiver = await receive(() => 'reset');
    const market = await openMarket({
      yaml: suppliersYaml({ acme: receiver.origin }),
      receivers: [receiver],
      settings: { retrySeconds: [0, 0] },
    });
    market.start();
    await market.notify(news('acme'));
    await market.onceEmpty();
    await jobs(market, 'retry', idOf(receiver.requests[0]));
    market.pass(0);
    await eventually(
      'it has failed again',
      async () => receiver.requests.length === 4 && (await market.dead()).length === 1,
    );
    expectRepetition(receiver.requests, 4);
    expect(await market.dead()).toMatchObject([{ attempts: 2 }]);
  });

  it('becomes a dead letter without an attempt if its endpoint is unavailable for days', async () => {
    const receiver = await receive(() => ({ status: 500 }));
    const market = await openMarket({
      yaml: suppliersYaml({ acme: receiver.origin }),
      receivers: [receiver],
      settings: { retrySeconds: [0, 60, 60], breaker: { failures: 1, probeSeconds: 30 } },
    });
    const messenger = market.start();
    await market.notify(news('acme', 1));
    await market.onceAtRest(1, 1);
    await market.notify(news('acme', 2));
    await messenger.stop();
    const expire = (days: number): Promise<number> =>
      market.database.tx((tx) =>
        expireOverdueMessages(tx, new Date(market.clock.now().getTime() - days * DAY_MS), market.clock.now()),
      );
    expect(await expire(3)).toBe(0);
    market.pass(4 * DAY_MS);
    expect(await expire(3)).toBe(2);
    expect(await expire(3)).toBe(0);
    expect(await market.waiting()).toEqual([]);
    expect((await market.dead()).map(({ error }) => error)).toEqual(
      Array.from({ length: 2 }, () => 'The endpoint has been unavailable for days.'),
    );
  });

  it('fails without delaying others if it cannot be built', async () => {
    const receiver = await receive();
    const market = await openMarket({
      yaml: suppliersYaml({ acme: receiver.origin }),
      receivers: [receiver],
      settings: { retrySeconds: [0, 0], breaker: { failures: 1, probeSeconds: 30 } },
    });
    await market.notify(news('acme', 1), news('acme', 2));
    await market.database.pool.query(`UPDATE message_job SET data = 'spoilt' || data WHERE data LIKE '%lead_1"%'`);
    market.start();
    await market.onceEmpty();
    expect(await market.dead()).toMatchObject([{ attempts: 2, error: 'The message could not be made.' }]);
    expect(receiver.requests.map(({ body }) => body.includes('lead_2'))).toEqual([true]);
    // The endpoint had no part in it.
    expect(await market.isBroken('acme')).toBe(false);
    expect(market.faults.every((fault) => fault instanceof SyntaxError)).toBe(true);
  });
});

describe('A message whose worker dies', () => {
  it('is sent again with the same id if the worker dies between response and commit', async () => {
    let isDead = false;
    const receiver = await receive(() => {
      isDead = true;
      return { status: 200 };
    });
    const market = await openMarket({ yaml: suppliersYaml({ acme: receiver.origin }), receivers: [receiver] });
    // Whatever the worker writes after the answer never reaches the database.
    const dying: Database = {
      ...market.database,
      tx: (work, options) => (isDead ? Promise.reject(new Error('killed')) : market.database.tx(work, options)),
    };
    const first = market.start(dying);
    await market.notify(news('acme'));
    await eventually('it has arrived', () => receiver.requests.length === 1);
    await first.stop();
    expect(await market.waiting()).toMatchObject([{ attempts: 1, steps: 0, isLeased: true }]);

    market.start();
    market.pass(41 * SECOND);
    await market.onceEmpty();
    expectRepetition(receiver.requests, 2);
    expect(await market.dead()).toEqual([]);
  });

  it('loses a step if the worker dies before sending, and becomes a dead letter without steps', async () => {
    const receiver = await receive();
    const market = await openMarket({
      yaml: suppliersYaml({ acme: receiver.origin }),
      receivers: [receiver],
      settings: { retrySeconds: [0, 0] },
    });
    await market.notify(news('acme'));
    for (const steps of [0, 1]) {
      expect(await dieHolding(market)).toBe(1);
      expect(await market.waiting()).toMatchObject([{ attempts: steps + 1, steps, isLeased: true }]);
      // Nobody else takes it while the worker may be alive.
      expect(await dieHolding(market)).toBe(0);
      market.pass(41 * SECOND);
    }
    market.start();
    await market.onceEmpty();
    expect(await market.dead()).toMatchObject([
      { attempts: 3, error: 'No attempt is left: earlier ones were interrupted.' },
    ]);
    expect(receiver.requests).toEqual([]);
  });

  it('is due at once when the only process restarts', async () => {
    const receiver = await receive();
    const market = await openMarket({ yaml: suppliersYaml({ acme: receiver.origin }), receivers: [receiver] });
    await market.notify(news('acme', 1), news('acme', 2));
    expect(await dieHolding(market)).toBe(2);
    expect(await market.database.tx((tx) => takeOverMessages(tx, market.clock.now()))).toBe(2);
    market.start();
    await market.onceEmpty();
    expect(new Set(receiver.requests.map(idOf)).size).toBe(2);
  });

  it('is done when it has arrived, also if another worker has leased it meanwhile', async () => {
    const release = Promise.withResolvers<Reply>();
    const receiver = await receive((request) => (request === receiver.requests[0] ? release.promise : { status: 500 }));
    const market = await openMarket({
      yaml: suppliersYaml({ acme: receiver.origin }),
      receivers: [receiver],
      settings: { retrySeconds: [0, 3600, 3600] },
    });
    market.start();
    await market.notify(news('acme'));
    await eventually('the first sending is under way', () => receiver.requests.length === 1);
    market.pass(41 * SECOND);
    await market.onceAtRest(1, 2);
    release.resolve({ status: 200 });
    await market.onceEmpty();
    expect(receiver.requests).toHaveLength(2);
    expectRepetition(receiver.requests, 2);
  });
});

describe('A messenger that stops', () => {
  it('finishes and records its current messages, and leaves the rest', async () => {
    const release = Promise.withResolvers<Reply>();
    const receiver = await receive(() => release.promise);
    const market = await openMarket({ yaml: suppliersYaml({ acme: receiver.origin }), receivers: [receiver] });
    // It stops while it waits for the queues that are due; by the time it has them, slots have become free.
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const query: Database['query'] = async (statement, ...params) => {
      const rows = await market.database.query(statement, ...params);
      if (receiver.requests.length === 8) {
        asked.resolve();
        await answer.promise;
      }
      return rows;
    };
    const messenger = market.start({ ...market.database, query });
    await market.notify(...Array.from({ length: 20 }, (_, serial) => news('acme', serial)));
    await eventually('all slots are in use', () => receiver.requests.length === 8);
    market.wakeups.wake('callbacks');
    await asked.promise;
    const stopped = messenger.stop();
    release.resolve({ status: 200 });
    await eventually('the results are stored', async () => (await market.waiting()).length === 12);
    answer.resolve();
    await stopped;
    expect(receiver.requests).toHaveLength(8);
    const left = await market.waiting();
    expect(left).toHaveLength(12);
    expect(left.every(({ attempts, isLeased }) => attempts === 0 && !isLeased)).toBe(true);
  });
});
