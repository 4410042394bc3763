// The command `deliveries retry`: sends one delivery or thousands to the webhook again (contract 7.7).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { type DeliveryId, newUuid, typeId } from '../../src/base/ids.ts';
import { registerDeliveriesCommands } from '../../src/deliveries/deliveries.cli.ts';
import { priceByHand } from '../../src/routing/price-by-hand.ts';
import { reviveDeliveries } from '../../src/routing/revive-deliveries.ts';
import type { DeliveryStatus } from '../../src/deliveries/delivery.ts';
import { betaMarketYaml } from '../contract/beta-market.ts';
import { type Captured, captureCommand, contextOf } from '../support/captured-command.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { plantDeliveries } from './plant-deliveries.ts';

const clock = handClock('2026-11-20T12:00:00.000Z');
const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 20, hour));

let market: TestMarketplace;
beforeAll(async () => {
  market = await startTestMarketplace({ yaml: betaMarketYaml({ origin: 'https://crm.example' }), role: 'api', clock });
});
afterAll(() => market.close());
afterEach(async () => {
  for (const table of ['send_job', 'delivery']) await market.database.pool.query(`DELETE FROM ${table}`);
});

const run = (...argv: string[]): Promise<Captured> =>
  captureCommand(['deliveries', 'retry', ...argv], (program, out) =>
    registerDeliveriesCommands(program.command('deliveries'), {
      ...contextOf(market.database, clock, out),
      revive: reviveDeliveries,
      price: priceByHand,
    }),
  );

let people = 0;
/** A lead that has no other buyer, for an open offer. */
const soldToOne = (buyerKey: string) => ({
  offerKey: buyerKey === 'summit' ? 'summit-west' : 'harbor-east',
  fields: { phone: `+1555${4_000_000 + (people += 1)}`, email: null },
});

async function plant(
  buyerKey: string,
  ...seeds: ReadonlyArray<readonly [DeliveryStatus, number]>
): Promise<DeliveryId[]> {
  const planted = await plantDeliveries(
    market.database,
    buyerKey,
    seeds.map(([status, hour]) => ({ status, at: at(hour), ...soldToOne(buyerKey) })),
  );
  return planted.map(({ deliveryId }) => deliveryId);
}

const jobs = async (): Promise<unknown[]> =>
  (
    await market.database.pool.query(
      `SELECT delivery_id, channel, buyer_key, purpose, due_at, attempts, steps FROM send_job ORDER BY delivery_id`,
    )
  ).rows;

const replayOf = (deliveryId: DeliveryId, buyerKey = 'summit') => ({
  ...{ delivery_id: deliveryId, channel: 'webhook', buyer_key: buyerKey, purpose: 'replay' },
  ...{ due_at: new Date('2026-11-20T11:59:50.000Z'), attempts: 0, steps: 0 },
});

const saleOf = (deliveryId: DeliveryId) => ({ ...replayOf(deliveryId), purpose: 'sale' });

describe('deliveries retry ID', () => {
  it.each([
    ['Confirmed', replayOf],
    ['Failed', saleOf],
  ] as const)('that is %s is queued, at once and by the operator', async (status, jobOf) => {
    const [deliveryId = '' as DeliveryId] = await plant('summit', [status, 1]);
    const id = typeId('delivery', deliveryId);
    const { exitCode, json } = await run(id, '--json');
    expect([exitCode, json]).toEqual([0, { queued: 1, skipped: [] }]);
    expect(await jobs()).toEqual([jobOf(deliveryId)]);
    const { rows } = await market.database.pool.query(
      `SELECT actor_type, action, buyer_key, at FROM audit_event WHERE target = $1`,
      [id],
    );
    expect(rows).toEqual([
      { actor_type: 'operator', action: 'delivery.redelivery_requested', buyer_key: 'summit', at: clock.now() },
    ]);
  });

  it('prints the result as text', async () => {
    const [deliveryId = '' as DeliveryId] = await plant('summit', ['Failed', 1]);
    const id = typeId('delivery', deliveryId);
    expect(await run(id)).toMatchObject({ exitCode: 0, stdout: `${id} will be sent again.\n` });
  });

  it.each(['Pending', 'Returned'] as const)('that is %s is refused', async (status) => {
    const [deliveryId = '' as DeliveryId] = await plant('summit', [status, 1]);
    const id = typeId('delivery', deliveryId);
    const { exitCode, json } = await run(id, '--json');
    const skipped = [{ deliveryId: id, reason: 'delivery_not_redeliverable' }];
    expect([exitCode, json, await jobs()]).toEqual([1, { queued: 0, skipped }, []]);
  });

  it.each([typeId('delivery', newUuid()), 'lead_01m7wyk0h2emp81qch4dvtyn6a', 'nonsense'])(
    'rejects an unknown delivery: %s',
    async (id) => {
      const { exitCode, json } = await run(id, '--json');
      expect([exitCode, json]).toMatchObject([1, { error: { code: 'delivery_not_found' } }]);
    },
  );
});

