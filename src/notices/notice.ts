// A notice: a fact that one partner, one supplier or the operators get once, with the data of its kind (contract 12.3).
import type { InvoiceId, ReceiptId, StatementId } from '../base/ids.ts';

/**
 * By kind: what its message says, as it also stands in the `data` of a webhook. Plain JSON without personal data: notices are not erased
 * with a person. Amounts are numbers on the wire (`wireAmount`), times are ISO 8601, days and months are `2026-10-31` and `2026-10`, ids are
 * TypeIDs.
 */
export type NoticeData = {
  // To a partner.
  readonly 'claim.decided': {
    readonly claimId: string;
    readonly claim: 'return' | 'dispute';
    readonly deliveryRef: string;
    readonly decision: 'approved' | 'denied';
    /** Null without a credit. */
    readonly credit: number | null;
  };
  readonly 'invoice.issued': Invoice;
  readonly 'invoice.overdue': Invoice;
  /** `reminder`: 1 for the first. */
  readonly 'invoice.reminder': Invoice & { readonly reminder: number };
  readonly 'payment.received': Amount & {
    readonly reference: string | null;
    /** The invoice that it pays, if it pays one. */
    readonly invoiceNumber: string | null;
    /** Of the partner's account after it. */
    readonly balance: number;
  };
  readonly 'cap.reached': {
    readonly offer: string;
    readonly window: 'daily' | 'weekly' | 'monthly';
    /** What the offer may buy in the window: so many leads, or so much money; null where that one has no limit. */
    readonly leads: number | null;
    readonly spend: number | null;
    /** When the window ends. */
    readonly until: string;
  };
  /** The money that an offer may spend in a window is nearly spent. */
  readonly 'budget.low': {
    readonly offer: string;
    readonly window: 'daily' | 'weekly' | 'monthly';
    readonly spent: number;
    readonly limit: number;
    /** Percent of the limit that are left. */
    readonly leftPercent: number;
    readonly until: string;
  };
  /** The balance, or what is left of the credit limit, is below the partner's threshold. */
  readonly 'funds.low': { readonly available: number; readonly threshold: number };
  readonly 'offer.paused': {
    readonly offer: string;
    readonly available: number;
    readonly threshold: number;
  };
  /** An offer takes no leads until the day ends, because so many of the day's responses rejected leads. */
  readonly 'offer.rejections_paused': RejectionsPaused;
  // To a partner or a supplier.
  readonly 'statement.issued': Document;
  readonly 'endpoint.failing': Endpoint & { readonly error: string };
  readonly 'endpoint.recovered': Endpoint;
  readonly 'endpoint.disabled': {
    /** Masked, because its path may contain tokens. */
    readonly webhookUrl: string;
    /** `gone`: it responded 410; `failing`: it has accepted nothing since. */
    readonly reason: 'gone' | 'failing';
    readonly since: string;
    /** Deliveries that were still to be sent there. */
    readonly waiting: number;
  };
  readonly 'credential.expiring': {
    readonly credentialId: string;
    readonly label: string | null;
    readonly last4: string;
    readonly expiresAt: string;
  };
  // To the operators.
  /** Deliveries and jobs that failed for good within an hour. */
  readonly 'dead.letters': {
    readonly deliveries: number;
    readonly jobs: number;
    readonly since: string;
    readonly until: string;
  };
  readonly 'supplier.acceptance_low': BelowUsual;
  readonly 'supplier.sell_through_low': BelowUsual;
  readonly 'supplier.silent': {
    readonly supplier: string;
    /** Submissions that are usual in such a span. */
    readonly usual: number;
    readonly hours: number;
    readonly since: string;
  };
  readonly 'partner.rejecting': {
    readonly partner: string;
    readonly deliveries: number;
    readonly failed: number;
    readonly failedPercent: number;
    readonly day: string;
  };
  readonly 'offer.rejecting': RejectionsPaused & { readonly partner: string };
  readonly 'claim.due': {
    readonly claimId: string;
    readonly claim: 'return' | 'dispute';
    readonly partner: string;
    readonly dueAt: string;
  };
  readonly 'process.gone': {
    readonly process: string;
    /** `all`, `api` or `worker`. */
    readonly role: string;
    readonly lastSeenAt: string;
  };
  /** A work had to leave out an account, because a value of its configuration could not be used; it went on with all others. */
  readonly 'account.left_out': {
    readonly account: 'partner' | 'supplier' | 'offer' | 'marketplace';
    /** Empty for the marketplace. */
    readonly key: string;
    /** Whose offer it is; null for a partner or supplier. */
    readonly partner: string | null;
    readonly work: 'routing' | 'callbacks' | 'notices' | 'earnings' | 'receipts' | 'payments' | 'pauses' | 'limits';
    readonly error: string;
  };
  /** Asked for by an operator, or by a partner or supplier in the portal. */
  readonly test: { readonly requestedBy: string };
};

export type NoticeKind = keyof NoticeData;

export type Amount = { readonly amount: number; readonly currency: string };

type Document = {
  /** Its number as printed. */
  readonly number: string;
  /** `2026-10`. */
  readonly month: string;
  readonly total: number;
  readonly currency: string;
};

type Invoice = Document & {
  readonly amountDue: number;
  readonly dueAt: string;
};

type Endpoint = {
  /** `webhook`, `email`, …; a supplier's callback is its `webhook`. */
  readonly channel: string;
  /** Since when it has been failing. */
  readonly since: string;
};

type RejectionsPaused = {
  readonly offer: string;
  /** Of `responses`: not wanted, or duplicates at the partner. */
  readonly rejected: number;
  readonly responses: number;
  /** The threshold in percent. */
  readonly abovePercent: number;
  readonly since: string;
  readonly until: string;
};

type BelowUsual = {
  readonly supplier: string;
  /** Percent of the day. */
  readonly percent: number;
  /** Percent of the four weeks before. */
  readonly usualPercent: number;
  readonly submissions: number;
  readonly day: string;
};

export type NoticeRecipient =
  | 'operator'
  | { readonly partner: string; readonly supplier?: never }
  | { readonly supplier: string; readonly partner?: never };

/** A document that its email has attached as PDF, made at the time of sending. */
export type NoticeAttachment =
  | { readonly invoice: InvoiceId; readonly statement?: never; readonly receipt?: never }
  | { readonly statement: StatementId; readonly invoice?: never; readonly receipt?: never }
  | { readonly receipt: ReceiptId; readonly invoice?: never; readonly statement?: never };

export type NewNotice = {
  readonly [Kind in NoticeKind]: {
    readonly kind: Kind;
    readonly recipient: NoticeRecipient;
    /** Names the occurrence, such as `invoice.issued:<id>`: a recipient gets one notice per occurrence, however often it is raised. */
    readonly occurrence: string;
    readonly data: NoticeData[Kind];
    readonly attachment?: NoticeAttachment;
  };
}[NoticeKind];
