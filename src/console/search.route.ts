// GET /console/api/search: leads, partners, suppliers, offers, claims and invoices by one search text, a few of each.
import { typeId, uuidOf } from '../base/ids.ts';
import { listBuyers } from '../buyers/read-buyers.ts';
import { claimIdOf } from '../claims/claim-view.rules.ts';
import { findClaimsOfLead, showClaim } from '../claims/stored-claims.ts';
import { SEARCH_LENGTH_MAX } from '../deliveries/delivery-filter.schema.ts';
import { findInvoice } from '../invoices/find-invoices.ts';
import type { Invoice } from '../invoices/invoice.ts';
import type { FoundLead } from '../leads/stored-lead.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { principalOf } from '../platform/http/scope.ts';
import { searchTextOf } from '../platform/http/search-header.ts';
import { searchLeads } from '../routing/search-leads.ts';
import { listOffers } from '../routing/stored-offers.ts';
import { listSuppliers } from '../suppliers/read-suppliers.ts';
import { stateName } from './lead-state.rules.ts';
import { type Matches, MatchesSchema } from './search.schema.ts';

export type ConsoleSearchDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  /** Names from the current configuration; null if closed. */
  readonly buyerOf: (buyerKey: string) => { readonly name: string } | null;
  readonly supplierOf: (supplierKey: string) => { readonly config: { readonly name: string } } | null;
};

/** Matches of each kind: more belong on the page of their list. */
const SHOWN = 5;
const NO_FILTER = { supplierKey: null, verticalKey: null, states: null, statuses: null, from: null, to: null };
const NOTHING: Matches = { leads: [], partners: [], suppliers: [], offers: [], claims: [], invoices: [], note: null };

export function registerConsoleSearch(scope: App, dependencies: ConsoleSearchDependencies): void {
  const { database, clock } = dependencies;
  scope.get(
    '/api/search',
    {
      config: { permission: 'read', reveals: 'record', personMembers: ['name'] },
      schema: { response: { 200: MatchesSchema } },
    },
    async (request, reply) => {
      const text = searchTextOf(request, SEARCH_LENGTH_MAX)?.trim() ?? '';
      const persons = principalOf(request).permissions?.includes('persons') === true;
      if (text === '') return reply.send(NOTHING);
      const matches = await database.tx((tx) => findMatches(tx, { text, persons, now: clock.now() }, dependencies), {
        snapshot: true,
      });
      return reply.send(matches);
    },
  );
}

async function findMatches(
  tx: Tx,
  { text, persons, now }: { readonly text: string; readonly persons: boolean; readonly now: Date },
  { buyerOf, supplierOf }: ConsoleSearchDependencies,
): Promise<Matches> {
  const part = { search: text, status: null, page: 1, pageSize: SHOWN };
  const partnerName = (key: string): string => buyerOf(key)?.name ?? key;
  const found = await searchLeads(tx, { text, filter: NO_FILTER, persons, before: null });
  const leads = found.leads.slice(0, SHOWN);
  const claims = await findClaimsFor(tx, { text, leads });
  const { buyers } = await listBuyers(tx, part);
  const { suppliers } = await listSuppliers(tx, part);
  const { offers } = await listOffers(tx, { ...part, buyerKey: null });
  const invoice = await findInvoiceNamed(tx, text, now);
  return {
    leads: leads.map((lead) => ({
      leadId: typeId('lead', lead.leadId),
      externalId: lead.externalId,
      supplierName: supplierOf(lead.supplierKey)?.config.name ?? lead.supplierKey,
      state: stateName(lead.state, lead.publicStatus),
      name: lead.fullName,
    })),
    partners: buyers.map(({ buyerKey, name }) => ({ partner: buyerKey, partnerName: name })),
    suppliers: suppliers.map(({ supplierKey, name }) => ({ supplier: supplierKey, supplierName: name })),
    offers: offers.map(({ offerKey, name, buyerKey }) => ({
      ...{ offer: offerKey, offerName: name },
      ...{ partner: buyerKey, partnerName: partnerName(buyerKey) },
    })),
    claims: claims.map(({ partner, ...claim }) => ({ ...claim, partnerName: partnerName(partner) })),
    invoices:
      invoice === null
        ? []
        : [{ number: invoice.number, month: invoice.month, status: invoice.status, partnerName: invoice.buyerName }],
    note: found.note,
  };
}

type ClaimMatch = Omit<Matches['claims'][number], 'partnerName'> & { readonly partner: string };

async function findClaimsFor(
  tx: Tx,
  { text, leads }: { readonly text: string; readonly leads: readonly FoundLead[] },
): Promise<readonly ClaimMatch[]> {
  const id = text.toLowerCase();
  const claimId = uuidOf('return', id) ?? uuidOf('dispute', id);
  const shown = claimId === null ? null : await showClaim(tx, claimId);
  if (shown !== null) {
    const { kind, status, buyerKey } = shown.claim;
    return [{ claimId: claimIdOf(shown.claim), kind, status, partner: buyerKey }];
  }
  const claims: ClaimMatch[] = [];
  for (const { leadId } of leads) {
    for (const { claimId: found, kind, status, partner } of await findClaimsOfLead(tx, leadId)) {
      claims.push({ claimId: found, kind, status, partner });
    }
  }
  return claims.slice(0, SHOWN);
}

/** Numbers are in capitals, ids are not. */
async function findInvoiceNamed(tx: Tx, text: string, now: Date): Promise<Invoice | null> {
  return (await findInvoice(tx, text.toUpperCase(), now)) ?? findInvoice(tx, text.toLowerCase(), now);
}