describe('deliveries retry --partner --since', () => {
  it('queues only the deliveries that failed since that time', async () => {
    const [, second = '', third = ''] = await plant(
      'summit',
      ...([
        ['Failed', 1],
        ['Failed', 2],
        ['Failed', 3],
        ['Confirmed', 4],
        ['Pending', 5],
        ['Returned', 6],
      ] as const),
    );
    await plant('harbor', ['Failed', 5]);
    const { exitCode, json } = await run('--partner', 'summit', '--since', at(2).toISOString(), '--json');
    expect([exitCode, json]).toEqual([0, { queued: 2, skipped: [] }]);
    expect(await jobs()).toEqual([second, third].toSorted().map((id) => saleOf(id as DeliveryId)));
  });

  it('queues confirmed deliveries with --status Confirmed', async () => {
    const [, second = ''] = await plant('summit', ['Failed', 1], ['Confirmed', 2]);
    const { json } = await run('--partner', 'summit', '--since', '2026-11-20', '--status', 'Confirmed', '--json');
    expect([json, await jobs()]).toEqual([{ queued: 1, skipped: [] }, [replayOf(second as DeliveryId)]]);
  });

  it('skips and lists deliveries of other channels', async () => {
    const [first = '', second = ''] = await plant('summit', ['Failed', 1], ['Failed', 2]);
    await market.database.pool.query(`UPDATE delivery SET channel = 'email' WHERE delivery_id = $1`, [first]);
    const { exitCode, json, stdout } = await run('--partner', 'summit', '--since', '2026-11-20', '--json');
    expect([exitCode, json]).toEqual([
      0,
      {
        queued: 1,
        skipped: [{ deliveryId: typeId('delivery', first as DeliveryId), reason: 'delivery_not_redeliverable' }],
      },
    ]);
    expect([stdout.split('\n').length, await jobs()]).toEqual([2, [saleOf(second as DeliveryId)]]);
  });

  it('queues each of thousands of deliveries once, also when repeated', async () => {
    const planted = await plantDeliveries(
      market.database,
      'summit',
      // Many at one instant, so that a slice ends among equals.
      Array.from(
        { length: 1203 },
        (_, index) => ({ status: 'Failed', at: at(1 + Math.floor(index / 700)), ...soldToOne('summit') }) as const,
      ),
    );
    for (const round of [1, 2]) {
      const { stdout } = await run('--partner', 'summit', '--since', '2026-11-20');
      expect([round, stdout]).toEqual([round, `${round === 1 ? 1203 : 0} deliveries of summit will be sent again.\n`]);
      expect(await jobs()).toEqual(
        planted
          .map(({ deliveryId }) => deliveryId)
          .toSorted()
          .map((id) => saleOf(id)),
      );
    }
  });

  it('makes waiting redeliveries due, and leaves one that is being sent unchanged', async () => {
    const [waiting = '', busy = ''] = await plant('summit', ['Confirmed', 1], ['Confirmed', 2]);
    const lease = newUuid();
    const later = new Date('2026-11-20T20:00:00.000Z');
    await market.database.pool.query(
      `INSERT INTO send_job (delivery_id, channel, buyer_key, due_at, purpose, attempts, steps, attempt_id)
       VALUES ($1, 'webhook', 'summit', $3, 'replay', 2, 2, NULL), ($2, 'webhook', 'summit', $3, 'replay', 1, 0, $4)`,
      [waiting, busy, later, lease],
    );
    await run('--partner', 'summit', '--since', '2026-11-20', '--status', 'Confirmed');
    const expected = [
      { ...replayOf(waiting as DeliveryId), attempts: 2, steps: 2 },
      { ...replayOf(busy as DeliveryId), due_at: later, attempts: 1 },
    ];
    expect(await jobs()).toEqual(expected.toSorted((one, other) => (one.delivery_id < other.delivery_id ? -1 : 1)));
  });

  it('rejects a partner without a usable webhook', async () => {
    const refusals = [];
    for (const partner of ['nobody', 'quiet', 'harbor']) {
      if (partner === 'harbor')
        await market.database.pool.query(`UPDATE buyer SET endpoint_disabled_at = now() WHERE buyer_key = 'harbor'`);
      const { exitCode, json } = await run('--partner', partner, '--since', '2026-11-20', '--json');
      refusals.push([exitCode, (json as { error: { code: string } }).error.code]);
    }
    expect(refusals).toEqual([
      [1, 'partner_not_found'],
      [1, 'webhook_not_configured'],
      [1, 'endpoint_disabled'],
    ]);
  });
});

describe('The usage of deliveries retry', () => {
  it.each([
    [[]],
    [['--partner', 'summit']],
    [['--since', '2026-11-20']],
    [['dlv_01m7wyk0h2emp81qch4dvtyn6a', '--partner', 'summit', '--since', '2026-11-20']],
    [['--partner', 'summit', '--since', 'yesterday']],
    [['--partner', 'summit', '--since', '2026-11-20', '--status', 'Pending']],
  ])('rejects the arguments %j', async (argv) => {
    const { exitCode, json } = await run(...argv, '--json');
    expect([exitCode, json]).toMatchObject([2, { error: { code: 'usage' } }]);
  });
});
