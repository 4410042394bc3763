// The types and queries of the configuration pages.
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';

import type { PartnerForm as Partner } from '../../../src/buyers/partner.schema.ts';
import type { Choices, CurrentFile, ShownMarketplace } from '../../../src/console/configuration.schema.ts';
import type { Offers, OffersQuery, ShownOffer } from '../../../src/console/offers.schema.ts';
import type { Partners, PartnersQuery, ShownPartner } from '../../../src/console/partners.schema.ts';
import type { ShownSupplier, Suppliers, SuppliersQuery } from '../../../src/console/suppliers.schema.ts';
import type { ShownVertical, Verticals } from '../../../src/console/verticals.schema.ts';
import type { MarketplaceForm as Marketplace } from '../../../src/marketplace/marketplace.schema.ts';
import type { OfferForm as Offer } from '../../../src/routing/offer.schema.ts';
import type { VerticalForm as Vertical } from '../../../src/marketplace/vertical.schema.ts';
import type { SupplierForm as Supplier } from '../../../src/suppliers/supplier.schema.ts';
import { request } from '../console-api.ts';

/** A value in an incomplete form: a number may be missing, and a list may hold any text. */
type InForm<Value> = Value extends number
  ? number | null
  : Value extends readonly string[]
    ? readonly string[]
    : Value extends readonly number[]
      ? readonly number[]
      : Value extends ReadonlyArray<infer Item>
        ? ReadonlyArray<InForm<Item>>
        : Value extends object
          ? { readonly [Name in keyof Value]: InForm<Value[Name]> }
          : Value;

export type Mapping = Readonly<Supplier['fieldMapping']>;
export type MarketplaceForm = InForm<Marketplace>;
export type VerticalForm = InForm<Vertical>;
export type SupplierForm = InForm<Omit<Supplier, 'fieldMapping'>> & { readonly fieldMapping: Mapping };
export type PartnerForm = InForm<Partner>;
export type PartnerSettings = PartnerForm['settings'];
export type OwnFieldForm = VerticalForm['fields'][number];
export type OfferForm = InForm<Omit<Offer, 'filters'>> & { readonly filters: OfferFilters };
export type OfferFilters = InForm<Omit<Offer['filters'], 'fields'>> & { readonly fields: OwnFilters };
/** By the name of the field. */
export type OwnFilters = Readonly<Record<string, OwnFilter>>;
export type OwnFilter = {
  readonly in?: OwnFilterValues;
  readonly notIn?: OwnFilterValues;
  readonly min?: string | number;
  readonly max?: string | number;
  readonly is?: boolean;
};
export type OwnFilterValues = ReadonlyArray<string | number>;
export type PayTerms = SupplierForm['pay'];
export type PerWindow = OfferForm['caps'];
export type Booking = NonNullable<OfferForm['booking']>;
export type Hours = Booking['availability'][number];

/** A part of the marketplace file. Members that an entry leaves out stay unchanged. */
export type Fragment = {
  readonly marketplace?: Partial<MarketplaceForm>;
  readonly verticals?: Array<Partial<VerticalForm>>;
  readonly suppliers?: Array<Partial<SupplierForm>>;
  readonly partners?: PartnerEntry[];
};
type PartnerEntry = Partial<Omit<PartnerForm, 'settings'>> & {
  readonly settings?: Partial<PartnerSettings>;
  readonly offers?: Array<Partial<OfferForm>>;
};

/** A change of the configuration, to be previewed, simulated or applied. */
export type ConfigurationInput = {
  readonly fragment?: Fragment;
  readonly isNew?: boolean;
  readonly text?: string;
  readonly prune?: boolean;
};

/** The number of days that the figures on the pages cover. */
export const FIGURE_DAYS = 28;

export function useMarketplace(): UseQueryResult<ShownMarketplace> {
  return useQuery({
    queryKey: ['configuration', 'marketplace'],
    queryFn: ({ signal }) => request('GET /console/api/marketplace', { signal }),
  });
}

export function useVerticals(): UseQueryResult<Verticals> {
  return useQuery({
    queryKey: ['configuration', 'verticals'],
    queryFn: ({ signal }) => request('GET /console/api/verticals', { signal }),
  });
}

export function useVertical(verticalKey: string): UseQueryResult<ShownVertical> {
  return useQuery({
    queryKey: ['configuration', 'verticals', verticalKey],
    queryFn: ({ signal }) => request('GET /console/api/verticals/:verticalKey', { params: { verticalKey }, signal }),
  });
}

export function useSupplier(supplierKey: string): UseQueryResult<ShownSupplier> {
  return useQuery({
    queryKey: ['configuration', 'suppliers', supplierKey],
    queryFn: ({ signal }) => request('GET /console/api/suppliers/:supplierKey', { params: { supplierKey }, signal }),
  });
}

export function usePartner(partnerKey: string): UseQueryResult<ShownPartner> {
  return useQuery({
    queryKey: ['configuration', 'partners', partnerKey],
    queryFn: ({ signal }) => request('GET /console/api/partners/:partnerKey', { params: { partnerKey }, signal }),
  });
}

export function useOffer(offerKey: string): UseQueryResult<ShownOffer> {
  return useQuery({
    queryKey: ['configuration', 'offers', offerKey],
    queryFn: ({ signal }) => request('GET /console/api/offers/:offerKey', { params: { offerKey }, signal }),
  });
}

/** '' does not filter. */
type Filters<Query> = { readonly [Name in keyof Query]?: Query[Name] | '' | undefined };

export function useSuppliers(query: Filters<SuppliersQuery>): UseQueryResult<Suppliers> {
  return useQuery({
    queryKey: ['configuration', 'suppliers', query],
    queryFn: ({ signal }) => request('GET /console/api/suppliers', { query, signal }),
    placeholderData: keepPreviousData,
  });
}

export function usePartners(query: Filters<PartnersQuery>): UseQueryResult<Partners> {
  return useQuery({
    queryKey: ['configuration', 'partners', query],
    queryFn: ({ signal }) => request('GET /console/api/partners', { query, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useOffers(query: Filters<OffersQuery>): UseQueryResult<Offers> {
  return useQuery({
    queryKey: ['configuration', 'offers', query],
    queryFn: ({ signal }) => request('GET /console/api/offers', { query, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useCurrentFile(): UseQueryResult<CurrentFile> {
  return useQuery({
    queryKey: ['configuration', 'file'],
    queryFn: ({ signal }) => request('GET /console/api/configuration/file', { signal }),
  });
}

export function useChoices(): UseQueryResult<Choices> {
  return useQuery({
    queryKey: ['form-choices'],
    queryFn: ({ signal }) => request('GET /console/api/form-choices', { signal }),
  });
}
