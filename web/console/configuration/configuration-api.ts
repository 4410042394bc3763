// What the service says of the configuration, and what it is asked to change: the shapes of /console/api (src/…/console-*.route.ts).
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';

import { queryText } from '../../ui/filters.ts';
import { read } from '../../ui/request.ts';

export type Kind = 'marketplace' | 'supplier' | 'partner' | 'offer';
export type FieldChange = { readonly from: unknown; readonly to: unknown };
export type FieldChanges = Readonly<Record<string, FieldChange>>;

export type Change = {
  readonly kind: Kind;
  readonly key: string;
  readonly action: 'create' | 'update' | 'close';
  readonly fields: FieldChanges;
};

/** Line and column only in the text of a whole file. */
export type InputFault = {
  readonly path: string;
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
};

export type AuditedChange = {
  readonly kind: Kind;
  readonly key: string;
  readonly at: string | null;
  readonly actor: { readonly type: string; readonly name: string } | null;
  readonly action: string | null;
  readonly changes: FieldChanges;
};

export type ChangeResult = {
  readonly version: number;
  readonly applied: boolean;
  readonly changes: readonly Change[];
  readonly unmanaged: ReadonlyArray<{ readonly kind: Kind; readonly key: string }>;
  readonly notes: readonly string[];
  readonly faults: readonly InputFault[];
  readonly meanwhile: readonly AuditedChange[];
};

/** A part of the marketplace file: what is left out of an entry stays as it is. */
export type Fragment = {
  readonly marketplace?: Partial<MarketplaceForm>;
  readonly suppliers?: ReadonlyArray<Partial<SupplierForm>>;
  readonly partners?: readonly PartnerEntry[];
};
export type PartnerEntry = Partial<Omit<PartnerForm, 'settings'>> & {
  readonly settings?: Partial<PartnerSettings>;
  readonly offers?: ReadonlyArray<Partial<OfferForm>>;
};

/** What is to be changed, as it is previewed, tried and applied. */
export type Wish = {
  readonly fragment?: Fragment;
  readonly isNew?: boolean;
  readonly text?: string;
  readonly prune?: boolean;
};

export type Page<Row> = {
  readonly data: readonly Row[];
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
};

export type RateLimit = { readonly perSecond: number | null; readonly burst: number | null };

export type MappingEntry = string | { readonly to: string; readonly transform?: string };
export type Mapping = Readonly<Record<string, MappingEntry | Readonly<Record<string, unknown>>>>;
export type SupplierForm = {
  readonly key: string;
  readonly name: string;
  readonly status: 'pending' | 'approved' | 'suspended';
  readonly fieldMapping: Mapping;
  readonly callback: { readonly url: string; readonly events: readonly string[] } | null;
  readonly rateLimit: RateLimit;
};
export type SupplierFigures = {
  readonly submitted: number;
  readonly routed: number;
  readonly acceptanceRate: number;
  readonly avgScore: number;
};
export type SupplierRow = SupplierForm & { readonly figures: SupplierFigures };

export type PartnerSettings = {
  readonly notificationEmail: string | null;
  readonly ccEmails: readonly string[];
  readonly webhookUrl: string | null;
  readonly phone: string | null;
  readonly smsNumber: string | null;
  readonly sheetsWebhookUrl: string | null;
  readonly sheetsSpreadsheetId: string | null;
};
export type PartnerForm = {
  readonly key: string;
  readonly name: string;
  readonly status: 'active' | 'paused' | 'suspended';
  readonly timeZone: string;
  readonly channels: readonly string[];
  readonly settings: PartnerSettings;
  readonly editableFields: readonly string[];
  readonly betaTools: readonly string[];
  readonly rateLimit: RateLimit;
  readonly returnPolicy: {
    readonly windowBusinessDays: number | null;
    readonly holidays: readonly string[];
    readonly disputeWindowDays: number | null;
    readonly monthlyCaps: { readonly leads: number | string | null; readonly bookings: number | string | null };
  };
  readonly billing: { readonly mode: 'prepaid' | 'postpaid'; readonly creditLimit: number | null };
};
export type Sold = {
  readonly sold: number;
  readonly revenue: number;
  readonly returned: number;
  readonly failed: number;
};
export type PartnerFigures = Sold & { readonly offers: number; readonly activeOffers: number };
export type PartnerRow = Pick<PartnerForm, 'key' | 'name' | 'status' | 'timeZone' | 'channels' | 'billing'> & {
  readonly endpointDisabledAt: string | null;
  readonly figures: PartnerFigures;
};

