// Tests changed marketplace files while leads arrive: every process uses the new file within seconds, and each decision follows entirely
// the version that it names (contract 7.5).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { registerApply } from '../../src/marketplace-file/marketplace-file.cli.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { ExplainedDecision } from '../../src/routing/stored-decisions.ts';
import { postLead } from '../support/api-client.ts';
import { captureCommand, contextOf } from '../support/captured-command.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { connectSupplier, leadBody, type Supplier } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { runLeadmarket } from '../support/server-process.ts';
import { traceOf } from '../support/trace.ts';
import { zoneAtNoon } from '../support/zone-at-noon.ts';

type OfferForm = { payout: number; cap?: number; weight?: number; status?: 'active' | 'paused' };
type Form = {
  readonly strategy: 'price' | 'weighted' | 'round_robin';
  /** Each is the only offer of a partner of the same name. */
  readonly offers: Readonly<Record<string, OfferForm>>;
  readonly pausedPartner?: string;
  readonly isProbeApproved: boolean;
};

const zone = zoneAtNoon();

/** Every partner buys any lead exclusively. */
const fileOf = ({ strategy, offers, pausedPartner, isProbeApproved }: Form): string => `
marketplace: { holdMinutes: 0, strategy: ${strategy} }
suppliers:
  - { key: acme, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }
  - { key: bolt, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }
  - { key: probe, status: ${isProbeApproved ? 'approved' : 'suspended'} }
partners:
${Object.entries(offers)
  .map(
    ([key, { payout, cap, weight = 1, status = 'active' }]) => `
  - key: ${key}
    timeZone: ${zone}
    status: ${key === pausedPartner ? 'paused' : 'active'}
    offers:
      - { key: ${key}, eventType: Lead Sale, payout: ${payout}, weight: ${weight}, status: ${status}, caps: { daily: ${cap ?? 'null'} } }`,
  )
  .join('')}
`;

const first: Form = {
  strategy: 'price',
  offers: { ash: { payout: 50 }, birch: { payout: 40 } },
  isProbeApproved: true,
};

/** Applied one after the other; each with a check of its decisions. */
const CHANGES: ReadonlyArray<{ says: string; form: Form; buyers: readonly string[] }> = [
  {
    says: 'a cap lowered below what is sold',
    form: { ...first, offers: { ash: { payout: 50, cap: 3 }, birch: { payout: 40 } }, isProbeApproved: false },
    buyers: ['birch'],
  },
  {
    says: 'an offer paused, and one added',
    form: {
      ...first,
      offers: { ash: { payout: 50 }, birch: { payout: 90, status: 'paused' }, cedar: { payout: 60 } },
    },
    buyers: ['cedar'],
  },
  {
    says: 'a partner paused, and a payout changed',
    form: {
      ...first,
      offers: { ash: { payout: 10 }, birch: { payout: 33.33 }, cedar: { payout: 60 } },
      pausedPartner: 'cedar',
      isProbeApproved: false,
    },
    buyers: ['birch'],
  },
  {
    says: 'turns instead of prices',
    form: {
      strategy: 'round_robin',
      offers: { ash: { payout: 10 }, birch: { payout: 20 }, cedar: { payout: 30 } },
      isProbeApproved: true,
    },
    buyers: ['ash', 'birch', 'cedar'],
  },
  {
    says: 'weights instead of turns',
    form: {
      strategy: 'weighted',
      offers: { ash: { payout: 10 }, birch: { payout: 20, weight: 0 }, cedar: { payout: 30, weight: 0 } },
      isProbeApproved: false,
    },
    buyers: ['ash'],
  },
];

/** The number of leads that are decided under each version. */
const LEADS_EACH = 60;
/** The number of versions that are applied without a pause. */
const FLAPS = 40;

let home: TestDatabase;
let markets: TestMarketplace[];
let suppliers: Supplier[];
let folder: string;
/** The applied files by version. */
const forms = new Map<number, Form>();
/** The time at which the command that applied the version had ended. */
const currentSince = new Map<number, number>();
const posted: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leadmarket-apply-'));
  home = await createTestDatabase();
  const yaml = fileOf(first);
  markets = [await startTestMarketplace({ yaml, on: home }), await startTestMarketplace({ yaml, on: home })];
  await noteVersion(first);
  suppliers = await Promise.all(
    markets.map(async (market, index) =>
      connectSupplier(market.url, { key: await market.supplierKey(index === 0 ? 'acme' : 'bolt'), connections: 4 }),
    ),
  );
});

