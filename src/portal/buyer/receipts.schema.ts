// The documents of receipts in the partner's portal (contract 6.21).
import { Type } from 'typebox';

/** The format is not validated: a malformed id is an unknown one. */
export const ReceiptParams = Type.Object({ receiptId: Type.String() });
