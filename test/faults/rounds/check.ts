// Compares after a round the responses to suppliers and the requests at endpoints with the content of the database.
import type { DeliveryId, LeadId } from '../../../src/base/ids.ts';
import { typeId } from '../../../src/base/ids.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { ledgerFaults, select } from '../../support/ledger-faults.ts';
import { leadBody } from '../../support/leads.ts';
import type { Endpoints } from './endpoints.ts';
import type { FaultRun } from './faults.ts';
import type { Offered, Suppliers } from './load.ts';
import { cappedOffer, competesForCap, externalIdOf, isTimed, personOf, type RoundCap, supplierOf } from './market.ts';

export type Findings = {
  /** Acknowledged leads that are not stored as they were acknowledged. */
  readonly lost: number;
  /** Leads or contacts that are stored, sent or charged twice. */
  readonly doubled: number;
  /** Everything that contradicts a promise, in words; includes the two numbers above. */
  readonly contradictions: readonly string[];
};

export type RoundSources = {
  readonly database: Database;
  readonly suppliers: Suppliers;
  readonly endpoints: Endpoints;
};

/** Only once nothing is pending. */
export async function findContradictions(
  { database, suppliers, endpoints }: RoundSources,
  cap: RoundCap,
): Promise<Findings> {
  const contradictions: string[] = [];
  const note = (sentence: string, rows: readonly unknown[]): number => {
    if (rows.length > 0) contradictions.push(`${sentence}: ${rows.length}, such as ${JSON.stringify(rows[0])}`);
    return rows.length;
  };
  const lost = note('acknowledged and not stored', await findLost(database, suppliers.offered));
  const doubles = [
    note('stored twice', await select(database, STORED_TWICE)),
    note('sold twice', await select(database, SOLD_TWICE)),
    note('charged twice', await select(database, CHARGED_TWICE)),
    note('one webhook-id carried two leads', idsOfTwo(endpoints)),
    note('one person came under two webhook-ids', personsTwice(endpoints)),
  ];
  note('confirmed and never taken by the endpoint', await findNeverTaken(database, endpoints));
  contradictions.push(...(await ledgerFaults(database)));
  const sold = await soldOf(database, cap.round);
  const wanted = suppliers.offered.filter(({ round, serial }) => round === cap.round && competesForCap(serial)).length;
  if (sold !== Math.min(cap.leads, wanted)) {
    contradictions.push(`the offer capped at ${cap.leads} was sold ${sold} leads of ${wanted} that it wanted`);
  }
  return { lost, doubled: doubles.reduce((sum, count) => sum + count, 0), contradictions };
}

const STORED_TWICE =
  'SELECT supplier_key, external_id FROM lead WHERE external_id IS NOT NULL GROUP BY 1, 2 HAVING count(*) > 1';
const SOLD_TWICE = `SELECT lead_id FROM delivery WHERE status <> 'Failed' GROUP BY 1 HAVING count(*) > 1`;
const CHARGED_TWICE = `SELECT delivery_id FROM transfer WHERE type = 'charge' GROUP BY 1 HAVING count(*) > 1`;

async function findLost(database: Database, offered: readonly Offered[]): Promise<Offered[]> {
  const rows = await select<{ supplier: string; externalId: string; leadId: LeadId }>(
    database,
    'SELECT supplier_key AS supplier, external_id AS "externalId", lead_id AS "leadId" FROM lead',
  );
  const stored = new Map(rows.map(({ supplier, externalId, leadId }) => [`${supplier} ${externalId}`, leadId]));
  return offered.filter(({ serial, leadId }) => {
    if (leadId === null) return false;
    const found = stored.get(`${supplierOf(serial)} ${externalIdOf(serial)}`);
    return found === undefined || typeId('lead', found) !== leadId;
  });
}

const idsOfTwo = ({ sold }: Endpoints): string[] =>
  [...sold].filter(([, { emails }]) => emails.size > 1).map(([id]) => id);

function personsTwice({ sold }: Endpoints): string[] {
  const seen = new Set<string>();
  return [...sold.values()]
    .flatMap(({ emails }) => [...emails])
    .filter((email) => {
      const isAgain = seen.has(email);
      seen.add(email);
      return isAgain;
    });
}

async function findNeverTaken(database: Database, { sold }: Endpoints): Promise<string[]> {
  const rows = await select<{ deliveryId: DeliveryId }>(
    database,
    `SELECT delivery_id AS "deliveryId" FROM delivery WHERE status = 'Confirmed'`,
  );
  const taken = new Set([...sold].filter(([, { takenAt }]) => takenAt !== null).map(([id]) => id));
  return rows.map(({ deliveryId }) => deliveryId).filter((id) => !taken.has(id) && !taken.has(typeId('delivery', id)));
}

async function soldOf(database: Database, round: number): Promise<number> {
  const rows = await select<{ sold: number }>(
    database,
    `SELECT count(*) AS sold FROM delivery WHERE offer_key = $1 AND status = 'Confirmed'`,
    [cappedOffer(round)],
  );
  return Number(rows[0]?.sold);
}

/** Leads of all rounds that have not reached a final state, and deliveries that wait to be sent. */
export async function countOpen(database: Database, offered: readonly Offered[]): Promise<number> {
  const rows = await select<{ open: number }>(
    database,
    `SELECT (SELECT count(*) FROM lead WHERE state NOT IN ('routed', 'rejected')) +
            (SELECT count(*) FROM send_job) + (SELECT count(*) FROM delivery WHERE status = 'Pending') AS open`,
  );
  return Number(rows[0]?.open) + offered.filter(({ acknowledgedAt }) => acknowledgedAt === null).length;
}

/** In milliseconds; null without a measurement, infinity if the event never came. */
export type Recovery = {
  /** Until a request that was sent afterwards got 202. */
  readonly writes: number | null;
  /** The slowest of the leads that were offered afterwards, from its offer until an endpoint had it. */
  readonly others: number | null;
  /** The last of the pending leads, from the start of the measurement until an endpoint had it. */
  readonly own: number | null;
};

export function measureRecovery(sources: Omit<RoundSources, 'database'>, round: number, faultRun: FaultRun): Recovery {
  const { beganAt, recoversFrom } = faultRun;
  const { suppliers, endpoints } = sources;
  const timed = suppliers.offered
    .filter((lead) => lead.round === round && isTimed(lead.serial))
    .map(({ serial, offeredAt }) => {
      const { email } = leadBody(personOf(serial));
      return { offeredAt, takenAt: endpoints.takenAt(String(email)) ?? Number.POSITIVE_INFINITY };
    });
  const fresh = timed.filter(({ offeredAt }) => offeredAt >= recoversFrom);
  const caught = timed.filter(({ offeredAt, takenAt }) => offeredAt < recoversFrom && takenAt > beganAt);
  const writes = suppliers.accepted.filter(({ sentAt }) => sentAt >= recoversFrom).map(({ at }) => at - recoversFrom);
  return {
    writes: writes.length === 0 ? null : Math.min(...writes),
    others: longest(fresh.map(({ offeredAt, takenAt }) => takenAt - offeredAt)),
    own: longest(caught.map(({ takenAt }) => Math.max(0, takenAt - recoversFrom))),
  };
}

const longest = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.max(...values));