afterAll(async () => {
  for (const supplier of suppliers ?? []) await supplier.close();
  for (const market of markets ?? []) await market.close();
  await home.drop();
  rmSync(folder, { recursive: true });
});

async function noteVersion(form: Form): Promise<number> {
  const [row] = await select<{ version: number }>(home.database, 'SELECT config_version AS version FROM marketplace');
  const version = Number(row?.version);
  forms.set(version, form);
  currentSince.set(version, Date.now());
  return version;
}

/**
 * Applies a file by the operator's command: in a separate process, or in this one, where it shares only the database with the two that sell,
 * and starts in no time.
 */
async function apply(form: Form, { inOwnProcess }: { inOwnProcess: boolean }): Promise<number> {
  const file = join(folder, 'marketplace.yaml');
  writeFileSync(file, fileOf(form));
  const argv = ['apply', file, '--json'];
  const { stdout } = inOwnProcess
    ? await runLeadmarket({ DATABASE_URL: home.url }, ...argv)
    : await captureCommand(argv, (program, out) =>
        registerApply(program.command('apply <file>'), {
          ...contextOf(home.database, systemClock, out),
          allowedTargets: () => Promise.resolve([]),
        }),
      );
  expect(JSON.parse(stdout)).toMatchObject({ applied: true });
  return noteVersion(form);
}

/** Posts leads to both processes until it is stopped; every fifth contact is posted by both suppliers. */
function startStream(): { end(): Promise<void> } {
  let isEnding = false;
  let serial = 0;
  const run = async (): Promise<void> => {
    while (!isEnding) {
      serial += 1;
      const bodies = suppliers.map((_, index) => leadBody(serial * 2 + (serial % 5 === 0 ? 0 : index)));
      const responses = await Promise.all(suppliers.map((supplier, index) => supplier.post(bodies[index] ?? {})));
      for (const { status, json } of responses) {
        expect(status).toBe(202);
        posted.push(json.lead_id);
      }
      await sleep(15);
    }
  };
  const running = run();
  return {
    end() {
      isEnding = true;
      return running;
    },
  };
}

type Sale = { version: number; at: Date; order: number; offerKey: string | null; payoutCents: number | null };

/** Every decision in the order in which they took effect, with its sales. */
const sales = (): Promise<Sale[]> =>
  select<Sale>(
    home.database,
    `SELECT config_version AS version, decided_at AS at, decided_order AS "order", offer_key AS "offerKey", payout_cents AS "payoutCents"
     FROM routing_decision LEFT JOIN delivery USING (lead_id) ORDER BY decided_order`,
  );

