// Every route of the service, asked by each kind of user with values made from its schema and with hostile ones: none answers with a 5xx
// (contract 1.6). A run of all tests asks few, and other ones for each commit; `npm run test:fuzz -- --requests 20000 --seed 7` asks more.
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';

import { betaMarketYaml } from '../contract/beta-market.ts';
import { sampleLead } from '../contract/market.ts';
import { postAsBuyer, postLead } from '../support/api-client.ts';
import { chance } from '../support/chance.ts';
import { DRAW_SEED } from '../support/drawn.ts';
import { eventually } from '../support/eventually.ts';
import { askRoutes } from '../support/fuzz/ask-routes.ts';
import { startTestMarketplace } from '../support/marketplace.ts';
import { startReceiver } from '../support/receiver.ts';
import { routesRegisteredBy } from '../support/routes.ts';

const atRandom = Number(process.env['FUZZ_REQUESTS'] ?? 150);
const seed = Number(process.env['FUZZ_SEED'] ?? DRAW_SEED);

describe('Every route', () => {
  it('responds without a 5xx to any generated request', { timeout: 3_600_000 }, async () => {
    const receiver = await startReceiver();
    const logged: string[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
    // Runs with the time of day, and ahead of it by what keeps every session below its rate.
    let aheadMs = 0;
    const clock = { now: () => new Date(Date.now() + aheadMs) };
    const yaml = betaMarketYaml(receiver);
    const { built: market, ...registered } = await routesRegisteredBy(() =>
      startTestMarketplace({ yaml, clock, log, allowTargets: [receiver.origin] }),
    );
    try {
      const [key, token] = [await market.supplierKey('acme-media'), await market.buyerToken('summit')];
      for (let serial = 0; serial < 6; serial += 1) {
        const lead = sampleLead(serial, { state: serial % 3 === 2 ? 'NY' : 'CA', test: serial === 5 });
        await postLead(market.url, key, lead);
      }
      const buyer = await market.signedIn.buyer('summit');
      const deliveries = await eventually('the leads are delivered', async () => {
        const { json } = await buyer.get('/portal/api/v1/buyer/leads?status=Confirmed');
        return json.data.length >= 3 ? (json.data as Array<{ deliveryId: string }>) : null;
      });
      await postAsBuyer(market.url, token, '/api/v1/buyer/returns', {
        body: { deliveryId: deliveries[0]?.deliveryId, reason: 'duplicate' },
      });
      const tally = await askRoutes(market, registered, {
        ...{ chance: chance(seed), atRandom, origin: receiver.origin },
        passTime: () => void (aheadMs += 25),
        restore: () => market.apply(yaml),
      });
      console.log([...tally.lines(seed), ...tally.failures.slice(0, 20)].join('\n'));
      const causes = logged.slice(-5).map((line) => line.slice(0, 1500));
      expect({ failures: tally.failures.slice(0, 20), causes: tally.failures.length === 0 ? [] : causes }).toEqual({
        failures: [],
        causes: [],
      });
      expect(tally.unasked).toEqual([]);
    } finally {
      await market.close();
      await receiver.close();
    }
  });
});
