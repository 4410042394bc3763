// Leads as the service answers them to the operator (src/console/leads.schema.ts).

export type LeadState = 'received' | 'held' | 'routed' | 'no_buyer' | 'duplicate' | 'invalid';

export type Sale = {
  readonly deliveryId: string;
  readonly partner: string;
  readonly partnerName: string;
  readonly offer: string;
  readonly status: string;
  readonly payout: number;
};

export type ListedLead = {
  readonly leadId: string;
  readonly externalId: string | null;
  readonly supplier: string;
  readonly supplierName: string;
  readonly test: boolean;
  readonly state: LeadState;
  readonly reason: string | null;
  readonly score: number | null;
  readonly receivedAt: string;
  readonly erased: boolean;
  readonly name: string | null;
  readonly sales: readonly Sale[];
};

export type LeadList = {
  readonly data: readonly ListedLead[];
  /** `before` of what follows; null where everything was looked through. */
  readonly next: string | null;
  readonly backTo: string | null;
  readonly note: 'too_short' | 'too_many' | 'ids_only' | null;
  readonly currency: string;
};

export type TriedOffer = {
  readonly offer: string;
  readonly offerName: string;
  readonly partner: string;
  readonly partnerName: string;
  readonly payout: number | null;
  readonly priority: number | null;
  readonly isShared: boolean;
  readonly code: string;
  readonly won: boolean;
  readonly stage: Stage;
  /** The higher, the farther it came. */
  readonly rank: number;
  readonly rule: string;
  readonly values: string;
  readonly moment: { readonly is: 'since' | 'opens'; readonly at: string } | null;
};

export type Stage = 'standing' | 'filters' | 'schedule' | 'caps' | 'funds' | 'duplicates' | 'choice' | 'won';

export type Round = {
  readonly round: number;
  readonly decidedAt: string;
  readonly configVersion: number;
  readonly outcome: string;
  readonly retryAt: string | null;
  readonly sold: readonly string[];
};

export type Delivery = {
  readonly deliveryId: string;
  readonly deliveryRef: string;
  readonly partner: string;
  readonly partnerName: string;
  readonly offer: string;
  readonly eventType: string;
  readonly status: string;
  readonly payout: number;
  readonly channel: string | null;
  readonly deliveredAt: string;
  readonly confirmedAt: string | null;
  readonly failedAt: string | null;
  readonly appointmentAt?: string;
};

export type Attempt = {
  readonly attemptId: string;
  readonly deliveryId: string | null;
  readonly deliveryRef: string | null;
  readonly partner: string;
  readonly channel: string;
  readonly target: string;
  readonly attempt: number;
  readonly state: string;
  readonly responseCode: number | null;
  readonly responseSnippet: string | null;
  readonly latencyMs: number | null;
  readonly error: string | null;
  readonly at: string;
  readonly nextAttemptAt: string | null;
};

export type Entry = {
  readonly entryId: string;
  readonly partner: string;
  readonly type: string;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly description: string;
  readonly deliveryId: string;
  readonly createdAt: string;
};

export type LeadClaim = {
  readonly claimId: string;
  readonly kind: string;
  readonly partner: string;
  readonly deliveryId: string;
  readonly reason: string;
  readonly status: string;
  readonly filedAt: string;
  readonly decidedAt: string | null;
  readonly credit: number | null;
};

export type Consent = {
  readonly storedAt: string;
  readonly tcpaConsent: boolean;
  readonly consentTimestamp: string | null;
  readonly consentVersion: string | null;
  readonly consentText: string | null;
  readonly sourceFormUrl: string | null;
  readonly leadIp: string | null;
  readonly trustedformCertUrl: string | null;
  readonly jornayaLeadId: string | null;
};

export type Factor = {
  readonly name: string;
  readonly label: string;
  readonly points: number;
  readonly max: number;
  readonly notes: readonly string[];
};

export type LeadStory = {
  readonly currency: string;
  readonly lead: {
    readonly leadId: string;
    readonly externalId: string | null;
    readonly supplier: string;
    readonly supplierName: string;
    readonly test: boolean;
    readonly state: LeadState;
    readonly reason: string | null;
    readonly reasons: ReadonlyArray<{ readonly reason: string; readonly meaning: string; readonly remedy: string }>;
    readonly score: number | null;
    readonly receivedAt: string;
    readonly decidedAt: string | null;
    readonly erasedAt: string | null;
    readonly fields: Readonly<Record<string, unknown>> | null;
  };
  readonly factors: readonly Factor[];
  readonly rawBody: string | null;
  /** Of a refused submission whose body is not kept whole: how many bytes it had. */
  readonly rawBodyBytes: number | null;
  readonly consent: Consent | null;
  readonly rounds: readonly Round[];
  readonly decision: (Round & { readonly offers: readonly TriedOffer[] }) | null;
  readonly deliveries: readonly Delivery[];
  readonly attempts: readonly Attempt[];
  readonly attemptsAreCut: boolean;
  readonly ledger: readonly Entry[];
  readonly claims: readonly LeadClaim[];
  readonly events: ReadonlyArray<{ readonly at: string; readonly type: string; readonly message: string }>;
};