describe('A stream of leads over two processes', () => {
  it('is sold by each file that is applied meanwhile, as soon as it is current', async () => {
    const probes = await Promise.all(markets.map((market) => market.supplierKey('probe')));
    const stream = startStream();
    const manyUnder = (version: number): Promise<unknown> =>
      eventually(`leads are decided under version ${version}`, async () => {
        const found = (await sales()).filter((sale) => sale.version === version);
        return found.length >= LEADS_EACH ? found : null;
      });
    await manyUnder([...forms.keys()][0] ?? 0);
    for (const [turn, { says, form, buyers }] of CHANGES.entries()) {
      const version = await apply(form, { inOwnProcess: turn === 0 });
      const expected = form.isProbeApproved ? 422 : 403;
      await eventually(`both processes go by ${says}`, async () => {
        const responses = await Promise.all(markets.map(({ url }, index) => postLead(url, probes[index] ?? '', {})));
        return responses.every(({ status }) => status === expected);
      });
      await manyUnder(version);
      const soldTo = (await sales()).flatMap((sale) => (sale.version === version ? (sale.offerKey ?? []) : []));
      expect([says, [...new Set(soldTo)].toSorted()]).toEqual([says, buyers]);
    }
    // Version after version, so that some change while they are read.
    const [market] = markets;
    for (let flap = 0; flap < FLAPS; flap += 1) {
      const form = { ...first, offers: { ash: { payout: 100 + flap }, birch: { payout: 100 + ((flap * 7) % FLAPS) } } };
      await market?.apply(fileOf(form));
      await noteVersion({ ...form, offers: { ...form.offers, cedar: { payout: 30, weight: 0 } } });
    }
    await stream.end();
    await eventually(
      'every lead is decided',
      async () => (await select(home.database, 'SELECT FROM routing_inbox')).length === 0,
    );
  });

  it('is decided by the version that is current when the decision begins', async () => {
    const stale = (await sales()).filter(({ version, at }) => {
      const since = currentSince.get(version + 1);
      return since !== undefined && at.getTime() > since;
    });
    expect(stale).toEqual([]);
    expect((await sales()).length).toBeGreaterThanOrEqual(LEADS_EACH * (CHANGES.length + 1));
  });

  it('loses no lead, and sells no lead and no contact twice', async () => {
    const stored = await select<{ leadId: string; state: string; deliveries: number; decisions: number }>(
      home.database,
      `SELECT state, (SELECT count(*) FROM delivery d WHERE d.lead_id = l.lead_id)::int AS deliveries,
              (SELECT count(*) FROM routing_decision d WHERE d.lead_id = l.lead_id)::int AS decisions FROM lead l
       WHERE l.is_accepted`,
    );
    expect(stored).toHaveLength(posted.length);
    expect(stored.filter(({ state, deliveries }) => deliveries !== (state === 'routed' ? 1 : 0))).toEqual([]);
    expect(stored.filter(({ decisions }) => decisions !== 1)).toEqual([]);
    const identities = await select(
      home.database,
      `SELECT fields::json->>'email' AS email FROM lead WHERE is_accepted GROUP BY 1 HAVING count(*) FILTER (WHERE state = 'routed') <> 1`,
    );
    expect(identities).toEqual([]);
    expect(await ledgerFaults(home.database)).toEqual([]);
  });

  it('exceeds no cap of the version that a decision names', async () => {
    const sold = new Map<string, number>();
    const oversold = (await sales()).filter(({ offerKey, version }) => {
      if (offerKey === null) return false;
      const before = sold.get(offerKey) ?? 0;
      sold.set(offerKey, before + 1);
      return before >= (forms.get(version)?.offers[offerKey]?.cap ?? Infinity);
    });
    expect(oversold).toEqual([]);
  });

  it('rotates between partners while the version says so', async () => {
    const version = [...forms].find(([, { strategy }]) => strategy === 'round_robin')?.[0];
    const soldTo = (await sales()).flatMap((sale) => (sale.version === version ? (sale.offerKey ?? []) : []));
    const turns = soldTo.slice(0, 3);
    expect(turns.toSorted()).toEqual(['ash', 'birch', 'cedar']);
    expect(soldTo).toEqual(soldTo.map((_, index) => turns[index % 3]));
  });

  it('is explained by the version that each decision names', async () => {
    for (const leadId of posted) {
      const { decision, deliveries } = await traceOf(home.database, leadId);
      const form = forms.get(decision?.configVersion ?? 0);
      if (decision === null || form === undefined) throw new Error(`${leadId} has no decision of a known version`);
      expect(wrongIn(decision, form)).toEqual([]);
      const sold = decision.offers.filter(({ result }) => result === 'sold').map(({ offerKey }) => offerKey);
      expect(deliveries.map(({ offer, payout }) => ({ offer, payout }))).toEqual(
        sold.map((offer) => ({ offer, payout: form.offers[offer]?.payout })),
      );
    }
  });
});

/** Differences between an explanation and the configuration of its version. */
function wrongIn({ offers }: ExplainedDecision, { offers: forms_, pausedPartner, strategy }: Form): string[] {
  const named = offers.map(({ offerKey }) => offerKey).toSorted();
  if (named.join() !== Object.keys(forms_).toSorted().join()) return [`explains ${named.join()}`];
  const payoutOfSold = Math.max(
    0,
    ...offers.filter(({ result }) => result === 'sold').map((one) => forms_[one.offerKey]?.payout ?? 0),
  );
  return offers.flatMap(({ offerKey, code }) => {
    const { status = 'active', payout = 0, cap } = forms_[offerKey] ?? {};
    const claimStatus =
      offerKey === pausedPartner ? 'partner_not_active' : status === 'paused' ? 'offer_not_active' : null;
    const isRight =
      claimStatus === null
        ? code !== 'partner_not_active' &&
          code !== 'offer_not_active' &&
          (code !== 'cap_reached' || cap !== undefined) &&
          (code !== 'outranked' || strategy !== 'price' || payout <= payoutOfSold)
        : code === claimStatus;
    return isRight ? [] : [`${offerKey} is ${code}`];
  });
}