export type Hours = { readonly days: readonly string[]; readonly from: string; readonly to: string };
export type PerWindow = {
  readonly daily: number | null;
  readonly weekly: number | null;
  readonly monthly: number | null;
};
export type OfferFilters = {
  readonly states: readonly string[];
  readonly statesNot: readonly string[];
  readonly debtAmount: { readonly min: number | null; readonly max: number | null };
  readonly minScore: number | null;
  readonly suppliers: readonly string[];
  readonly suppliersNot: readonly string[];
  readonly sources: readonly string[];
  readonly sourcesNot: readonly string[];
  readonly requireConsent: boolean;
  readonly requireEmail: boolean;
  readonly requirePhone: boolean;
};
export type Booking = {
  readonly availability: readonly Hours[];
  readonly slotMinutes: number | null;
  readonly capacity: number | null;
  readonly noticeMinutes: number | null;
  readonly horizonDays: number | null;
};
export type OfferForm = {
  readonly key: string;
  readonly name: string;
  readonly eventType: 'Lead Sale' | 'Calendar Assigned';
  readonly payout: number | null;
  readonly sale: 'exclusive' | { readonly sharedWith: number | null };
  readonly priority: number | null;
  readonly weight: number | null;
  readonly status: 'active' | 'paused' | 'closed';
  readonly filters: OfferFilters;
  readonly schedule: readonly Hours[] | null;
  readonly caps: PerWindow;
  readonly budget: PerWindow;
  readonly pacing: 'asap' | 'even';
  readonly booking: Booking | null;
};
export type OfferOnWire = OfferForm & { readonly partner: string };
export type OfferRow = OfferOnWire & { readonly figures: Sold };
export type WindowStanding = {
  readonly limit: number | null;
  readonly used: number;
  readonly budget: number | null;
  readonly spent: number;
  readonly resetsAt: string;
};
export type OfferStanding = {
  readonly state: 'active' | 'paused' | 'capped' | 'closed';
  readonly windows: Readonly<Record<'daily' | 'weekly' | 'monthly', WindowStanding>>;
};

export type MarketplaceForm = {
  readonly name: string;
  readonly currency: string;
  readonly strategy: 'price' | 'weighted' | 'round_robin';
  /** Countries, or any two letters. */
  readonly regions: readonly string[] | 'any';
  readonly dedupDays: number | null;
  readonly holdMinutes: number | null;
  readonly retrySeconds: readonly number[];
  readonly scoreWeights: Readonly<Record<string, number | null>>;
  readonly breaker: { readonly failures: number | null; readonly probeSeconds: number | null };
  readonly retention: Readonly<Record<string, number | string | null>>;
};

export type Choices = {
  readonly states: ReadonlyArray<{ readonly code: string; readonly name: string }>;
  /** Whether other two letters are taken as well. */
  readonly otherStates: boolean;
  readonly mappingTargets: readonly string[];
  readonly mappingTransforms: readonly string[];
};

/** The figures beside things are of so many days. */
export const FIGURE_DAYS = 28;

const BASE = '/console/api';

export function useOne<Answer>(path: string): UseQueryResult<Answer> {
  return useQuery({
    queryKey: ['configuration', path],
    queryFn: ({ signal }) => read<Answer>(`${BASE}/${path}`, signal),
  });
}

export function useList<Row>(
  path: string,
  filters: Readonly<Record<string, string | number | undefined>>,
): UseQueryResult<Page<Row>> {
  return useQuery({
    queryKey: ['configuration', path, filters],
    queryFn: ({ signal }) => read<Page<Row>>(`${BASE}/${path}${queryText(filters)}`, signal),
    placeholderData: keepPreviousData,
  });
}

export function useChoices(): UseQueryResult<Choices> {
  return useQuery({
    queryKey: ['form-choices'],
    queryFn: ({ signal }) => read<Choices>(`${BASE}/form-choices`, signal),
  });
}
