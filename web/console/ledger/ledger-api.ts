// What the console asks about the ledger, and how the answers look.
export type Account = {
  readonly partner: string;
  readonly name: string;
  readonly status: 'active' | 'paused' | 'suspended';
  readonly mode: 'prepaid' | 'postpaid';
  readonly timeZone: string;
  readonly balance: number;
  readonly held: number;
  /** Null for no limit. */
  readonly creditLimit: number | null;
  readonly available: number | null;
};

export type AccountList = {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly currency: string;
  readonly data: readonly Account[];
};

export type EntryType = 'charge' | 'credit' | 'payment' | 'adjustment';

export type Entry = {
  readonly entryId: string;
  readonly createdAt: string;
  readonly type: EntryType;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly description: string;
  readonly deliveryId: string | null;
  readonly returnId: string | null;
  readonly disputeId: string | null;
  readonly invoiceId: string | null;
};

export type AccountPage = {
  readonly currency: string;
  readonly account: Account;
  readonly entries: {
    readonly page: number;
    readonly pageSize: number;
    readonly total: number;
    readonly data: readonly Entry[];
  };
};

export type Posted = {
  readonly entryId: string;
  readonly partner: string;
  readonly type: Exclude<EntryType, 'charge'>;
  readonly amount: number;
  readonly balanceBefore: number;
  readonly balanceAfter: number;
  readonly description: string;
};

export type CheckLine =
  | { readonly kind: 'step'; readonly step: string; readonly done: number; readonly of: number }
  | {
      readonly kind: 'end';
      readonly ok: boolean;
      readonly accounts: number;
      readonly entries: number;
      readonly difference: number;
      readonly faults: readonly string[];
    };
