// The options of the search over everything: pages by their names, then what the service found, each with its address.
import type { Matches } from '../../../src/console/search.schema.ts';
import { monthName } from '../invoices/months.ts';
import { leadStateText } from '../leads/lead-state.tsx';

export type Match = {
  /** Unique among all options. */
  readonly id: string;
  readonly kind: 'Recent' | 'Pages' | 'Leads' | 'Partners' | 'Suppliers' | 'Offers' | 'Claims' | 'Invoices';
  readonly title: string;
  readonly detail: string;
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, string>>;
};

type NamedPage = { readonly to: string; readonly label: string };

/** Pages with a word that begins with the text; all without a text. */
export function pageMatches(pages: readonly NamedPage[], text: string): Match[] {
  const wanted = text.trim().toLowerCase();
  return pages
    .filter(({ label }) => ` ${label.toLowerCase()}`.includes(` ${wanted}`))
    .map(({ to, label }) => ({ id: `page ${to}`, kind: 'Pages', title: label, detail: '', to }));
}

/** The server finds as many of each kind, so that there may be more. */
export const EACH_KIND_MAX = 5;

export function isCut({ leads, partners, suppliers, offers, claims, invoices }: Matches): boolean {
  return [leads, partners, suppliers, offers, claims, invoices].some(({ length }) => length >= EACH_KIND_MAX);
}

export function foundMatches({ leads, partners, suppliers, offers, claims, invoices }: Matches): Match[] {
  return [
    ...leads.map(({ leadId, name, externalId, supplierName, state }): Match => {
      const detail = [leadStateText(state), supplierName, externalId ?? leadId].join(' · ');
      return { id: leadId, kind: 'Leads', title: name ?? 'No name', detail, to: '/leads/$leadId', params: { leadId } };
    }),
    ...partners.map(({ partner, partnerName }): Match => ({
      ...{ id: `partner ${partner}`, kind: 'Partners', title: partnerName, detail: partner },
      ...{ to: '/partners/$partnerKey', params: { partnerKey: partner } },
    })),
    ...suppliers.map(({ supplier, supplierName }): Match => ({
      ...{ id: `supplier ${supplier}`, kind: 'Suppliers', title: supplierName, detail: supplier },
      ...{ to: '/suppliers/$supplierKey', params: { supplierKey: supplier } },
    })),
    ...offers.map(({ offer, offerName, partner, partnerName }): Match => ({
      ...{ id: `offer ${offer}`, kind: 'Offers', title: offerName, detail: `${partnerName} · ${offer}` },
      to: '/partners/$partnerKey/offers/$offerKey',
      params: { partnerKey: partner, offerKey: offer },
    })),
    ...claims.map(({ claimId, kind, status, partnerName }): Match => ({
      ...{ id: claimId, kind: 'Claims', title: `${kind === 'return' ? 'Return' : 'Dispute'} by ${partnerName}` },
      detail: `${status.replaceAll('_', ' ')} · ${claimId}`,
      ...{ to: '/claims/$claimId', params: { claimId } },
    })),
    ...invoices.map(({ number, month, status, partnerName }): Match => ({
      ...{ id: number, kind: 'Invoices', title: number, detail: `${partnerName} · ${monthName(month)} · ${status}` },
      ...{ to: '/invoices', search: { invoice: number } },
    })),
  ];
}

/** In the order of the first option of each kind. */
export function groupByKind(matches: readonly Match[]): ReadonlyArray<readonly [kind: string, matches: Match[]]> {
  return [...Map.groupBy(matches, ({ kind }) => kind)];
}
