// What the console asks about persons to erase, and how the answers look.
export type Found = {
  /** Ids of leads. */
  readonly found: readonly string[];
  readonly next: string | null;
  /** Leads received until then have been looked through. */
  readonly lookedUntil: string | null;
  readonly erasedBefore: number | null;
};

export type StoredDelivery = {
  readonly deliveryId: string;
  readonly deliveryRef: string;
  readonly partner: string;
  readonly partnerName: string;
  readonly status: 'Pending' | 'Confirmed' | 'Failed' | 'Returned';
};

export type StoredLead = {
  readonly leadId: string;
  readonly supplier: string;
  readonly supplierName: string;
  readonly isTest: boolean;
  readonly state: string;
  readonly receivedAt: string;
  readonly erasedAt: string | null;
  /** Null where it is erased, and of a submission that was refused. */
  readonly person: {
    readonly fullName: string;
    readonly email: string | null;
    readonly phone: string | null;
    readonly fields: number;
  } | null;
  readonly hasBody: boolean;
  readonly consentStoredAt: string | null;
  readonly deliveries: readonly StoredDelivery[];
  readonly attempts: number;
  readonly claims: number;
};

export type Stored = { readonly consentYears: number | null; readonly data: readonly StoredLead[] };

export type Erased = {
  readonly leadId: string;
  readonly supplier: string;
  readonly supplierName: string;
  readonly erasedBefore: boolean;
  readonly deliveries: readonly StoredDelivery[];
};

/** By what a person is looked for. */
export type Wish = { readonly id: string } | { readonly email: string } | { readonly phone: string };

/** What is asked for at once. */
export const LEADS_AT_ONCE = 20;
/** The word that is typed before anything is erased. */
export const CONFIRMATION = 'erase';
