// What the service answers to the supplier's pages: mirrors of the answers of its portal routes.

export type Totals = {
  readonly submitted: number;
  readonly accepted: number;
  readonly routed: number;
  readonly rejected: number;
  readonly pending: number;
  /** Percent. */
  readonly acceptedRate: number;
  readonly acceptanceRate: number;
  readonly avgScore: number;
};

export type Reason = { readonly reason: string; readonly meaning: string; readonly remedy: string };

export type CountedReason = Reason & {
  readonly leads: number;
  /** Percent of what was submitted. */
  readonly share: number;
};

/** GET /portal/api/supplier/overview */
export type Overview = {
  readonly days: number;
  readonly from: string;
  readonly to: string;
  readonly status: string;
  readonly totals: Totals;
  readonly byStatus: ReadonlyArray<{ readonly status: string; readonly leads: number; readonly meaning: string }>;
  readonly byDay: ReadonlyArray<{ readonly date: string } & Totals>;
  readonly scores: ReadonlyArray<{ readonly from: number; readonly to: number; readonly leads: number }>;
  readonly rejections: {
    readonly atTheDoor: readonly CountedReason[];
    readonly afterwards: ReadonlyArray<CountedReason & { readonly status: string }>;
  };
  readonly lacking: {
    readonly latest: number;
    readonly unsold: number;
    readonly sold: number;
    readonly fields: ReadonlyArray<{
      readonly field: string;
      readonly lackingUnsold: number;
      readonly lackingSold: number;
    }>;
  };
};

export type ListedSubmission = {
  readonly leadId: string;
  readonly externalId: string | null;
  readonly receivedAt: string;
  readonly test: boolean;
  readonly status: string;
  readonly statusMeaning: string;
  readonly score: number | null;
  readonly reasons: readonly Reason[];
};

/** GET /portal/api/supplier/submissions */
export type SubmissionsAnswer = {
  readonly data: readonly ListedSubmission[];
  /** Where the next page begins. */
  readonly next: string | null;
  /** Older ones were not looked at yet. */
  readonly lookedUntil: string | null;
};

export type ReadField = {
  readonly field: string;
  readonly from: string | null;
  readonly isConstant: boolean;
  readonly sent: string | null;
  readonly read: string | null;
  readonly fault: string | null;
};

export type Callback = {
  readonly callbackId: string;
  readonly type: string;
  readonly state: 'waiting' | 'delivered' | 'failed' | 'dropped';
  readonly attempts: number;
  readonly responseCode: number | null;
  readonly error: string | null;
  readonly queuedAt: string;
  readonly triedAt: string | null;
};

/** GET /portal/api/supplier/submissions/:leadId */
export type Submission = ListedSubmission & {
  readonly decidedAt: string | null;
  readonly erasedAt: string | null;
  readonly body: string | null;
  /** Of a rejected one whose body is not kept whole: how many bytes it had. */
  readonly bodyBytes: number | null;
  readonly reading: { readonly fields: readonly ReadField[]; readonly extra: readonly string[] };
  readonly isMapped: boolean;
  readonly answer: { readonly status: number; readonly body: string };
  readonly lacking: readonly string[];
  readonly callbacks: readonly Callback[];
  readonly callbackEvents: readonly string[] | null;
};

export type SampleCode = { readonly language: string; readonly label: string; readonly code: string };

export type AnswerGuide = {
  readonly status: number;
  readonly code: string | null;
  readonly when: string;
  readonly whatToDo: string;
  readonly repeat: string;
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string }>;
  readonly body: string;
};

export type SpecifiedField = {
  readonly field: string;
  readonly meaning: string;
  readonly type: string;
  readonly format: string | null;
  readonly lengthMax: number | null;
  readonly sample: string | null;
  readonly names: ReadonlyArray<{ readonly name: string; readonly treatment: string | null }>;
  readonly constant: string | null;
  readonly faults: readonly string[];
};

/** GET /portal/api/supplier/specification */
export type Specification = {
  readonly supplierKey: string;
  readonly name: string;
  readonly status: string;
  readonly marketplace: string;
  readonly generatedAt: string;
  readonly url: string;
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string; readonly meaning: string }>;
  readonly rateLimit: { readonly perSecond: number; readonly burst: number };
  readonly bodyLimitKib: number;
  readonly needed: readonly string[];
  readonly fields: readonly SpecifiedField[];
  readonly isMapped: boolean;
  readonly example: { readonly body: string; readonly isTest: boolean } | null;
  readonly samples: readonly SampleCode[];
  readonly answers: readonly AnswerGuide[];
  readonly repeating: readonly string[];
  readonly callbacks: {
    readonly url: string | null;
    readonly events: ReadonlyArray<{
      readonly type: string;
      readonly meaning: string;
      readonly isSent: boolean;
      readonly example: string;
    }>;
    readonly rules: readonly string[];
    readonly samples: readonly SampleCode[];
  };
};

/** POST /portal/api/supplier/test-leads */
export type TestAnswer = {
  readonly status: number;
  readonly body: string;
  readonly isRepeat: boolean;
  readonly leadId: string | null;
};

/** GET /portal/api/supplier/test-leads/:leadId */
export type TestDecision = {
  readonly leadId: string;
  readonly isDecided: boolean;
  readonly decidedAt: string | null;
  readonly status: string;
  readonly statusMeaning: string;
  readonly score: number | null;
  readonly reasons: readonly Reason[];
  readonly lacking: readonly string[];
};
