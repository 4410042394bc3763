// What the console asks about invoices, and how the answers look.
export type InvoiceStatus = 'issued' | 'paid' | 'overdue' | 'void';

export type Invoice = {
  readonly invoiceId: string;
  readonly number: string;
  readonly partner: string;
  readonly partnerName: string;
  /** `YYYY-MM` in `timeZone`. */
  readonly month: string;
  readonly timeZone: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly status: InvoiceStatus;
  readonly subtotal: number;
  readonly credits: number;
  readonly carriedIn: number;
  readonly carriedOut: number;
  readonly total: number;
  readonly amountDue: number;
  readonly issuedAt: string;
  readonly dueAt: string;
  readonly currency: string;
  readonly fromBalance: number;
  readonly paid: number;
  readonly paidAt: string | null;
  readonly voidedAt: string | null;
  readonly voidNote: string | null;
};

export type InvoiceList = {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly hasMore: boolean;
  readonly currency: string;
  /** Of the month in the address, without void ones. */
  readonly sum: {
    readonly invoices: number;
    readonly subtotal: number;
    readonly credits: number;
    readonly total: number;
    readonly amountDue: number;
  } | null;
  readonly data: readonly Invoice[];
};

export type Posting = { readonly at: string; readonly description: string; readonly amount: number };

export type InvoiceDetail = Invoice & {
  /** Day 0 is before the month. */
  readonly items: ReadonlyArray<{
    readonly day: number;
    readonly what: string;
    readonly unit: number;
    readonly quantity: number;
  }>;
  readonly credited: readonly Posting[];
  readonly creditCount: number;
  readonly payments: readonly Posting[];
  /** What the balance has free to pay with; null where nothing is due. */
  readonly free: number | null;
};

export type RunResult = {
  readonly kind: 'line';
  readonly outcome: 'due' | 'issued' | 'exists';
  readonly partner: string;
  readonly partnerName: string;
  readonly number: string | null;
  readonly subtotal: number;
  readonly credits: number;
  readonly total: number;
  readonly amountDue: number;
};
export type RunProgress = { readonly kind: 'progress'; readonly done: number; readonly of: number };
export type RunEnd = {
  readonly kind: 'end';
  /** False where the service was stopped on the way. */
  readonly isWhole: boolean;
  readonly partners: number;
  readonly invoices: number;
  readonly existed: number;
  readonly total: number;
  readonly amountDue: number;
};
export type RunLine = RunResult | RunProgress | RunEnd;
