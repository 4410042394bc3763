// One running marketplace for all tests of a file. Each test applies a file with partners of its own, which closes the partners of the tests
// before it, and leaves nothing pending.
import { expect, onTestFinished } from 'vitest';

import type { LeadTrace } from '../../src/routing/trace-lead.ts';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { eventually } from './eventually.ts';
import type { HandClock } from './hand-clock.ts';
import { connectSupplier, leadBody, type Supplier } from './leads.ts';
import { startTestMarketplace, type TestMarketplace } from './marketplace.ts';
import { type ReceivedRequest, type Receiver, type Reply, startReceiver } from './receiver.ts';
import { traceOf } from './trace.ts';

export type SharedMarket = TestMarketplace & {
  /** The approved supplier `acme`. */
  readonly supplier: Supplier;
  /** Starts an endpoint that the marketplace may send to, until the test ends. */
  receive(respond?: (request: ReceivedRequest) => Reply | Promise<Reply>): Promise<Receiver>;
  /** Posts the lead of a new contact and returns its id. */
  sell(more?: Record<string, unknown>): Promise<string>;
  /** The body of the lead that was sold last. */
  lastBody(): Record<string, unknown>;
  trace(leadId: string): Promise<LeadTrace>;
  /** The lead as soon as its deliveries have these statuses, in the order in which they were made. */
  once(leadId: string, ...statuses: readonly string[]): Promise<LeadTrace>;
};

/** `clock` is the test's; by default it is the machine's. */
export async function openSharedMarket({
  clock = systemClock,
}: { readonly clock?: Clock & Partial<HandClock> } = {}): Promise<SharedMarket> {
  // The marketplace reads it before each send.
  const allowTargets: string[] = [];
  const market = await startTestMarketplace({ yaml: SUPPLIER_ONLY, allowTargets, clock });
  const supplier = connectSupplier(market.url, { key: await market.supplierKey('acme'), connections: 16 });
  let serial = 0;
  let lastBody: Record<string, unknown> = {};
  const trace = (leadId: string): Promise<LeadTrace> => traceOf(market.database, leadId);
  return {
    ...market,
    supplier,
    trace,
    async receive(respond = () => ({ status: 200 })) {
      const receiver = await startReceiver({ respond });
      allowTargets.push(receiver.origin);
      onTestFinished(() => receiver.close());
      return receiver;
    },
    async sell(more) {
      lastBody = leadBody(++serial, more);
      const { status, json } = await supplier.post(lastBody);
      expect(status).toBe(202);
      return json.lead_id;
    },
    lastBody: () => lastBody,
    once: (leadId, ...statuses) =>
      eventually(`the deliveries of the lead are ${statuses.join(' and ')}`, async () => {
        const seen = await trace(leadId);
        if (seen.deliveries.map(({ status }) => status).join() === statuses.join()) return seen;
        // A retry without a pause is due before its worker looks again, which it does every second.
        market.runtime.wake();
        return null;
      }),
    async close() {
      await supplier.close();
      await market.close();
    },
  };
}

const SUPPLIER_ONLY = `
suppliers: [{ key: acme, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }]
`;

let keys = 0;

/** Keys of partners that no other test has: what happened to a partner stays with it. */
export function ownKeys<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, string>> {
  keys += 1;
  return Object.fromEntries(names.map((name) => [name, `${name}-${keys}`])) as Record<Name, string>;
}
