// Payments imported from a bank's CSV file on the operator's console (contract 7.11).
import { type Static, Type } from 'typebox';

import { dayOrders } from '../imports/bank-day.rules.ts';

/** A larger file is imported on the command line. */
export const PAYMENT_FILE_BYTES = 6_000_000;

export const ImportPaymentsBody = Type.Object(
  {
    /** The text of the file. */
    text: Type.String({ minLength: 1, maxLength: PAYMENT_FILE_BYTES }),
    /** `date=Buchungstag,amount=Betrag`; left out, the columns are found by their names. */
    columns: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    /** The order in dates such as 03/04/2026; left out, it is what other dates of the file show. */
    dates: Type.Optional(Type.Enum([...dayOrders])),
    dryRun: Type.Boolean(),
  },
  { additionalProperties: false },
);
export type ImportPayments = Static<typeof ImportPaymentsBody>;

/** What became of a line of the file, or would. `paid` and `differs` are posted. */
export type PaymentFate =
  | 'paid'
  | 'differs'
  | 'known'
  | 'similar'
  | 'not_booked'
  | 'no_number'
  | 'several_numbers'
  | 'no_such_invoice'
  | 'invoice_void'
  | 'invoice_paid'
  | 'outgoing'
  | 'error';

export type ImportedLine = {
  readonly kind: 'line';
  readonly line: number;
  readonly fate: PaymentFate;
  readonly date: string;
  readonly amount: number | null;
  readonly text: string;
  readonly name: string;
  readonly invoice: string | null;
  readonly partner: string | null;
  /** On the invoice, before the payment. */
  readonly due: number | null;
  readonly errors: ReadonlyArray<{ readonly column: number; readonly message: string }>;
};

export type ImportEnd = {
  readonly kind: 'end';
  /** False if the service stopped during the import. */
  readonly isWhole: boolean;
  readonly lines: number;
  readonly paid: number;
  readonly differs: number;
  readonly known: number;
  readonly outgoing: number;
  readonly faulty: number;
  /** The sum of what was posted, or would be. */
  readonly posted: number;
};
export type ImportLine = ImportedLine | ImportEnd;
