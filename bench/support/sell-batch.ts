// Stores and routes a batch of leads of one supplier, as the service does it: the part of a lead's way before its delivery is sent.
import { prepareSubmission } from '../../src/leads/ingest-lead.ts';
import { storeSubmissions } from '../../src/leads/store-submissions.ts';
import { defaultSettings } from '../../src/marketplace/settings.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { MarketReader } from '../../src/routing/market-reader.ts';
import { routeLeads } from '../../src/routing/route-leads.ts';
import { compileFieldMapping } from '../../src/suppliers/field-mapping.rules.ts';
import { leadBody, newRun } from './lead-body.ts';

export type SoldBatch = { readonly supplierKey: string; readonly market: MarketReader; readonly size: number };

/** Throws unless each lead was sold once. */
export async function sellBatch(
  database: Database,
  { supplierKey, market, size }: SoldBatch,
  now: Date,
): Promise<void> {
  const { run, first } = newRun(size);
  const context = {
    supplierKey,
    mapping: compileFieldMapping({}),
    regions: defaultSettings.regions,
    weights: defaultSettings.scoreWeights,
    returnRate: 0,
  };
  const submissions = Array.from({ length: size }, (_, index) => {
    const text = leadBody(run, first + index);
    return prepareSubmission({ members: JSON.parse(text) as Record<string, unknown>, text }, context, now);
  });
  await database.tx((tx) => storeSubmissions(tx, submissions));
  const { deliveries } = await database.tx((tx) => routeLeads(tx, { market, limit: size, lockFirst: false }, now));
  if (deliveries !== size) throw new Error(`${deliveries} of ${size} leads were sold`);
}
